import Foundation
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Keys of SORT against the plainest way to put words in order. `SEED=…` repeats a run.
@Suite struct SortKeysTests {
  private static let seed = testSeed()

  /// nil and NaN, or a word.
  private enum Key: Equatable { case null, nan, word(UInt64) }

  /// Whether one comes before another, ascending: nil, NaN, words.
  private static func comesBefore(_ left: Key, _ right: Key) -> Bool {
    switch (left, right) {
    case (.word(let a), .word(let b)): a < b
    case (.null, .nan), (.null, .word), (.nan, .word): true
    default: false
    }
  }

  @Test(arguments: 0..<60) func ordersOfWords(_ run: Int) throws {
    let seed = Self.seed &+ UInt64(run)
    var random = OracleRandom(seed: seed)
    let count = [0, 1, 2, 63, 64, 300, 3_000].randomElement(using: &random) ?? 0
    let bits = UInt64.random(in: 0...64, using: &random)
    let most = bits == 64 ? .max : (UInt64(1) << bits) - 1
    let base = UInt64.random(in: 0...(.max - most), using: &random)
    let rarity = [0, 3, 50].randomElement(using: &random) ?? 0
    let keys = (0..<count).map { _ -> Key in
      if rarity > 0, Int.random(in: 0..<rarity, using: &random) == 0 {
        return Bool.random(using: &random) ? .null : .nan
      }
      // The ends of what there is are met as well.
      let word = [0, most, most / 2, UInt64.random(in: 0...most, using: &random)].randomElement(using: &random) ?? 0
      return .word(base + word)
    }
    // What nil has for a word means nothing.
    let words = keys.map {
      if case .word(let word) = $0 { word } else { UInt64.random(in: 0 ... .max, using: &random) }
    }
    let nulls = keys.indices.filter { keys[$0] == .null }
    let nans = keys.indices.filter { keys[$0] == .nan }
    let given = Array(keys.indices).shuffled(using: &random)
    var object: UInt64 = [0, 1, 1 << 40, 1 << 60].randomElement(using: &random) ?? 0
    let objects = keys.map { _ -> UInt64 in
      object += UInt64.random(in: 1...3, using: &random)
      return object
    }
    for ascending in [true, false] {
      func inOrder(_ places: [Int]) -> [Int] {
        places.enumerated().sorted { left, right in
          let (a, b) = ascending ? (keys[left.element], keys[right.element]) : (keys[right.element], keys[left.element])
          if a != b { return Self.comesBefore(a, b) }
          return left.offset < right.offset
        }.map(\.element)
      }
      let sorted = try SortKeys(words, nulls: nulls, nans: nans, ascending: ascending, CancellationCheck())
      let problem = "\(count) words of \(bits) bits, ascending \(ascending), seed \(seed)"
      #expect(
        try sorted.sorted(objects: objects, CancellationCheck()) == inOrder(Array(keys.indices)).map { objects[$0] },
        "\(problem)")
      #expect(
        try sorted.sorted([], CancellationCheck()) == inOrder(Array(keys.indices)).map { UInt64($0) }, "\(problem)")
      #expect(
        try sorted.sorted(given.map { UInt64($0) }, CancellationCheck()) == inOrder(given).map { UInt64($0) },
        "\(problem)")
    }
  }

  private static let kinds: [[Value]] = {
    let texts = ["", "a", "a\u{0}", "aaaaaaaaab", "aaaaaaaaac", "é"].map { Value.string($0) }
    let reals = [0, -0.0, .nan, -.infinity, 1e300, 2.5].map { Value.double($0) }
    let dates = [1, -1.5, .nan].map { Value.date(Instant(seconds: $0)) }
    let wholes = [Int64.min, .max, -1, 0, 7].map { Value.int($0) }
    let floats: [Value] = [.float(0.5), .float(.nan), .float(-3), .double(0.5), .double(-2)]
    let numbers: [Value] = [.int(2), .double(1.5), .double(2), .double(.nan), .null, .int(.max), .double(9.3e18)]
    let others: [Value] = [.uuid(UUIDBytes(high: 1, low: 2)), .uuid(UUIDBytes(high: 1, low: 1)), .null]
    let data: [Value] = [.data([1]), .data([]), .data([1, 0]), .null]
    return [
      [.bool(true), .bool(false), .null], wholes + [.null], reals + [.null], floats, dates + [.null], texts + [.null],
      numbers, others, data, [.null],
    ]
  }()

  /// Values worked out one by one, of kinds that have words, that have none, and of several kinds in one key.
  @Test(arguments: 0..<40) func ordersOfValues(_ run: Int) throws {
    var random = OracleRandom(seed: Self.seed &+ UInt64(run))
    let keys = (0..<1 + random.below(3)).map { _ in random.pick(Self.kinds) }
    let count = random.pick([0, 1, 5, 200])
    let columns = keys.map { values in (0..<count).map { _ in random.pick(values) } }
    let ascending = keys.map { _ in random.once(in: 2) }
    let expected = (0..<count).sorted { left, right in
      for (values, ascending) in zip(columns, ascending) {
        let order = SortOrder.compare(values[left], values[right])
        if order != 0 { return (order < 0) == ascending }
      }
      return left < right
    }
    #expect(try columns.order(ascending, CancellationCheck()) == expected, "run \(run), \(keys)")
  }
}
