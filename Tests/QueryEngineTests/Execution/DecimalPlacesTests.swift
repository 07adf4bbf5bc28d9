import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Decimals that are stored as integers, as bytes, as one for a cluster, or in each way in some clusters: filters, sorts,
/// aggregates and groups are those of the values themselves. `SEED=…` repeats a run.
@Suite struct DecimalPlacesTests {
  /// What the values of a cluster are like.
  private enum Kind: CaseIterable {
    case prices, coarse, wide, edges, long, same, nils, notNumbers
  }

  private static func value(_ kind: Kind, _ random: inout OracleRandom) -> Value {
    func number(_ magnitude: UInt128, _ exponent: Int) -> Value {
      .decimal(
        DecimalValue(isNegative: Bool.random(using: &random), magnitude: magnitude, exponent: exponent) ?? .zero)
    }
    if Int.random(in: 0..<20, using: &random) == 0 { return .null }
    switch kind {
    case .prices: return number(UInt128(Int.random(in: 0..<100_000, using: &random)), -2)
    case .coarse: return number(UInt128(Int.random(in: 0..<300, using: &random)), Int.random(in: 0...3, using: &random))
    case .wide: return number(UInt128(random.next() >> 20), Int.random(in: -9...0, using: &random))
    case .edges:
      return number([0, 1, 1 << 63, 1 << 63 - 1, 1 << 62].randomElement(using: &random) ?? 0, -2)
    case .long: return number(UInt128(random.next()) << 60, -30)
    case .same: return .decimal(DecimalValue("12.5") ?? .zero)
    case .nils: return .null
    case .notNumbers:
      return Int.random(in: 0..<4, using: &random) == 0
        ? .decimal(.nan) : number(UInt128(Int.random(in: 0..<1_000, using: &random)), -1)
    }
  }

  private static func store(_ values: [Value]) throws -> StoreFile {
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: [
          Property(name: "d", type: .scalar(.decimal), isOptional: true), Property(name: "n", type: .scalar(.int)),
          Property(name: "g", type: .scalar(.int)),
        ])
    ])
    let file = try StoreFile.inMemory(declaring: schema)
    try file.write { session in
      guard let entity = session.schema.entity(named: "Item") else { return }
      for (place, value) in values.enumerated() {
        _ = try session.insert([value, .int(Int64(place)), .int(Int64(place % 3))], into: entity)
      }
    }
    return file
  }

  @Test(arguments: 0..<12) func asTheValuesThemselves(_ run: Int) throws {
    let seed = testSeed() &+ UInt64(run)
    var random = OracleRandom(seed: seed)
    // In every third run all clusters can be read as integers with the same number of places.
    let kinds: [Kind] = run % 3 == 0 ? [.prices, .coarse, .same, .nils] : Kind.allCases
    let values = (0..<6).flatMap { _ -> [Value] in
      let kind = kinds.randomElement(using: &random) ?? .prices
      return (0..<256).map { _ in Self.value(kind, &random) }
    }
    let file = try Self.store(values)
    func rows(_ text: String) throws -> [[Value]] { try GroupingTests.rows("Item WHERE \(text)", in: file) }
    func numbers(_ places: some Sequence<Int>) -> [[Value]] { places.map { [.int(Int64($0))] } }
    func number(_ place: Int) -> DecimalValue? {
      if case .decimal(let number) = values[place], !number.isNaN { number } else { nil }
    }
    let there = values.indices.filter { number($0) != nil }
    let constants =
      (0..<6).compactMap { _ in there.randomElement(using: &random).flatMap(number) }
      + ["0", "12.5", "12.505", "-12.4", "1e60", "-1e-60", "92233720368547758.07"].compactMap { DecimalValue($0) }
    for constant in constants {
      for (comparator, holds) in [
        ("<", { $0 < 0 }), ("<=", { $0 <= 0 }), (">", { $0 > 0 }), (">=", { $0 >= 0 }), ("==", { $0 == 0 }),
      ] as [(String, (Int) -> Bool)] {
        let expected = there.filter { place in
          number(place).flatMap { DecimalValue.compare($0, constant) }.map(holds) ?? false
        }
        let text = "d \(comparator) decimal('\(constant)')"
        let isSame = try rows("\(text) SELECT n") == numbers(expected)
        #expect(isSame, "\(text), seed \(seed)")
      }
    }
    for count in [2, 20] {
      let members = (0..<count).compactMap { _ in constants.randomElement(using: &random) }
      let text = "d IN {\(members.map { "decimal('\($0)')" }.joined(separator: ", "))}"
      let expected = there.filter { place in members.contains { $0 == number(place) } }
      let isSame = try rows("\(text) SELECT n") == numbers(expected)
      #expect(isSame, "\(text), seed \(seed)")
    }
    try expectArithmetic(values, constants, file, seed)
    for (word, ascending) in [("ASC", true), ("DESC", false)] {
      let expected = values.indices.sorted { left, right in
        let order = SortOrder.compare(values[left], values[right])
        return order == 0 ? left < right : (order < 0) == ascending
      }
      let isSame = try rows("TRUEPREDICATE SORT(d \(word)) SELECT n") == numbers(expected)
      let isFirst = try rows("TRUEPREDICATE SORT(d \(word)) LIMIT(9) SELECT n") == numbers(expected.prefix(9))
      #expect(isSame && isFirst, "\(word), seed \(seed)")
    }
    func totals(_ places: [Int]) -> [Value] {
      let sum = OracleDecimalSum(places.compactMap(number))
      let sorted = places.compactMap(number).sorted { (DecimalValue.compare($0, $1) ?? 0) < 0 }
      return [sum.value, sum.average, sorted.first, sorted.last].map { $0.map(Value.decimal) ?? .null }
    }
    let words = "@sum.d, @avg.d, @min.d, @max.d"
    let all = try rows("TRUEPREDICATE SELECT \(words)")
    #expect(all == [totals(Array(values.indices))], "seed \(seed)")
    let snapshot = try file.beginSnapshot()
    let plan = try CompiledQuery(QueryDescription(entity: "Item"), schema: snapshot.schema).plan(in: snapshot)
    let whole = try [.sum, .average, .minimum, .maximum].map { (function: AggregateFunction) in
      try plan.aggregate(function, column: 0, in: snapshot)
    }
    #expect(whole == totals(Array(values.indices)), "seed \(seed)")
    let groups = try rows("TRUEPREDICATE GROUP BY g SELECT \(words)")
    let isGrouped = groups == (0..<3).map { group in totals(values.indices.filter { $0 % 3 == group }) }
    #expect(isGrouped, "seed \(seed)")
    let distinct = Set(values.map(DistinctKey.of))
    #expect(try rows("TRUEPREDICATE GROUP BY d SELECT @count").count == distinct.count, "seed \(seed)")
  }

  /// Sums, differences, products, quotients and signs: in filters, with whole numbers, and as keys.
  private func expectArithmetic(
    _ values: [Value], _ constants: [DecimalValue], _ file: StoreFile, _ seed: UInt64
  ) throws {
    func check(_ text: String, _ value: (Int) -> Value, _ holds: (Value) -> Bool) throws {
      let found = try GroupingTests.rows("Item WHERE \(text) SELECT n", in: file)
      let expected = values.indices.filter { holds(value($0)) }.map { [Value.int(Int64($0))] }
      let isSame = found == expected
      #expect(isSame, "\(text), seed \(seed)")
    }
    for (place, constant) in constants.enumerated() {
      let other = constants[(place + 1) % constants.count]
      let (literal, second) = ("decimal('\(constant)')", "decimal('\(other)')")
      func isMore(_ value: Value) -> Bool { (ValueOrder.compare(value, .decimal(other)) ?? 0) > 0 }
      for (symbol, operation) in [
        ("+", .add), ("-", .subtract), ("*", .multiply), ("/", .divide),
      ] as [(String, BinaryOperator)] {
        try check("d \(symbol) \(literal) > \(second)") {
          Arithmetic.apply(operation, values[$0], .decimal(constant))
        } _: {
          isMore($0)
        }
        try check("n \(symbol) d > \(second)") {
          Arithmetic.apply(operation, .int(Int64($0)), values[$0])
        } _: {
          isMore($0)
        }
      }
      try check("-d > \(second)", { Arithmetic.negate(values[$0]) }, isMore)
    }
    try check("d * d == d", { values[$0] }) {
      ValueOrder.areEqual(Arithmetic.apply(.multiply, $0, $0), $0) || $0.isNull
    }
    try check("d + 0.5 >= 12.75", { Arithmetic.apply(.add, values[$0], .decimal(DecimalValue("0.5") ?? .nan)) }) {
      (ValueOrder.compare($0, .double(12.75)) ?? -1) >= 0
    }
    let sorted = values.indices.sorted { left, right in
      let order = SortOrder.compare(
        Arithmetic.apply(.multiply, values[left], .int(-3)), Arithmetic.apply(.multiply, values[right], .int(-3)))
      return order == 0 ? left < right : order < 0
    }
    let found = try GroupingTests.rows("Item WHERE TRUEPREDICATE SORT(d * -3 ASC) SELECT n", in: file)
    let isSame = found == sorted.map { [.int(Int64($0))] }
    #expect(isSame, "SORT(d * -3), seed \(seed)")
    let groups = try GroupingTests.rows("Item GROUP BY d * 2 SELECT @count", in: file)
    let doubled = Set(values.map { DistinctKey.of(Arithmetic.apply(.multiply, $0, .int(2))) })
    #expect(groups.count == doubled.count, "seed \(seed)")
  }

  /// The bounds of integers for each number of places hold just the numbers of the interval.
  @Test func intervalsAreThoseOfTheIntegers() {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    for _ in 0..<3_000 {
      let kind = [Kind.prices, .coarse, .wide, .edges, .long].randomElement(using: &random) ?? .prices
      guard case .decimal(let end) = Self.value(kind, &random) else { continue }
      let places = Int.random(in: NumberBlock.exactExponents, using: &random)
      let isIncluded = Bool.random(using: &random)
      let bound: ValueInterval.Bound = isIncluded ? .included(.decimal(end)) : .excluded(.decimal(end))
      let near = end.shifted(places).rounded(.down)?.integer ?? 0
      for shift in [-2, -1, 0, 1, 2] as [Int64] {
        let whole = near.addingReportingOverflow(shift).partialValue
        let order = DecimalValue.compare(DecimalValue(whole, places: places), end) ?? 0
        for (interval, holds) in [
          (ValueInterval(lower: bound), order > 0 || isIncluded && order == 0),
          (ValueInterval(upper: bound), order < 0 || isIncluded && order == 0),
        ] {
          let range = ClosedRanges.integers(interval, places: places)
          let isInside = range.map { $0.lower <= whole && whole <= $0.upper } ?? false
          #expect(isInside == holds, "\(whole) over 10^\(places), \(bound), seed \(seed)")
        }
      }
    }
  }
}
