import Schema
import Storage
import Testing
import Values

@Suite struct IndexKeyTests {
  /// A range covers another where every key of that, of all there can be, lies in it.
  @Test func coveringIsToHaveAllKeys() {
    let keys: [[UInt8]] = [[1], [1, 0], [1, 0, 0], [2], [2, 255], [3]]
    var bounds: [IndexKeyRange.Bound] = [.unbounded]
    for key in keys { bounds += [.included(key), .excluded(key)] }
    let ranges = bounds.flatMap { lower in bounds.map { IndexKeyRange(lower: lower, upper: $0) } }
    let asked = keys + [[], [0], [1, 0, 7], [1, 1], [2, 0], [2, 255, 0], [4]]
    var covered = 0
    for range in ranges {
      for other in ranges where range.covers(other) {
        covered += 1
        #expect(asked.allSatisfy { !other.contains($0) || range.contains($0) }, "\(range) \(other)")
      }
      #expect(range.covers(range) && IndexKeyRange.all.covers(range))
    }
    #expect(covered > 1_000)
    let wide = IndexKeyRange(lower: .excluded([1]), upper: .excluded([3]))
    #expect(wide.covers(IndexKeyRange(lower: .included([1, 0]), upper: .included([2]))))
    #expect(!wide.covers(IndexKeyRange(lower: .included([1]), upper: .included([2]))))
    #expect(!wide.covers(IndexKeyRange(lower: .excluded([1]), upper: .included([3]))))
    #expect(!wide.covers(IndexKeyRange(lower: .excluded([1]), upper: .unbounded)))
  }

  /// The sort order of the language, written down as plainly as can be.
  static func order(_ a: Value, _ b: Value) -> Int {
    func rank(_ value: Value) -> Int {
      switch value {
      case .null: 0
      case .double(let number): number.isNaN ? 1 : 2
      case .float(let number): number.isNaN ? 1 : 2
      case .date(let moment): moment.seconds.isNaN ? 1 : 2
      case .decimal(let number): number.isNaN ? 1 : 2
      default: 2
      }
    }
    func compare<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }
    func compareBytes(_ a: [UInt8], _ b: [UInt8]) -> Int {
      a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
    }
    guard rank(a) == 2, rank(b) == 2 else { return compare(rank(a), rank(b)) }
    return switch (a, b) {
    case (.bool(let a), .bool(let b)): compare(a ? 1 : 0, b ? 1 : 0)
    case (.int(let a), .int(let b)): compare(a, b)
    case (.double(let a), .double(let b)): compare(a, b)
    case (.float(let a), .float(let b)): compare(a, b)
    case (.decimal(let a), .decimal(let b)): DecimalValue.compare(a, b) ?? 0
    case (.date(let a), .date(let b)): compare(a.seconds, b.seconds)
    case (.uuid(let a), .uuid(let b)): compare(a, b)
    case (.string(let a), .string(let b)): compareBytes(Array(a.utf8), Array(b.utf8))
    case (.data(let a), .data(let b)): compareBytes(a, b)
    default: 0
    }
  }

  static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
  }

  static func randomValue(_ type: ScalarType, _ random: inout RandomValues) -> Value {
    switch Int.random(in: 0..<12, using: &random.generator) {
    case 0: return .null
    case 1:
      switch type {
      case .string:
        return .string(["", "\0", "\0\0", "a\0", "a", "a\u{1}", "é"].randomElement(using: &random.generator) ?? "")
      case .data: return .data([[0], [0, 0xFF], [0, 0], [0xFF], []].randomElement(using: &random.generator) ?? [])
      case .int: return .int([.min, .max, 0, -1, 1].randomElement(using: &random.generator) ?? 0)
      default: break
      }
    default: break
    }
    return random.value(type, RandomValues.Shape.allCases.randomElement(using: &random.generator) ?? .any)
  }

  @Test(arguments: ScalarType.allCases) func keysOrderAsValues(_ type: ScalarType) {
    var random = RandomValues(generator: SeededGenerator(seed: 11))
    for _ in 0..<3000 {
      let a = Self.randomValue(type, &random)
      let b = Self.randomValue(type, &random)
      let keys = (IndexKey.encode([a], types: [type]), IndexKey.encode([b], types: [type]))
      if Self.order(keys.0, keys.1) != Self.order(a, b) { Issue.record("\(a) and \(b)") }
    }
  }

  @Test(arguments: 0..<40) func tuplesOrderByTheFirstThatDiffers(_ run: Int) {
    var random = RandomValues(generator: SeededGenerator(seed: UInt64(run)))
    let types = (0..<3).map { _ in ScalarType.allCases.randomElement(using: &random.generator) ?? .int }
    for _ in 0..<300 {
      let a = types.map { Self.randomValue($0, &random) }
      var b = types.map { Self.randomValue($0, &random) }
      for index in 0..<Int.random(in: 0...3, using: &random.generator) { b[index] = a[index] }
      let expected = zip(a, b).map { Self.order($0, $1) }.first { $0 != 0 } ?? 0
      let (left, right) = (IndexKey.encode(a, types: types), IndexKey.encode(b, types: types))
      #expect(Self.order(left, right) == expected, "\(a) and \(b)")
      let count = Int.random(in: 0...3, using: &random.generator)
      let prefix = IndexKey.encode(Array(a.prefix(count)), types: types)
      #expect(left.starts(with: prefix))
      let shares = zip(a, b).prefix(count).allSatisfy { Self.order($0, $1) == 0 }
      #expect(right.starts(with: prefix) == shares)
    }
  }

  @Test(arguments: ScalarType.allCases) func keysReadBack(_ type: ScalarType) {
    var random = RandomValues(generator: SeededGenerator(seed: 5))
    for _ in 0..<1000 {
      let values = [Self.randomValue(type, &random), Self.randomValue(type, &random)]
      let key = IndexKey.encode(values, types: [type, type])
      let decoded = key.withUnsafeBytes { IndexKey.decode($0, types: [type, type]) } ?? []
      #expect(decoded.count == 2 && zip(decoded, values).allSatisfy { Self.order($0, $1) == 0 })
      // A key that was cut stands for nothing.
      for length in 0..<key.count {
        let cut = Array(key[..<length])
        if cut.withUnsafeBytes({ IndexKey.decode($0, types: [type, type]) }) != nil {
          Issue.record("\(values) cut to \(length)")
        }
      }
    }
  }

  @Test func longKeysKeepTheirBeginningAndAHash() {
    let long = String(repeating: "x", count: 600)
    let keys = [long, long + "a", long + "b"].map { IndexKey.encode([.string($0)], types: [.string]) }
    #expect(Set(keys).count == 3)
    for key in keys {
      #expect(key.count == 500 && IndexKey.isShortened(key))
      #expect(key.starts(with: [1] + Array(long.utf8.prefix(483))))
    }
    for count in 480..<520 {
      let key = IndexKey.encode([.string(String(repeating: "y", count: count))], types: [.string])
      #expect(key.count <= 500 && IndexKey.isShortened(key) == (count + 3 >= 500))
    }
    #expect(IndexKey.encode([.string(long)], types: [.string]) == keys[0])
  }

  @Test func negativeZeroAndNaN() {
    let types: [ScalarType] = [.double]
    #expect(IndexKey.encode([.double(-0.0)], types: types) == IndexKey.encode([.double(0)], types: types))
    let otherNaN = Double(bitPattern: 0xFFF8_0000_0000_0001)
    #expect(IndexKey.encode([.double(.nan)], types: types) == IndexKey.encode([.double(otherNaN)], types: types))
  }

  /// Every range holds just the keys whose values it describes; one that says it is approximate may hold more.
  @Test(arguments: 0..<120) func rangesHoldWhatTheyDescribe(_ run: Int) {
    var random = RandomValues(generator: SeededGenerator(seed: UInt64(run) + 31))
    let types = (0..<3).map { _ in ScalarType.allCases.randomElement(using: &random.generator) ?? .int }
    let isLong = run % 4 == 0
    func value(_ type: ScalarType, _ random: inout RandomValues) -> Value {
      if isLong, type == .string, Bool.random(using: &random.generator) {
        return .string(
          String(repeating: "z", count: Int.random(in: 470...505, using: &random.generator))
            + ["", "a", "b"][Int.random(in: 0..<3, using: &random.generator)])
      }
      return Self.randomValue(type, &random)
    }
    let rows = (0..<120).map { _ in types.map { value($0, &random) } }
    for _ in 0..<40 {
      let sample = rows.randomElement(using: &random.generator) ?? []
      let count = Int.random(in: 0...3, using: &random.generator)
      let prefix = Array(sample.prefix(count))
      check(.equal(to: prefix, types: types), rows, types) { row in
        zip(row, prefix).allSatisfy { Self.order($0, $1) == 0 }
      }
      guard count < 3 else { continue }
      let low = Bool.random(using: &random.generator) ? value(types[count], &random) : nil
      let high = Bool.random(using: &random.generator) ? value(types[count], &random) : nil
      let lower = low.map { IndexKeyRange.End($0, isIncluded: Bool.random(using: &random.generator)) }
      let upper = high.map { IndexKeyRange.End($0, isIncluded: Bool.random(using: &random.generator)) }
      check(.between(lower, upper, after: prefix, types: types), rows, types) { row in
        guard zip(row, prefix).allSatisfy({ Self.order($0, $1) == 0 }) else { return false }
        func isNothing(_ value: Value) -> Bool { Self.order(value, .double(.nan)) <= 0 }
        let value = row[count]
        if isNothing(value) || [lower, upper].contains(where: { $0.map { isNothing($0.value) } ?? false }) {
          return false
        }
        let least = lower.map { $0.isIncluded ? 0 : 1 } ?? -1
        let most = upper.map { $0.isIncluded ? 0 : -1 } ?? 1
        return (lower.map { Self.order(value, $0.value) } ?? 0) >= least
          && (upper.map { Self.order(value, $0.value) } ?? 0) <= most
      }
    }
  }

  private func check(
    _ range: IndexKeyRange, _ rows: [[Value]], _ types: [ScalarType], _ holds: ([Value]) -> Bool
  ) {
    for row in rows {
      let key = IndexKey.encode(row, types: types)
      let isIn = range.contains(key)
      if holds(row) != isIn, !(isIn && range.isApproximate) {
        Issue.record("\(row) is \(isIn ? "there" : "missing")")
      }
    }
  }

  @Test func prefixesOfText() {
    let types: [ScalarType] = [.string]
    let texts = ["", "a", "ab", "ab\0", "abc", "b", "aé", "a\0b"]
    for needle in texts {
      let range = Array(needle.utf8).withUnsafeBytes { IndexKeyRange.text(beginningWith: $0, types: types) }
      for text in texts {
        let isPrefix = Array(text.utf8).starts(with: Array(needle.utf8))
        #expect(range.contains(IndexKey.encode([.string(text)], types: types)) == isPrefix, "\(needle) \(text)")
      }
      #expect(!range.contains(IndexKey.encode([.null], types: types)))
    }
  }

  @Test func upperBoundsOfPrefixes() {
    #expect(IndexKey.encodePrefixUpperBound([1, 2]) == [1, 3])
    #expect(IndexKey.encodePrefixUpperBound([1, 0xFF]) == [2])
    #expect(IndexKey.encodePrefixUpperBound([0xFF]) == nil)
    #expect(IndexKey.encodePrefixUpperBound([]) == nil)
  }
}
