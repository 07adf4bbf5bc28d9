import Schema
import Testing
import Values

@testable import QueryEngine

/// Places asked for in queries.
@Suite struct PlaceQueryTests {
  static let cities: [(name: String, longitude: Double, latitude: Double)] = [
    ("Berlin", 13.405, 52.52), ("Hamburg", 9.993, 53.551), ("Munich", 11.582, 48.135), ("Paris", 2.3522, 48.8566),
    ("Suva", 178.4419, -18.1416), ("Apia", -171.76, -13.84), ("Pole", 0, 90), ("Nowhere", 5, 91), ("NaN", .nan, 1),
    ("Around", 373.405, 52.52), ("East", 190, 0),
  ]

  static func store() throws -> TestStore {
    let point = Entity(
      name: "Place",
      properties: ["altitude", "longitude", "latitude"].map { Property(name: $0, type: .scalar(.double)) })
    let city = Entity(
      name: "City",
      properties: [
        Property(name: "name", type: .scalar(.string)),
        Property(name: "at", type: .embedded("Place"), isOptional: true),
        Property(name: "home", type: .embedded("Place")), Property(name: "size", type: .embedded("Size")),
        Property(name: "x", type: .scalar(.double)), Property(name: "y", type: .scalar(.double)),
      ])
    let size = Entity(name: "Size", properties: [Property(name: "longitude", type: .scalar(.double))])
    let rows = cities.map { city -> [Value] in
      [
        .string(city.name), .bool(true), .double(7), .double(city.longitude), .double(city.latitude), .double(0),
        .double(city.longitude), .double(city.latitude), .double(0), .double(city.longitude), .double(city.latitude),
      ]
    }
    let without: [Value] = [.string("?"), .null, .null, .null, .null] + [1, 2, 3, 4, 5, 6].map { .double($0) }
    return try TestStore(Schema(entities: [city], embedded: [point, size]), rows: rows + [without])
  }

  private func names(_ text: String, _ arguments: [Value] = []) throws -> [String] {
    let names = Self.cities.map(\.name) + ["?"]
    return try Self.store().rows(text, arguments).map { names[$0] }
  }

  @Test(arguments: [
    ("at IN geoCircle([13.405, 52.52], 300km)", ["Berlin", "Hamburg"]),
    ("at geoWithin geoCircle([13.405, 52.52], 0)", ["Berlin"]),
    ("at IN geoCircle([13.405, 52.52], 160mi)", ["Berlin", "Hamburg"]),
    ("at IN geoCircle([13.405, 52.52], 255000m)", ["Berlin"]),
    ("at IN geoCircle([13.405, 52.52], 0.05)", ["Berlin", "Hamburg"]),
    ("at IN geoCircle([0, 90], 4200km)", ["Berlin", "Hamburg", "Pole"]),
    ("at IN geoBox([170, -20], [-170, 0])", ["Suva", "Apia", "East"]),
    ("at IN geoBox([-180, -90], [180, 90])", ["Berlin", "Hamburg", "Munich", "Paris", "Suva", "Apia", "Pole", "East"]),
    ("at IN geoBox([100, 50], [110, 90])", ["Pole"]),
    ("NOT at IN geoBox([-180, -90], [180, 90])", ["Nowhere", "NaN", "Around", "?"]),
    ("at IN geoPolygon({[0, 45], [15, 45], [15, 55], [0, 55]})", ["Berlin", "Hamburg", "Munich", "Paris"]),
    (
      "at IN geoPolygon({[0, 45], [15, 45], [15, 55], [0, 55]}, {[1, 47], [4, 47], [4, 50], [1, 50]})",
      ["Berlin", "Hamburg", "Munich"]
    ),
    ("[x, y] IN geoBox([0, 45], [15, 60]) AND [x + 1, y - 1] IN geoBox([10, 50], [15, 55])", ["Berlin", "Hamburg"]),
    ("[13, 52] IN geoBox([0, 45], [15, 60]) AND name == 'Berlin'", ["Berlin"]),
    ("distance(at, [13.405, 52.52]) < 300000", ["Berlin", "Hamburg"]),
    ("distance(at, [13.405, 52.52]) == nil", ["Nowhere", "NaN", "Around", "?"]),
    ("distance(at, home) == 0 AND name BEGINSWITH 'B'", ["Berlin"]),
    ("at.latitude > 40 SORT(distance(at, [2.3522, 48.8566]) DESC) LIMIT(3)", ["Pole", "Berlin", "Hamburg"]),
  ])
  func found(_ text: String, _ expected: [String]) throws {
    #expect(try names(text) == expected)
  }

  @Test func argumentsStandForPointsAndNumbers() throws {
    let center = Value.list([.double(13.405), .double(52.52)])
    #expect(try names("at IN geoCircle(%@, %@ km)", [center, .int(300)]) == ["Berlin", "Hamburg"])
    #expect(
      try names("at IN geoBox([%@, %@], %@)", [.int(170), .int(-20), .list([.int(-170), .int(0)])])
        == ["Suva", "Apia", "East"])
    let corners = [(0, 45), (15, 45), (15, 55), (0, 55)].map { Value.list([.int($0.0), .int($0.1)]) }
    #expect(try names("at IN geoPolygon({%@})", [.list(corners)]) == ["Berlin", "Hamburg", "Munich", "Paris"])
    #expect(try names("distance(at, %@) < 300000", [center]) == ["Berlin", "Hamburg"])
  }

  @Test func mistakesAreNamed() throws {
    let store = try Self.store()
    try GoldenScript.run("places") { store.failure($0) }
  }
}
