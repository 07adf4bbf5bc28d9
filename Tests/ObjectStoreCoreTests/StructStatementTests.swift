import ObjectStoreCore
import Testing

/// Whole structs in the SET of an UPDATE: written as in an INSERT.
@Suite struct StructStatementTests {
  let session: StatementSession

  init() throws {
    let schema = try SchemaText.parse(
      """
      @Model struct Spot { var lon: Double; var lat: Double; var note: String = "-" }
      @Model struct Leg { var to: Link<City>?; var via: List<City>; var size: Int? }
      @Model struct Trip {
        var n: Int
        var spot: Spot?
        var home: Spot
        var way: Way?
      }
      @Model struct Way { var start: Spot?; var legs: [Part]; var last: Leg; var tags: [String] }
      @Model struct Part { var name: String; var spot: Spot? }
      @Model struct City { @Attribute(.unique) var name: String; var size: Int = 0 }
      """)
    session = StatementSession(try Store.inMemory(schema: schema))
    try session.run(#"INSERT City {"name": "A"}"#)
    try session.run(#"INSERT City {"name": "B"}"#)
    try session.run(#"INSERT Trip {"n": 1, "home": {"lon": 1, "lat": 1}}"#)
    try session.run(
      #"INSERT Trip {"n": 2, "home": {"lon": 2, "lat": 2, "note": "x"}, "spot": {"lon": 5, "lat": 6, "note": "y"}}"#)
  }

  private func update(_ text: String, arguments: Arguments = Arguments()) throws -> Int {
    guard case .changed(let changes) = try session.run("UPDATE Trip SET " + text, arguments: arguments) else {
      return -1
    }
    return changes.count
  }

  private func shown(_ path: String, _ number: Int) throws -> String {
    guard case .rows(let rows) = try session.run("Trip WHERE n == \(number) SELECT \(path)"),
      let value = try rows.rows().first?.first
    else { return "" }
    return Self.text(value)
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .embedded(let fields): "{" + fields.map { "\($0.name) \(text($0.value))" }.joined(separator: ", ") + "}"
    case .list(let elements): "[" + elements.map(text).joined(separator: ", ") + "]"
    case .string(let text): text
    case .double(let number): "\(number)"
    case .int(let number): "\(number)"
    case .object(let object): "\(object.entity) \(object.number.rawValue)"
    case .null: "nil"
    default: "\(value)"
    }
  }

  @Test func fillsWhatIsNilAndReplacesTheRest() throws {
    #expect(try update(#"spot = {"lon": 7, lat: 8.5}"#) == 2)
    #expect(try shown("spot", 1) == "{lon 7.0, lat 8.5, note -}")
    #expect(try shown("spot", 2) == "{lon 7.0, lat 8.5, note -}")
    #expect(try update(#"home = {"lon": 3, "lat": 4}, spot = nil WHERE n == 2"#) == 1)
    #expect(try shown("home", 2) == "{lon 3.0, lat 4.0, note -}")
    #expect(try shown("spot", 2) == "nil")
    #expect(try session.store.check().isWhole)
  }

  @Test func takesWhatIsInItAsAnInsertDoes() throws {
    let way = #"""
      way = {"start": {"lon": 1, "lat": 2}, "legs": [{"name": "p", "spot": {"lon": 0, "lat": 0}}, {"name": "q"}],
        "last": {"to": "B", "via": ["B", {"@id": 1}, {"name": "C", "size": 3}]}, "tags": ["x"]} WHERE n == 1
      """#
    #expect(try update(way) == 2, "the trip, and a city that is new")
    #expect(
      try shown("way", 1)
        == "{start {lon 1.0, lat 2.0, note -}, legs [{name p, spot {lon 0.0, lat 0.0, note -}}, {name q, spot nil}], "
        + "last {to City 2, via [City 2, City 1, City 3], size nil}, tags [x]}")
    #expect(try session.store.objects("City").filter("name == 'C' AND size == 3").count == 1)
    #expect(try update(#"way.start = nil, way.last = {"to": null, "size": 4} WHERE n == 1"#) == 1)
    #expect(try shown("way.last", 1) == "{to nil, via [], size 4}")
    #expect(try update(#"way = {"last": {}} WHERE n == 2"#) == 1)
    #expect(try shown("way", 2) == "{start nil, legs [], last {to nil, via [], size nil}, tags []}")
    #expect(try session.store.check().isWhole)
  }

  /// What is not given in a struct that is there has no elements, as outside of one.
  @Test func collectionsOfAnInsertedStructAreEmpty() throws {
    try session.run(#"INSERT Trip {"n": 3, "home": {"lon": 1, "lat": 1}, "way": {"last": {}}}"#)
    #expect(try shown("way", 3) == "{start nil, legs [], last {to nil, via [], size nil}, tags []}")
    #expect(try session.store.objects("Trip").filter("way != nil AND way.tags == nil").count == 0)
  }

  @Test func mayBeAnArgument() throws {
    let spot = Value.embedded([
      EmbeddedField(name: "lon", value: .double(1)), EmbeddedField(name: "lat", value: .int(2)),
    ])
    #expect(try update("spot = $s", arguments: Arguments(["s": spot])) == 2)
    #expect(try shown("spot", 1) == "{lon 1.0, lat 2.0, note -}")
  }

  @Test(arguments: [
    (#"spot = {"lon": 7}"#, "missing-value", "'spot.lat' needs a value", 7, 17),
    (#"spot = {"lon": 7, "lta": 8}"#, "unknown-property", "did you mean 'lat'?", 18, 23),
    (#"spot = {"lon": "x", "lat": 8}"#, "type-mismatch", "'spot.lon' is of type Double", 15, 18),
    (#"spot = {"lon": 1, "lat": 8}, spot.lon = 3"#, "duplicate-property", "is set twice", 29, 37),
    (#"way = {"last": {"to": "nobody"}}"#, "unknown-object", "City", 22, 30),
    (#"way = {"legs": [{"name": "a"}, {"name": 5}], "last": {}}"#, "type-mismatch", "'way.legs[1].name'", 40, 41),
    (#"way = {"tags": ["a", 5], "last": {}}"#, "type-mismatch", "'way.tags[1]'", 21, 22),
    (#"way.start = {"lon": 1, "lat": 2} WHERE n == 1"#, "missing-value", "'way' of Trip number 1 is nil", 0, 9),
    ("spot = 5", "type-mismatch", #"as in 'SET spot = {"lon": …, …}'"#, 0, 4),
    ("spot = home", "type-mismatch", "'SET spot.lon = …'", 0, 4),
    ("spot = [1, 2]", "type-mismatch", #"as in 'SET spot = {"lon": …, …}'"#, 0, 4),
    ("home = nil", "type-mismatch", "'SET home.lon = …'", 0, 4),
  ])
  func whatIsWrongIsToldWithItsPlace(
    _ text: String, _ code: String, _ message: String, _ start: Int, _ end: Int
  ) throws {
    let error = #expect(throws: QueryError.self) { try update(text) }
    #expect(error?.code == code)
    #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.range == SourceRange(start + 16, end + 16))
  }
}
