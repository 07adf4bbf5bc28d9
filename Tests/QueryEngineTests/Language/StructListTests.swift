import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// What queries find in lists of structs: several leaves of one struct, not of any.
///
/// | | code | limit | stops: name, minutes, place (city, longitude, latitude) |
/// | - | - | - | - |
/// | 0 | a | 5 | x 6 Ulm 10 48.4; y nil nil |
/// | 1 | b | 3 | x 3 nil; z 9 Rom 12.5 41.9 |
/// | 2 | c | 5 | |
/// | 3 | d | 9 | x 3 Oslo 10.7 59.9; x 9 nil; y 1 nil |
struct Trips {
  let file: StoreFile

  static let schema = Schema(
    entities: [
      Entity(
        name: "Trip",
        properties: [
          Property(name: "code", type: .scalar(.string)), Property(name: "limit", type: .scalar(.int)),
          Property(name: "stops", type: .embeddedList("Stop")),
          Property(name: "spare", type: .embedded("Spare"), isOptional: true),
        ], indexes: [Index(kind: .unique, paths: ["code"])]),
      Entity(
        name: "Tour",
        properties: [
          Property(name: "name", type: .scalar(.string)), Property(name: "trips", type: .list("Trip")),
          Property(name: "best", type: .link("Trip"), isOptional: true),
        ]),
    ],
    embedded: [
      Entity(
        name: "Stop",
        properties: [
          Property(name: "name", type: .scalar(.string)),
          Property(name: "minutes", type: .scalar(.int), isOptional: true),
          Property(name: "place", type: .embedded("Place"), isOptional: true),
        ]),
      Entity(
        name: "Place",
        properties: [
          Property(name: "city", type: .scalar(.string)), Property(name: "longitude", type: .scalar(.double)),
          Property(name: "latitude", type: .scalar(.double)),
        ]),
      Entity(
        name: "Spare",
        properties: [Property(name: "n", type: .scalar(.int)), Property(name: "stops", type: .embeddedList("Stop"))]),
    ])

  private typealias Stop = (name: String, minutes: Int64?, place: (city: String, longitude: Double, latitude: Double)?)

  private static func columns(_ stops: [Stop]) -> [Value] {
    [
      .int(Int64(stops.count)), .list(stops.map { .string($0.name) }),
      .list(stops.map { $0.minutes.map(Value.int) ?? .null }),
      .list(stops.map { $0.place == nil ? .null : .bool(true) }),
      .list(stops.map { $0.place.map { .string($0.city) } ?? .null }),
      .list(stops.map { $0.place.map { .double($0.longitude) } ?? .null }),
      .list(stops.map { $0.place.map { .double($0.latitude) } ?? .null }),
    ]
  }

  /// With `spareless`, only trips a and d, and no tours.
  init(spareless: Bool = false) throws {
    let absent = [Value](repeating: .null, count: 9)
    let trips: [[Value]] = [
      [.string("a"), .int(5)] + Self.columns([("x", 6, ("Ulm", 10, 48.4)), ("y", nil, nil)]) + absent,
      [.string("b"), .int(3)] + Self.columns([("x", 3, nil), ("z", 9, ("Rom", 12.5, 41.9))])
        + [.bool(true), .int(1)] + Self.columns([("q", 1, nil)]),
      [.string("c"), .int(5)] + Self.columns([]) + [.bool(true), .int(2)] + Self.columns([]),
      [.string("d"), .int(9)]
        + Self.columns([("x", 3, ("Oslo", 10.7, 59.9)), ("x", 9, nil), ("y", 1, nil)]) + absent,
    ]
    let tours: [[Value]] = [
      [.string("P"), .list([.int(1), .int(2)]), .int(4)], [.string("Q"), .list([.int(3)]), .null],
      [.string("R"), .list([.int(4), .int(4)]), .int(3)], [.string("S"), .list([]), .null],
    ]
    file = try StoreFile.inMemory(declaring: Self.schema)
    try file.write { session in
      for (name, rows) in [("Trip", spareless ? [trips[0], trips[3]] : trips), ("Tour", spareless ? [] : tours)] {
        guard let entity = session.schema.entity(named: name) else { continue }
        for row in rows { _ = try session.insert(row, into: entity) }
      }
    }
  }

  func compile(_ entity: String, _ text: String) throws -> CompiledQuery {
    var description = QueryDescription(entity: entity)
    try description.append(try PredicateParser.filter(text), SourceContext(source: text))
    return try CompiledQuery(description, schema: try file.beginSnapshot().schema)
  }

  /// What every plan finds, counted from 0.
  func rows(_ entity: String, _ text: String) throws -> [Int] {
    let snapshot = try file.beginSnapshot()
    let query = try compile(entity, text)
    var found: [Int]?
    for number in 0..<(try query.planCount(in: snapshot)) {
      for links in LinkAccess.allCases {
        let options = PlannerOptions(access: .enumerated(number), links: links)
        let rows = try query.plan(in: snapshot, options: options).objects(in: snapshot).map { Int($0.rawValue) - 1 }
        #expect(found == nil || found == rows, "plan \(number) of '\(text)'")
        found = rows
      }
    }
    return found ?? []
  }

  func failure(_ entity: String, _ text: String) -> String { Failure.text { try compile(entity, text) } }
}

@Suite struct StructListTests {
  private func check(_ entity: String, _ facts: [(text: String, rows: [Int])]) throws {
    let trips = try Trips()
    for fact in facts {
      let found = try? trips.rows(entity, fact.text)
      #expect(found == fact.rows, "\(fact.text)\n\(trips.failure(entity, fact.text))")
    }
  }

  @Test func quantifiers() throws {
    try check(
      "Trip",
      [
        ("ANY stops.name == 'x'", [0, 1, 3]), ("stops.name == 'z'", [1]), ("ALL stops.name == 'x'", [2]),
        ("NONE stops.name == 'x'", [2]), ("ALL stops.minutes > 2", [1, 2]), ("ANY stops.minutes == nil", [0]),
        ("ALL stops.minutes != nil", [1, 2, 3]), ("ANY stops.minutes BETWEEN {4, 8}", [0]),
        ("ANY stops.minutes IN {1, 6}", [0, 3]), ("ALL stops.name IN {'x', 'y'}", [0, 2, 3]),
        ("stops.name CONTAINS 'x'", [0, 1, 3]), ("ANY stops.name LIKE '?'", [0, 1, 3]),
        ("ANY stops.place.city BEGINSWITH[c] 'o'", [3]), ("ANY stops.place.city == nil", [0, 1, 3]),
        ("ANY stops.place != nil", [0, 1, 3]), ("ALL stops.place == nil", [2]), ("'z' IN stops.name", [1]),
        ("9 IN stops.minutes", [1, 3]), ("stops.minutes > limit", [0, 1]), ("ANY stops.minutes == limit", [1, 3]),
        ("NOT ANY stops.minutes > 5", [2]), ("stops.name == {'x', 'y'}", [0]),
      ])
  }

  @Test func countsAggregatesAndPlaces() throws {
    try check(
      "Trip",
      [
        ("stops.@count == 2", [0, 1]), ("stops[SIZE] == 0", [2]), ("stops.@count > limit - 4", [0, 1]),
        ("stops.@avg.minutes == 6", [0, 1]), ("stops.@sum.minutes == 0", [2]), ("stops.@max.minutes == nil", [2]),
        ("stops.@min.name == 'x'", [0, 1, 3]), ("stops.minutes.@max == 9", [1, 3]),
        ("stops.@distinctUnionOfObjects.name.@count == 2", [0, 1, 3]), ("stops[0].name == 'x'", [0, 1, 3]),
        ("stops[1].minutes == 9", [1, 3]), ("stops[FIRST].place.city == 'Ulm'", [0]),
        ("stops[LAST].name == 'y'", [0, 3]),
        ("stops[5].name == nil", [0, 1, 2, 3]), ("stops[-1] == nil", [0, 1, 2, 3]), ("stops[0] != nil", [0, 1, 3]),
        ("stops[1].place != nil", [1]), ("stops[stops.@count - 1].minutes == 1", [3]), ("stops == nil", []),
        ("stops != nil", [0, 1, 2, 3]), ("sum(stops.minutes) == 13", [3]),
        ("TRUEPREDICATE SORT(stops.@count DESC)", [3, 0, 1, 2]),
        ("TRUEPREDICATE SORT(stops.@max.minutes DESC, code DESC)", [3, 1, 0, 2]),
        ("TRUEPREDICATE DISTINCT(stops.@count)", [0, 2, 3]), ("spare.stops.@count == 0", [0, 2, 3]),
        ("spare.stops == nil", [0, 3]), ("ANY spare.stops.name == 'q'", [1]),
        ("ALL spare.stops.name == 'q'", [0, 1, 2, 3]),
      ])
  }

  /// Where a whole cluster has none, as where some have.
  @Test func listsBehindNilHaveNoElements() throws {
    let trips = try Trips(spareless: true)
    for text in ["spare.stops.@count == 0", "spare.stops.@count < 1", "count(spare.stops) >= 0"] {
      #expect(try trips.rows("Trip", text) == [0, 1], "\(text)")
    }
    #expect(try trips.rows("Trip", "spare.stops.@count > 0") == [])
  }

  @Test func subqueriesSeeOneStruct() throws {
    try check(
      "Trip",
      [
        ("SUBQUERY(stops, $s, $s.name == 'x' AND $s.minutes > 5).@count > 0", [0, 3]),
        ("SUBQUERY(stops, $s, $s.name == 'y' AND $s.minutes > 5).@count > 0", []),
        ("ANY stops.name == 'y' AND ANY stops.minutes > 5", [0, 3]),
        ("SUBQUERY(stops, $s, $s.minutes > limit).@count == 1", [0, 1]),
        ("SUBQUERY(stops, $s, $s.name == 'x').@max.minutes == 9", [3]),
        ("SUBQUERY(stops, $s, $s.place == nil).@count == 1", [0, 1]),
        ("ANY SUBQUERY(stops, $s, $s.minutes > 2).name == 'z'", [1]),
        ("SUBQUERY(stops, $s, SUBQUERY(stops, $t, $t.name == $s.name).@count == 2).@count == 2", [3]),
        ("SUBQUERY(stops, $s, $s.place.city == 'Rom' AND $s.place.latitude < 42).@count == 1", [1]),
        ("SUBQUERY(stops, $s, $s == nil).@count == 0", [0, 1, 2, 3]),
        ("SUBQUERY(stops.place, $p, $p.longitude > 11).@count == 1", [1]),
        ("SUBQUERY(stops.place, $p, $p == nil).@count == 2", [3]),
        ("SUBQUERY(stops.place, $p, $p.city BEGINSWITH 'O').@max.latitude == 59.9", [3]),
        ("SUBQUERY(stops.place, $p, $p.longitude > limit + 4).city == 'Ulm'", [0]),
        ("stops.place.@count == 2 AND stops.place.@max.longitude > 11", [1]),
      ])
  }

  @Test func throughLinks() throws {
    try check(
      "Tour",
      [
        ("ANY trips.stops.name == 'z'", [0]), ("trips.stops.@count == 4", [0]), ("trips.stops.@count == 6", [2]),
        ("ALL trips.stops.minutes < 10", [1, 2, 3]), ("NONE trips.stops.name == 'x'", [1, 3]),
        ("trips.stops.@sum.minutes == 18", [0]),
        ("SUBQUERY(trips.stops, $s, $s.name == 'x' AND $s.minutes > 5).@count == 1", [0]),
        ("SUBQUERY(trips.stops, $s, $s.name == 'x').@max.minutes == 9", [2]),
        ("SUBQUERY(trips, $t, $t.stops.@count == 0).@count == 1", [1]),
        ("SUBQUERY(trips, $t, SUBQUERY($t.stops, $s, $s.minutes > $t.limit).@count > 0).@count == 2", [0]),
        ("best.stops.@count == 0", [1, 2, 3]), ("best.stops[0].name == 'x'", [0]), ("ANY best.stops.name == 'y'", [0]),
        ("SUBQUERY(trips.stops.place, $p, $p geoWithin geoCircle([10, 48], 100km)).@count == 1", [0]),
        ("ANY SUBQUERY(trips.stops.place, $p, $p.longitude < 11).city == 'Oslo'", [2]),
        ("SUBQUERY(trips.spare, $s, $s.n == 2).@count == 1", [1]),
        ("SUBQUERY(trips.spare, $s, $s == nil).@count == 2", [2]),
        ("SUBQUERY(trips.spare, $s, $s.stops.@count == 1).@count == 1", [0]),
        ("SUBQUERY(trips.spare, $s, ANY $s.stops.name == 'q').@count == 1", [0]),
        ("SUBQUERY(trips.spare, $s, SUBQUERY($s.stops, $t, $t.minutes == $s.n).@count == 1).@sum.n == 1", [0]),
        ("ANY trips.stops[0].minutes == 6", [0]), ("trips.stops[1].place.city == 'Rom'", [0]),
        ("ANY trips.stops[1] == nil", [1]), ("ANY trips.stops[5] != nil", []), ("trips.stops[0].@count == 2", [0, 2]),
        ("trips.stops[1].@max.minutes == 9", [0, 2]), ("trips.stops[trips.@count - 1].@max.minutes == 9", [0, 2]),
        ("trips[0].stops[0].minutes == 6", [0]), ("ALL best.stops.name == 'k'", [1, 2, 3]),
        ("ANY trips.stops.place geoWithin geoCircle([10, 48], 100km)", [0]),
        ("NONE trips.stops.place geoWithin geoCircle([10, 48], 100km)", [1, 2, 3]),
        ("ALL trips.stops.place geoWithin geoCircle([10, 48], 100km)", [1, 3]),
        ("ANY distance(trips.stops.place, [10, 48.4]) < 1", [0]),
        ("ANY trips.stops[0].place geoWithin geoCircle([10, 48], 100km)", [0]),
        ("best.stops[0].place geoWithin geoBox([10, 59], [11, 60])", [0]),
      ])
  }

  @Test func placesInStructs() throws {
    try check(
      "Trip",
      [
        ("ANY stops.place geoWithin geoCircle([10, 48], 100km)", [0]),
        ("stops.place IN geoBox([12, 41], [13, 42])", [1]),
        ("ALL stops.place geoWithin geoCircle([10, 48], 100km)", [2]),
        ("NONE stops.place geoWithin geoCircle([10, 48], 100km)", [1, 2, 3]),
        ("stops[0].place geoWithin geoCircle([10, 48], 100km)", [0]),
        ("SUBQUERY(stops, $s, $s.place geoWithin geoCircle([10, 48], 100km) AND $s.minutes == 6).@count == 1", [0]),
        ("distance(stops[0].place, [10, 48.4]) < 1", [0]), ("ANY distance(stops.place, [10, 48.4]) < 1", [0]),
        ("ALL distance(stops.place, [10, 48.4]) < 1", [2]), ("NONE distance(stops.place, [10, 48.4]) < 1", [1, 2, 3]),
      ])
  }

  /// Where the keys tell the object.
  @Test func placesInStructsOfAGroup() throws {
    let snapshot = try Trips().file.beginSnapshot()
    for (text, count) in [
      ("Trip GROUP BY code HAVING ANY stops.place geoWithin geoCircle([10, 48], 100km) SELECT code", 1),
      ("Trip GROUP BY code HAVING NONE stops.place IN geoCircle([10, 48], 100km) SELECT code", 3),
      ("Trip GROUP BY code HAVING ANY distance(stops.place, [10, 48.4]) < 1 SELECT code", 1),
      ("Tour GROUP BY SELF HAVING ANY trips.stops.place geoWithin geoCircle([10, 48], 100km) SELECT name", 1),
    ] {
      var found = 0
      try LinkedRowsTests.compiled(text, snapshot).plan(in: snapshot).found(in: snapshot).forEach { _ in
        found += 1
        return true
      }
      #expect(found == count, "\(text)")
    }
  }

  /// What is said of wrong queries: `Goldens/structs.txt`.
  @Test func everyMistakeIsNamed() throws {
    let trips = try Trips()
    try GoldenScript.run("structs") { text in
      guard text.hasPrefix("EXPLAIN ") else { return trips.failure("Trip", text) }
      do {
        let snapshot = try trips.file.beginSnapshot()
        return try trips.compile("Trip", String(text.dropFirst(8))).plan(in: snapshot).explanation.text
      } catch {
        return "\(error)"
      }
    }
  }
}
