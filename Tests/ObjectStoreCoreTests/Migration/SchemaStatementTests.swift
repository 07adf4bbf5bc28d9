import ObjectStoreCore
import Testing

/// Statements that change the schema: what each does to the schema and the objects, and how each is refused.
@Suite struct SchemaStatementTests {
  private let store: Store

  init() throws {
    store = try Store.inMemory(
      schema: SchemaText.parse(
        """
        @Model struct Quake {
          @Attribute(.unique) var code: String
          var mag: Int
          var net: String
          @Attribute(.indexed) var place: String?
          var spot: Spot?
          var region: Link<Region>?
        }
        @Model(.embedded) struct Spot { var depth: Double; var town: String? }
        @Model(.entity) struct Region { var name: String; @Inverse(\\Quake.region) var quakes: LinkingObjects<Quake> }
        """))
    try store.run(#"INSERT Region {"name": "Chile"}"#)
    try store.run(
      #"INSERT Quake {"code": "a", "mag": 5, "net": "us", "place": "x", "spot": {"depth": 7}, "region": {"@id": 1}}"#)
    try store.run(#"INSERT Quake {"code": "b", "mag": 6, "net": "us"}"#)
  }

  private func run(_ statement: String) throws {
    guard case .schemaChanged(let changes) = try store.run(statement) else {
      Issue.record("\(statement) does not change the schema")
      return
    }
    #expect(!changes.isEmpty, "\(statement)")
    let problems = try store.check().problems
    #expect(problems.isEmpty, "\(statement): \(problems)")
  }

  private func rows(_ statement: String) throws -> [[Value]] {
    guard case .rows(let rows) = try store.run(statement) else { return [] }
    return try rows.rows()
  }

  private func error(_ statement: String) throws -> QueryError? {
    let before = try store.schema
    let error = #expect(throws: QueryError.self, "\(statement)") { try store.run(statement) }
    #expect(try store.schema == before)
    return error
  }

  private func problem(_ statement: String) throws -> String {
    let before = try store.schema
    let error = #expect(throws: StoreError.self, "\(statement)") { try store.run(statement) }
    #expect(try store.schema == before)
    guard case .migrationNeeded(let problems)? = error else { return "\(String(describing: error))" }
    #expect(try store.migrationPreview(of: statement).problems == problems)
    return problems.joined(separator: "; ")
  }

  private var quake: Entity { get throws { try #require(store.schema.entity(named: "Quake")) } }

  @Test func indexes() throws {
    try run("CREATE INDEX ON Quake (net, spot.depth)")
    try run("CREATE INDEX ON Quake (place) USING trigram")
    try run("CREATE INDEX ON Quake (place) USING FOLDED")
    try run("CREATE UNIQUE INDEX ON Quake (mag)")
    #expect(
      try quake.indexes == [
        Index(kind: .unique, paths: ["code"]), Index(paths: ["place"]), Index(paths: ["net", "spot.depth"]),
        Index(kind: .trigram, paths: ["place"]), Index(kind: .folded, paths: ["place"]),
        Index(kind: .unique, paths: ["mag"]),
      ])
    #expect(throws: StoreError.self) { try store.run(#"INSERT Quake {"code": "c", "mag": 6, "net": "us"}"#) }
    #expect(try error("DROP INDEX ON Quake (place)")?.code == "unknown-index")
    try run("DROP INDEX ON Quake (place) USING sorted")
    try run("DROP INDEX ON Quake (place) USING trigram")
    try run("DROP INDEX ON Quake (place)")
    try run("DROP UNIQUE INDEX ON Quake (mag)")
    try run("DROP INDEX ON Quake (net, spot.depth)")
    #expect(try quake.indexes == [Index(kind: .unique, paths: ["code"])])
  }

  @Test func indexesThatCannotBe() throws {
    #expect(try problem("CREATE UNIQUE INDEX ON Quake (net)").contains("us"))
    #expect(try error("CREATE INDEX ON Quake (place)")?.code == "duplicate-index")
    #expect(try error("CREATE INDEX ON Quake (plac)")?.fix?.replacement == "place")
    #expect(try error("CREATE INDEX ON Quak (place)")?.fix?.replacement == "Quake")
    #expect(try error("CREATE INDEX ON Quake (mag) USING trigram")?.code == "wrong-index")
    #expect(try error("CREATE INDEX ON Quake (spot)")?.code == "wrong-index")
    #expect(try error("CREATE INDEX ON Quake (place) USING trigrams")?.fix?.replacement == "trigram")
    #expect(try error("CREATE INDEX ON Quake (place) USING fullText")?.code == "unsupported")
    #expect(try error("DROP INDEX ON Quake (net)")?.code == "unknown-index")
    let sorted = try error("DROP INDEX ON Quake (code) USING sorted")
    #expect(sorted?.diagnostics.first?.notes.first?.contains("UNIQUE INDEX ON Quake (code)") == true)
  }

  @Test func properties() throws {
    try run("ALTER Quake ADD felt: Int?")
    try run("ALTER Quake ADD tsunami: Bool = true")
    try run("ALTER Quake ADD tags: Set<String> = ['b', 'a', 'b']")
    try run("ALTER Quake ADD day: Date = '2018-02-07'")
    try run("ALTER Quake ADD key: UUID = uuid()")
    try run("ALTER Quake ADD spot.note: String = 'n'")
    try run("ALTER Quake ADD near: Link<Region>?")
    #expect(
      try rows("Quake WHERE felt == nil AND tsunami == TRUE AND day == '2018-02-07' SELECT code, tags, spot.note, near")
        == [
          [.string("a"), .list([.string("a"), .string("b")]), .string("n"), .null],
          [.string("b"), .list([.string("a"), .string("b")]), .null, .null],
        ])
    #expect(try Set(rows("Quake SELECT key")).count == 2)
    try run("ALTER Quake DROP PROPERTY place")
    try run("ALTER Quake DROP PROPERTY spot.town")
    #expect(try quake.property(named: "place") == nil && quake.indexes == [Index(kind: .unique, paths: ["code"])])
    try run("ALTER Quake RENAME code TO id")
    try run("ALTER Quake RENAME region TO area")
    try run("ALTER Quake RENAME spot.depth TO km")
    #expect(try quake.indexes == [Index(kind: .unique, paths: ["id"])])
    #expect(
      try rows("Quake SELECT id, spot.km, area.name") == [
        [.string("a"), .double(7), .string("Chile")], [.string("b"), .null, .null],
      ])
    #expect(try rows("Region SELECT quakes.@count") == [[.int(1)]])
  }

  @Test func types() throws {
    try run("ALTER Quake ALTER PROPERTY mag Double")
    #expect(try rows("Quake SELECT mag") == [[.double(5)], [.double(6)]])
    try run("ALTER Quake ALTER PROPERTY net [String]")
    #expect(try rows("Quake SELECT net").first == [.list([.string("us")])])
    try run("ALTER Quake ALTER PROPERTY place: String = 'none'")
    #expect(try rows("Quake SELECT place") == [[.string("x")], [.string("none")]])
    #expect(try quake.property(named: "place")?.defaultValue == .string("none"))
    try run("ALTER Quake ALTER PROPERTY place: String?")
    #expect(try quake.property(named: "place")?.defaultValue == .string("none"))
    #expect(try error("ALTER Quake ALTER PROPERTY mag Int")?.code == "type-mismatch")
    // The same again changes nothing.
    guard case .schemaChanged(let changes) = try store.run("ALTER Quake ALTER PROPERTY mag Double") else { return }
    #expect(changes.isEmpty)
  }

  @Test func propertiesThatCannotBe() throws {
    #expect(try problem("ALTER Quake ADD felt: Int").contains("2 objects have none"))
    #expect(try problem("ALTER Quake ALTER PROPERTY place String").contains("1 object has none"))
    #expect(try error("ALTER Quake ADD mag: Int?")?.code == "name-in-use")
    #expect(try error("ALTER Quake ADD felt: Integer?")?.diagnostics.first?.notes == ["write 'Int'"])
    #expect(try error("ALTER Quake ADD felt: Strin")?.fix?.replacement == "String")
    #expect(try error("ALTER Quake ADD felt: Int? = 'x'")?.code == "wrong-default")
    #expect(try error("ALTER Quake ADD felt: Date = uuid()")?.code == "wrong-default")
    #expect(try error("ALTER Quake ADD felt: Link<Region>")?.code == "link-not-optional")
    #expect(try error("ALTER Quake ADD felt: LinkingObjects<Region>")?.code == "unsupported")
    #expect(try error("ALTER Quake ADD mag.x: Int?")?.code == "type-mismatch")
    #expect(try error("ALTER Quake DROP PROPERTY plac")?.fix?.replacement == "place")
    #expect(try error("ALTER Quake RENAME mag TO net")?.code == "name-in-use")
    #expect(try error("ALTER Quake RENAME mag TO `a b`")?.code == "invalid-name")
    #expect(try error("ALTER Spot ADD x: Int?")?.code == "unknown-entity")
  }

  @Test func entities() throws {
    try run("RENAME Quake TO Earthquake")
    #expect(try rows("Region SELECT quakes.@count") == [[.int(1)]])
    #expect(try error("RENAME Earthquake TO Region")?.code == "name-in-use")
    #expect(try problem("DROP ENTITY Region").contains("'Earthquake.region' links to Region"))
    try run("DROP ENTITY Earthquake")
    #expect(try store.schema.entities.map(\.name) == ["Region"])
    #expect(try store.schema.entity(named: "Region")?.properties.map(\.name) == ["name"])
  }

  @Test func previewAndExplanationChangeNothing() throws {
    let before = try store.schema
    let preview = try store.migrationPreview(of: "ALTER Quake DROP PROPERTY place")
    #expect(preview.changes.map(\.line) == ["- Quake.place: String?, 1 value", "- the index on Quake (place)"])
    guard case .explanation(let explanation) = try store.run("EXPLAIN ALTER Quake DROP PROPERTY place") else {
      Issue.record("no explanation")
      return
    }
    #expect(explanation.text == preview.changes.map(\.line).joined(separator: "\n"))
    #expect(throws: QueryError.self) { try store.migrationPreview(of: "COUNT Quake") }
    #expect(try store.schema == before)
  }

  @Test func transactionsHaveOneSchema() throws {
    let session = StatementSession(store)
    try session.run("BEGIN")
    let error = #expect(throws: QueryError.self) { try session.run("CREATE INDEX ON Quake (net)") }
    #expect(error?.code == "transaction-open")
    #expect(throws: QueryError.self) { try session.run("EXPLAIN CREATE INDEX ON Quake (net)") }
    try session.run("COMMIT")
    try session.run("CREATE INDEX ON Quake (net)")
  }

  @Test func aCancelledStatementChangesNothing() throws {
    let before = try store.schema
    let cancellation = Cancellation()
    cancellation.cancel()
    for statement in ["CREATE INDEX ON Quake (net)", "ALTER Quake ALTER PROPERTY mag Double"] {
      #expect(throws: StoreError.cancelled) { try store.run(statement, cancellation: cancellation) }
    }
    #expect(try store.schema == before)
  }

  @Test func migratingToAWholeSchema() throws {
    let schema = try SchemaText.parse(
      """
      @Model(originalName: "Quake") struct Earthquake {
        #Index<Earthquake>([\\.net])
        @Attribute(.unique) var code: String
        @Attribute(originalName: "mag") var magnitude: Double
        var net: String
        var spot: Spot?
        var felt: Int?
      }
      @Model(.embedded) struct Spot { var depth: Double }
      """)
    let preview = try store.migrationPreview(to: schema)
    #expect(
      Set(preview.changes.map(\.line)) == [
        "~ Quake is now Earthquake", "- Region, 1 object", "- Earthquake.place: String?, 1 value",
        "- Earthquake.spot.town: String?, 0 values", "- Earthquake.region: Link<Region>?, 1 value",
        "~ Earthquake.mag is now magnitude", "~ Earthquake.magnitude: Int is now Double, 2 objects",
        "+ Earthquake.felt: Int?", "- the index on Earthquake (place)", "+ the index on Earthquake (net)",
      ])
    try store.migrate(to: schema)
    #expect(try store.migrationPreview(to: schema).isEmpty)
    #expect(try store.schema.entities.map(\.name) == ["Earthquake"])
    #expect(try rows("Earthquake SELECT magnitude, spot.depth") == [[.double(5), .double(7)], [.double(6), .null]])
    #expect(try store.check().problems.isEmpty)
  }
}
