import Testing

@testable import QueryEngine

/// Counts of keys in bounded memory, against counts of all keys.
@Suite struct FrequencyTableTests {
  @Test func fewKeysAreCountedExactly() {
    let table = FrequencyTable()
    var random = OracleRandom(seed: 7)
    var counts: [UInt64: Int] = [:]
    for object in 0..<60_000 {
      let key = UInt64(random.below(300) * random.below(300))
      counts[key, default: 0] += 1
      table.add(key, at: UInt64(object))
    }
    #expect(table.distinct.count == counts.count && !table.distinct.isEstimate)
    let most = counts.values.sorted(by: >).prefix(5)
    let top = table.top(5)
    #expect(top.map(\.count) == Array(most))
    for entry in top { #expect(counts[entry.key] == entry.count) }
  }

  @Test func manyKeysAreEstimated() {
    let table = FrequencyTable()
    // Each tenth key is one of three frequent ones, the others are all different.
    for object in 0..<600_000 {
      let key = object % 10 == 0 ? UInt64(object / 10 % 3) : UInt64(object) &* 0x9E37_79B9_7F4A_7C15
      table.add(key, at: UInt64(object))
    }
    let (distinct, isEstimate) = table.distinct
    #expect(isEstimate && abs(distinct - 540_003) < 540_003 * 3 / 100, "\(distinct)")
    let top = table.top(3)
    #expect(Set(top.map(\.key)) == [0, 1, 2])
    for entry in top { #expect(entry.count == 20_000, "\(entry)") }
    // Those that came later have been seen once.
    #expect(table.top(10).allSatisfy { $0.count <= 20_000 })
    #expect(table.top(10).count == 3)
  }

  @Test func nothingIsNothing() {
    let table = FrequencyTable()
    #expect(table.distinct.count == 0 && table.top(3).isEmpty)
    table.add(5, at: 1)
    #expect(table.distinct.count == 1 && table.top(3).isEmpty)
    table.add(5, 2, at: 2)
    #expect(table.top(3).map(\.count) == [3] && table.top(3).first?.first == 1)
  }
}
