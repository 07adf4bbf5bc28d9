import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Decimals, UUIDs and Data as keys: by their bytes they have the order of SORT and the equality of DISTINCT, in whatever
/// way they are sorted and grouped. `SEED=…` repeats a run.
@Suite struct KeyBytesTests {
  private static let types: [(type: ScalarType, expression: ExpressionType)] = [
    (.decimal, .decimal), (.uuid, .uuid), (.data, .data), (.string, .string),
  ]

  private static func value(_ type: ScalarType, _ random: inout OracleRandom) -> Value {
    switch type {
    case .decimal:
      if Int.random(in: 0..<12, using: &random) == 0 { return .decimal(.nan) }
      let magnitude = [0, 1, 10, 25, 99, 100, UInt128(UInt64.max), UInt128.max, UInt128(random.next() % 100_000)]
      let number = DecimalValue(
        isNegative: Bool.random(using: &random), magnitude: magnitude.randomElement(using: &random) ?? 0,
        exponent: Int.random(in: -6...4, using: &random))
      return .decimal(number ?? .zero)
    case .uuid:
      let words = [0, 1, UInt64.max, 1 << 63, random.next()]
      return .uuid(
        UUIDBytes(
          high: words.randomElement(using: &random) ?? 0, low: words.randomElement(using: &random) ?? 0))
    case .data:
      let bytes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
      return .data((0..<Int.random(in: 0...10, using: &random)).map { _ in bytes.randomElement(using: &random) ?? 0 })
    default:
      let letters = ["a", "b", "\u{0}", "é", "\u{10FFFF}"]
      return .string(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined())
    }
  }

  private static func bytes(_ value: Value) -> [UInt8] { KeyBytes.with(value) { Array($0) } ?? [] }

  @Test(arguments: 0..<4) func bytesHaveTheOrderOfSort(_ kind: Int) {
    let seed = testSeed() &+ UInt64(kind)
    var random = OracleRandom(seed: seed)
    let (type, expression) = Self.types[kind]
    for _ in 0..<2_000 {
      let (a, b) = (Self.value(type, &random), Self.value(type, &random))
      let (left, right) = (Self.bytes(a), Self.bytes(b))
      let order = SortOrder.compare(a, b)
      #expect(left.lexicographicallyPrecedes(right) == (order < 0), "\(a), \(b), seed \(seed)")
      #expect((left == right) == (DistinctKey.of(a) == DistinctKey.of(b)), "\(a), \(b), seed \(seed)")
      let back = left.withUnsafeBytes { KeyBytes.value($0, of: expression) }
      #expect(DistinctKey.of(back) == DistinctKey.of(a), "\(a), seed \(seed)")
    }
  }

  /// A cluster in which all are nil, behind enough objects with values, as the first key and as the second.
  @Test(arguments: 0..<4) func aClusterOfNilsComesFirst(_ kind: Int) throws {
    var random = OracleRandom(seed: testSeed() &+ UInt64(kind))
    let type = Self.types[kind].type
    let file = try StoreFile.inMemory(declaring: Self.schema(type))
    try file.write { session in
      guard let entity = session.schema.entity(named: "Item") else { return }
      for place in 0..<256 {
        _ = try session.insert([Self.value(type, &random), .int(Int64(place))], into: entity)
      }
      for place in 256..<258 { _ = try session.insert([.null, .int(Int64(place))], into: entity) }
    }
    for keys in ["SORT(k ASC)", "SORT(k ASC, n ASC)", "SORT(n - n ASC, k ASC)"] {
      let found = try GroupingTests.rows("Item WHERE TRUEPREDICATE \(keys) LIMIT(2) SELECT n", in: file)
      #expect(found == [[.int(256)], [.int(257)]], "\(keys), \(type)")
    }
    let last = try GroupingTests.rows("Item WHERE TRUEPREDICATE SORT(k DESC) LIMIT(257) SELECT n", in: file).last
    #expect(last == [.int(256)], "\(type)")
  }

  private static func schema(_ type: ScalarType) -> Schema {
    Schema(entities: [
      Entity(
        name: "Item",
        properties: [
          Property(name: "k", type: .scalar(type), isOptional: true), Property(name: "n", type: .scalar(.int)),
        ])
    ])
  }

  /// Many distinct values in one half of the clusters, few in the other: each is encoded in its own way.
  @Test(arguments: 0..<4) func sortedAndGroupedAsByComparing(_ kind: Int) throws {
    let seed = testSeed() &+ 100 &+ UInt64(kind)
    var random = OracleRandom(seed: seed)
    let type = Self.types[kind].type
    let few = (0..<5).map { _ in Self.value(type, &random) }
    let values = (0..<1_500).map { place -> Value in
      if Int.random(in: 0..<10, using: &random) == 0 { return .null }
      return place % 1_024 < 512 ? few.randomElement(using: &random) ?? .null : Self.value(type, &random)
    }
    let file = try StoreFile.inMemory(declaring: Self.schema(type))
    try file.write { session in
      guard let entity = session.schema.entity(named: "Item") else { return }
      for (place, value) in values.enumerated() { _ = try session.insert([value, .int(Int64(place))], into: entity) }
    }
    for ascending in [true, false] {
      let places = values.indices.sorted { left, right in
        let order = SortOrder.compare(values[left], values[right])
        return order == 0 ? left < right : (order < 0) == ascending
      }
      let word = ascending ? "ASC" : "DESC"
      for (tail, expected) in [
        ("SORT(k \(word))", places), ("SORT(k \(word)) LIMIT(20)", Array(places.prefix(20))),
        ("SORT(n DESC, k ASC) LIMIT(7)", Array(values.indices.reversed().prefix(7))),
        ("SORT(TERNARY(n >= 0, k, nil) \(word))", places),
      ] {
        let text = "Item WHERE TRUEPREDICATE \(tail) SELECT n"
        let found = try GroupingTests.rows(text, in: file)
        let isSame = found == expected.map { [.int(Int64($0))] }
        #expect(isSame, "\(text), \(type), seed \(seed)")
      }
    }
    var counts: [Value: Int64] = [:]
    var keys: [Value] = []
    for value in values {
      if counts[DistinctKey.of(value), default: 0] == 0 { keys.append(DistinctKey.of(value)) }
      counts[DistinctKey.of(value), default: 0] += 1
    }
    let expected: [[Value]] = keys.map { [$0, .int(counts[$0] ?? 0)] }
    for key in ["k", "TERNARY(n >= 0, k, nil)"] {
      let groups = try GroupingTests.rows("Item GROUP BY \(key) SELECT \(key), @count", in: file)
      let isSame = groups.map { [DistinctKey.of($0[0]), $0[1]] } == expected
      #expect(isSame, "\(key), \(type), seed \(seed)")
    }
  }
}
