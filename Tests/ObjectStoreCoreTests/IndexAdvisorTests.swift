import Foundation
import ObjectStoreCore
import PredicateLanguage
import TestSeeds
import Testing

/// Advice on indexes: which are found, and that they keep what was said of them when they are really built.
@Suite struct IndexAdvisorTests {
  /// The advice for statements on a store, with samples of 2,000 objects unless told otherwise.
  private func advice(
    _ store: Store, _ statements: [String], least: Double = 200, sampleSize: Int = 2_000,
    arguments: Arguments = Arguments()
  ) throws -> IndexAdvice {
    var advisor = IndexAdvisor(store)
    advisor.leastGain = least
    advisor.sampleSize = sampleSize
    return try advisor.advice(
      for: statements.compactMap {
        AdvisedStatement(try StatementParser.statement($0), source: $0, arguments: arguments)
      })
  }

  private func create(_ advice: IndexAdvice, in store: Store) throws {
    for index in advice.advised { try store.run(index.statement) }
  }

  /// Stores that no test changes.
  private static let fewRegions = Result { try QuakesAndRegions(seed: 7).store }
  private static let manyRegions = Result { try QuakesAndRegions(seed: 7, regions: 6_000).store }

  // MARK: Candidates

  @Test(arguments: [
    ("COUNT Quake WHERE sig == 500", "CREATE INDEX ON Quake (sig)"),
    ("COUNT Quake WHERE location.latitude > 89.9", "CREATE INDEX ON Quake (location.latitude)"),
    ("Quake WHERE net == 'net1' SORT BY time DESC LIMIT 5", "CREATE INDEX ON Quake (net, time)"),
    ("Quake WHERE sig == 10 AND mag > 6", "CREATE INDEX ON Quake (sig, mag)"),
    ("COUNT Quake WHERE place CONTAINS[c] 'town77,'", "CREATE INDEX ON Quake (place) USING trigram"),
    ("Quake WHERE place ==[c] '3KM NE OF TOWN4, region4'", "CREATE INDEX ON Quake (place) USING folded"),
    ("Quake WHERE place BEGINSWITH '77km NE of town7'", "CREATE INDEX ON Quake (place)"),
    ("Quake SORT BY mag DESC LIMIT 5", "CREATE INDEX ON Quake (mag)"),
    ("Quake GROUP BY net SELECT net, @count", "CREATE INDEX ON Quake (net)"),
    ("Quake SELECT @max.mag", "CREATE INDEX ON Quake (mag)"),
    ("Quake DISTINCT net", "CREATE INDEX ON Quake (net)"),
    ("COUNT Quake WHERE region.name == 'region7'", "CREATE INDEX ON Region (name)"),
    ("DELETE Quake WHERE sig == 500", "CREATE INDEX ON Quake (sig)"),
    ("UPDATE Quake SET mag = 1 WHERE sig == 500", "CREATE INDEX ON Quake (sig)"),
    ("EXPLAIN Quake WHERE sig IN {3, 5}", "CREATE INDEX ON Quake (sig)"),
  ])
  func advises(_ statement: String, _ index: String) throws {
    let store = statement.contains("region.") ? Self.manyRegions : Self.fewRegions
    let found = try advice(try store.get(), [statement])
    #expect(found.advised.map(\.statement) == [index], "\(found)")
    #expect(found.leftOut.isEmpty && found.advised.first?.serves == [0])
  }

  @Test func aCompositeServesSeveral() throws {
    let store = try Self.fewRegions.get()
    let found = try advice(store, ["COUNT Quake WHERE sig == 5", "Quake WHERE sig == 5 AND net == 'net2'"])
    #expect(found.advised.count == 1 && found.advised.first?.index.paths.first == "sig", "\(found.advised)")
    #expect(found.advised.first?.serves == [0, 1])
  }

  @Test func nothingWhereNothingHelps() throws {
    let store = try QuakesAndRegions(seed: 9).store
    for statement in ["Quake WHERE mag >= 0", "Quake WHERE code == 'q5'", "Quake", "COUNT Quake WHERE mag * 2 > 5"] {
      #expect(try advice(store, [statement]).advised.isEmpty, "\(statement)")
    }
    // What is there already is not advised, nor what costs next to nothing.
    try store.run("CREATE INDEX ON Quake (sig)")
    #expect(try advice(store, ["COUNT Quake WHERE sig == 5"]).advised.isEmpty)
    #expect(try advice(store, ["COUNT Quake WHERE mag > 8.9"], least: 1e9).advised.isEmpty)
  }

  @Test func unusedIndexes() throws {
    let store = try QuakesAndRegions(seed: 10).store
    for paths in ["(sig)", "(place) USING trigram", "(place)", "(net)"] {
      try store.run("CREATE INDEX ON Quake \(paths)")
    }
    try store.run("CREATE UNIQUE INDEX ON Region (name)")
    let found = try advice(store, ["COUNT Quake WHERE sig == 5", "Quake WHERE place CONTAINS 'town77,'"])
    // The unique ones guard; of the two on place the statement says which is meant.
    #expect(
      found.unused.map(\.statement) == ["DROP INDEX ON Quake (place) USING sorted", "DROP INDEX ON Quake (net)"])
    #expect(found.unused.allSatisfy { $0.bytes > 0 })
    for index in found.unused { try store.run(index.statement) }
    #expect(try advice(store, ["COUNT Quake WHERE sig == 5", "Quake WHERE place CONTAINS 'town77,'"]).unused.isEmpty)
  }

  // MARK: What cannot be planned

  @Test func wrongStatementsAreNamed() throws {
    let store = try Self.fewRegions.get()
    let wrong = [
      "Quak WHERE mag > 3", "Quake WHERE nothing == 3", "Quake WHERE mag > $min", "COUNT Quake WHERE mag > 'x'",
    ]
    let found = try advice(store, wrong + ["COUNT Quake WHERE sig == 5"])
    #expect(found.leftOut.map(\.source) == wrong)
    #expect(found.leftOut.allSatisfy { !$0.reason.isEmpty })
    #expect(found.statements.map(\.source) == ["COUNT Quake WHERE sig == 5"] && found.advised.count == 1)
    let given = try advice(store, ["Quake WHERE mag > $min"], arguments: Arguments(named: ["min": .double(8)]))
    #expect(given.leftOut.isEmpty && given.statements.count == 1)
  }

  @Test func anEmptyStoreIsSaidToBeEmpty() throws {
    let store = try Store.inMemory(schema: QuakesAndRegions.schema)
    let found = try advice(store, ["COUNT Quake WHERE sig == 5"])
    #expect(found.advised.isEmpty && found.statements.isEmpty)
    #expect(found.leftOut.first?.reason.contains("Quake has no objects") == true)
  }

  @Test func theStoreStaysAsItIs() throws {
    let store = try Self.fewRegions.get()
    let before = (try store.statistics().version, try store.schema)
    _ = try advice(store, ["COUNT Quake WHERE sig == 5", "DELETE Quake", "UPDATE Quake SET mag = 0"])
    #expect(try store.statistics().version == before.0 && store.schema == before.1)
  }

  @Test func canBeCancelled() throws {
    var advisor = IndexAdvisor(try Self.fewRegions.get())
    let cancellation = Cancellation()
    cancellation.cancel()
    advisor.cancellation = cancellation
    let text = "COUNT Quake WHERE sig == 5"
    let statement = try #require(AdvisedStatement(try StatementParser.statement(text), source: text))
    #expect(throws: QueryCancelled.self) { try advisor.advice(for: [statement]) }
  }

  // MARK: The promise

  /// What is advised is built. Then each statement costs about what was said, no statement costs more or looks at more
  /// objects than before, and all find the same.
  @Test func advisedIndexesKeepWhatWasSaid() throws {
    let seed = testSeed()
    var random = SeededNumbers(seed)
    for round in 0..<2 {
      let world = try QuakesAndRegions(seed: random.next(), regions: [60, 5_000][round % 2])
      let statements = (0..<10).map { _ in world.randomStatement(using: &random) }
      try keepsWhatIsSaid(world.store, statements, sampleSize: 2_000, "SEED=\(seed) round \(round)")
    }
  }

  @Test func realDataKeepsWhatWasSaid() throws {
    guard let store = try Self.strongQuakes() else { return }
    try keepsWhatIsSaid(
      store,
      [
        "Event WHERE Magnitude >= 8", "COUNT Event WHERE Day == '12/28/2016'", "Event SORT BY Magnitude DESC LIMIT 5",
        "Event WHERE Magnitude > 6 SORT BY Latitude LIMIT 20", "COUNT Event WHERE Latitude > 60 AND Longitude < 0",
        "Event GROUP BY Magnitude SELECT Magnitude, @count", "Event WHERE Day BEGINSWITH '01/02/19'",
        "Event WHERE Day CONTAINS '2/20'", "COUNT Event WHERE Magnitude BETWEEN {7.5, 7.6}",
      ], sampleSize: 4_000, "strong earthquakes")
  }

  private func keepsWhatIsSaid(_ store: Store, _ statements: [String], sampleSize: Int, _ what: String) throws {
    let said = try advice(store, statements, sampleSize: sampleSize)
    #expect(said.leftOut.isEmpty, "\(what): \(said.leftOut)")
    let before = try said.statements.map { try Run($0.source, in: store) }
    try create(said, in: store)
    // Nothing is worth so much, so the statements are only planned.
    let built = try advice(store, statements, least: .infinity, sampleSize: sampleSize)
    // Below this a cost is some look-ups and the clusters of a few objects: chance decides how many a sample has.
    func atLeastAFew(_ cost: Double) -> Double { max(cost, 4_000) }
    for (place, (promised, real)) in zip(said.statements, built.statements).enumerated() {
      let words = "\(what): \(promised.source): \(promised.before) → \(promised.after), really \(real.before)"
      let ratio = atLeastAFew(real.before) / atLeastAFew(promised.after)
      #expect(ratio < 10 && ratio > 0.1, "\(words)")
      let after = try Run(promised.source, in: store)
      // The same plan may have another estimate, since indexes count what was guessed without them.
      #expect(real.before <= promised.before * 1.05 || after.indexes == before[place].indexes, "\(words)")
      #expect(after.count == before[place].count, "\(words)")
      // A cluster is looked at as a whole.
      #expect(after.examined <= max(before[place].examined, 256), "\(words): \(before[place]) \(after)")
    }
    let sizes = try store.statistics().indexes
    for index in said.advised {
      let use = try #require(sizes.first { $0.entity == index.entity && $0.index == index.index })
      // The pages of a key with many objects are not among the bytes.
      let bytes = max(use.bytes, 8 * use.entries)
      #expect(index.bytes < 10 * bytes + 65_536 && bytes < 10 * index.bytes + 65_536, "\(what): \(index) \(use)")
      #expect(!index.serves.isEmpty && index.after < index.before)
    }
  }

  /// What a statement finds, and how many objects its plan looks at.
  private struct Run {
    let count: Int
    let examined: Int
    let indexes: Set<String>

    init(_ statement: String, in store: Store) throws {
      switch try store.run(statement) {
      case .count(let number): count = number
      case .objects(let found): count = try found.count
      case .rows(let rows): count = try rows.rows().count
      default: count = 0
      }
      guard case .explanation(let plan) = try store.run("EXPLAIN ANALYZE " + statement) else {
        (examined, indexes) = (0, [])
        return
      }
      let json = try JSONSerialization.jsonObject(with: Data(plan.json.utf8)) as? [String: Any]
      let root = json?["plan"] as? [String: Any] ?? [:]
      (examined, indexes) = (Self.examined(root), Self.indexes(root))
    }

    private static func indexes(_ node: [String: Any]) -> Set<String> {
      let children = node["children"] as? [[String: Any]] ?? []
      return children.reduce(into: Set([node["index"] as? String].compactMap(\.self))) { $0.formUnion(indexes($1)) }
    }

    /// The objects that the leaves of a plan return.
    private static func examined(_ node: [String: Any]) -> Int {
      let children = node["children"] as? [[String: Any]] ?? []
      return children.isEmpty ? node["actual"] as? Int ?? 0 : children.reduce(0) { $0 + examined($1) }
    }
  }

  /// The strong earthquakes of half a century; nil where they are not there.
  private static func strongQuakes() throws -> Store? {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    let file = path + "/../../../shared/data/earthquakes-1965-2016.csv"
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      print("SKIPPED: earthquakes-1965-2016.csv is not there")
      return nil
    }
    let properties: [(name: String, type: ScalarType)] = [
      ("Day", .string), ("Latitude", .double), ("Longitude", .double), ("Magnitude", .double),
    ]
    let entity = Entity(
      name: "Event", properties: properties.map { Property(name: $0.name, type: .scalar($0.type)) })
    let store = try Store.inMemory(schema: Schema(entities: [entity]))
    try store.write { tx in
      let rows = try tx.inserter(for: "Event")
      for line in text.split(whereSeparator: \.isNewline).dropFirst() {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        try #require(fields.count == properties.count)
        try rows.append([.string(String(fields[0]))] + fields.dropFirst().map { .double(Double($0) ?? 0) })
      }
    }
    return store
  }
}
