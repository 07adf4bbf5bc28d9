import ObjectStoreCore
import Testing

/// Arguments that are more than the value of a comparison: whole conditions, points and shapes.
@Suite struct PredicateArgumentTests {
  private let quakes: Results<Quake>

  init() throws { quakes = try Quake.store().objects(Quake.self) }

  private func codes(_ text: String, _ arguments: (any QueryArgument)?...) throws -> [String] {
    try quakes.filter(text, arguments: Arguments(arguments)).values(of: \.code)
  }

  @Test func aBoolStandsForACondition() throws {
    #expect(try codes("%@ AND magnitude > 5", true) == ["us1", "us4"])
    #expect(try codes("%@ AND magnitude > 5", false).isEmpty)
    #expect(try codes("magnitude > $0 AND (NOT $1 OR felt != nil)", 5, true) == ["us1"])
    #expect(try codes("magnitude > $0 AND (NOT $1 OR felt != nil)", 5, false) == ["us1", "us4"])
    #expect(try quakes.filter("%@", true).count == 5)
    #expect(try quakes.filter("$all OR felt == 3", ["all": false]).count == 2)
    #expect(try codes("TERNARY(%@, magnitude, felt) > 5", true) == ["us1", "us4"])
    // The same text with other arguments, again and again.
    for value in [2.0, 5.0, 6.0, 2.0] {
      for isOn in [true, false, true] {
        let expected = isOn ? Quake.five.filter { $0.magnitude > value }.map(\.code) : []
        #expect(try codes("magnitude > %@ AND %@", value, isOn) == expected)
      }
    }
    let query = try Query<Quake>("$isStrong AND magnitude > 5")
    #expect(try quakes.filter(query.bind(["isStrong": true])).count == 2)
    #expect(try query.bind(["isStrong": true]).matches(Quake("a", 6)))
    #expect(try quakes.filter("%@ AND magnitude > 5", true).predicateFormat == "TRUE AND magnitude > 5")
  }

  @Test func anotherValueIsNoCondition() throws {
    for argument: (any QueryArgument)? in ["x", 1, nil, [true]] {
      let error = #expect(throws: QueryError.self) { try codes("%@ AND magnitude > 5", argument) }
      #expect(error?.code == "placeholder-as-predicate", "\(String(describing: argument))")
    }
    let error = #expect(throws: QueryError.self) { try codes("%@ AND magnitude > 5", "x") }
    #expect(
      error?.message == "'%@' is a whole condition here, so its argument must be TRUE or FALSE, not String")
    #expect(#expect(throws: QueryError.self) { try codes("%@") }?.code == "missing-argument")
    #expect(
      #expect(throws: QueryError.self) { try quakes.filter("$a", ["a": 5]) }?.code == "placeholder-as-predicate")
  }

  @Test func pointsAndRingsAreArguments() throws {
    #expect(try codes("place IN geoCircle(%@, %@ km)", [-150.0, 61.0], 150) == ["ak2", "us4"])
    #expect(try codes("place IN geoCircle(%@, 150km)", [-150, 61]) == ["ak2", "us4"])
    #expect(try codes("place IN geoCircle([%@, %@], %@)", -150, 61, 0.03) == ["ak2", "us4"])
    #expect(try codes("place IN geoBox(%@, %@)", [-125, 30], [-110, 40]) == ["ci3", "nc5"])
    let ring = [[-125.0, 30], [-110, 30], [-110, 40], [-125, 40]]
    let hole = [[-123.0, 37], [-121, 37], [-121, 39], [-123, 39]]
    #expect(try codes("place IN geoPolygon(%@)", ring) == ["ci3", "nc5"])
    #expect(try codes("place IN geoPolygon(%@, %@)", ring, hole) == ["ci3"])
    #expect(try codes("place IN geoPolygon($0, {[-123, 37], [-121, 37], [-121, 39], [-123, 39]})", ring) == ["ci3"])
    let polygon = try Query<Quake>("place geoWithin geoPolygon($ring)")
    #expect(try quakes.filter(polygon.bind(["ring": ring])).count == 2)
    #expect(try Query<Quake>(polygon.predicateFormat) == polygon)
    let wrong: [(any QueryArgument)?] = [5, "x", nil, [[1.0, 2]], [1.0, 2.0]]
    for argument in wrong {
      #expect(throws: QueryError.self, "\(String(describing: argument))") {
        try codes("place IN geoPolygon(%@)", argument)
      }
    }
  }

  @Test func aBareRadiusOverPiIsRefused() throws {
    func fix(_ text: String, _ arguments: (any QueryArgument)?...) throws -> String? {
      let error = #expect(throws: QueryError.self) { try quakes.filter(text, arguments: Arguments(arguments)) }
      let diagnostic = try #require(error?.diagnostics.first)
      #expect(diagnostic.code == .badShape && diagnostic.message.contains("radians"))
      guard let fix = diagnostic.fixes.first else { return nil }
      var mended = Array(text.utf8)
      mended.replaceSubrange(fix.range.lowerBound..<fix.range.upperBound, with: fix.replacement.utf8)
      let text = String(decoding: mended, as: UTF8.self)
      _ = try quakes.filter(text, arguments: Arguments(arguments))
      return text
    }
    #expect(try fix("place IN geoCircle([-150, 61], 100)") == "place IN geoCircle([-150, 61], 100km)")
    #expect(try fix("place IN geoCircle([-150, 61], 5.5)") == "place IN geoCircle([-150, 61], 5.5km)")
    #expect(try fix("place IN geoCircle([-150, 61], %@)", 100) == "place IN geoCircle([-150, 61], %@ km)")
    #expect(try fix("place IN geoCircle([-150, 61], 50 + 50)") == "place IN geoCircle([-150, 61], 50 + 50 km)")
    #expect(try quakes.filter("place IN geoCircle([-150, 61], 3.14159265)").count == 5)
    let circle = GeoCircle(center: (-150, 61), radius: .radians(100))
    let typed = #expect(throws: QueryError.self) { try quakes.where { $0.place.geoWithin(circle) }.count }
    #expect(typed?.message.contains("radians") == true)
    #expect(throws: QueryError.self) { try quakes.filter("place IN %@", circle) }
  }

  @Test func unsignedNumbersAndEnumsInSwift() throws {
    let store = try Store.inMemory(Offer.self, Chore.self)
    var (car, boat) = (Offer("car"), Offer("boat"))
    (car.tiny, car.small, car.medium, car.big, car.whole) = (255, 7, UInt32.max, 1 << 60, 5)
    (car.sizes, boat.small) = ([1, 9], 8)
    try store.write { tx in
      _ = try tx.add([car, boat])
      _ = try tx.add([Chore("a", .open, .low), Chore("b", .done, .high), Chore("c", .waiting)])
    }
    let (offers, chores) = (store.objects(Offer.self), store.objects(Chore.self))
    func names(_ query: (QueryExpression<Offer>) -> QueryExpression<Bool>) throws -> [String] {
      try offers.where(query).values(of: \.name)
    }
    #expect(try names { $0.tiny == .max && $0.small < 8 } == ["car"])
    #expect(try names { $0.medium > 1_000_000 } == ["car"])
    #expect(try names { $0.big.contains(1...(1 << 61)) } == ["car"])
    #expect(try names { $0.small.contains(8..<9) } == ["boat"])
    #expect(try names { $0.small + 1 == 9 || $0.whole * 2 == 10 } == ["car", "boat"])
    #expect(try names { $0.sizes.contains(9) && $0.sizes.max == 9 && $0.sizes.avg == 5 } == ["car"])
    #expect(try names { $0.sizes.sum == 10 } == ["car"])
    #expect(try names { $0.big < .max } == ["car", "boat"])
    func chore(_ query: (QueryExpression<Chore>) -> QueryExpression<Bool>) throws -> [String] {
      try chores.where(query).values(of: \.name)
    }
    #expect(try chore { $0.status == .open } == ["a"])
    #expect(try chore { $0.status != .open && $0.rank == .high } == ["b"])
    #expect(try chore { $0.status.in([.open, .waiting]) } == ["a", "c"])
    #expect(try chore { $0.rank == nil } == ["c"])
    #expect(try chore { $0.rank.in([.low, nil]) } == ["a", "c"])
    #expect(try chores.grouped(by: \.status, \.rank).having { $0.key.0 == .done }.counts().map(\.key.1) == [.high])
  }
}
