import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// What is known of ranges between others never contradicts what they hold.
@Suite struct RangeAmountsTests {
  private static func interval(_ low: Int, _ high: Int) -> ValueInterval {
    ValueInterval(lower: .included(.int(Int64(low))), upper: .excluded(.int(Int64(high))))
  }

  @Test func betweenTwoOfTheSameItIsTheSame() {
    var amounts = RangeCardinalityCache<ValueInterval>()
    #expect(amounts.amount(of: Self.interval(0, 9)) == nil)
    amounts.keep(.init(number: 100), of: Self.interval(0, 100))
    #expect(amounts.amount(of: Self.interval(0, 100))?.number == 100)
    #expect(amounts.amount(of: Self.interval(0, 100))?.certainty == .exact)
    #expect(amounts.amount(of: Self.interval(0, 99)) == nil)
    #expect(amounts.amount(of: Self.interval(0, 101)) == nil)
    amounts.keep(.init(number: 92), of: Self.interval(4, 96))
    #expect(amounts.amount(of: Self.interval(2, 98))?.number == 96)
    #expect(amounts.amount(of: Self.interval(2, 98))?.certainty == .near)
    #expect(amounts.amount(of: Self.interval(2, 101)) == nil)
    #expect(amounts.amount(of: Self.interval(5, 96)) == nil)
    #expect(amounts.amount(of: Self.interval(200, 300)) == nil)
  }

  @Test func aRangeAroundOneThatIsTooLongIsTooLong() {
    var amounts = RangeCardinalityCache<ValueInterval>()
    amounts.keep(.init(number: 512, certainty: .atLeast), of: Self.interval(10, 20))
    let found = amounts.amount(of: Self.interval(0, 30))
    #expect(found?.number == 512 && found?.certainty == .atLeast)
    #expect(amounts.amount(of: Self.interval(12, 20)) == nil)
    // One that is known whole, and holds hardly more, tells all.
    amounts.keep(.init(number: 520), of: Self.interval(0, 40))
    #expect(amounts.amount(of: Self.interval(0, 30))?.certainty == .near)
  }

  /// Amounts of random ranges over random values are right to a twentieth, however they were come by; and many are known.
  @Test func amountsAreNearlyRight() {
    var random = OracleRandom(seed: testSeed())
    for _ in 0..<8 {
      let values = (0..<400).map { _ in random.below(1_000) }
      var amounts = RangeCardinalityCache<ValueInterval>()
      var known = 0
      for _ in 0..<500 {
        // Half of them are open above, as most are.
        let low = random.below(random.once(in: 2) ? 1_000 : 100)
        let high = random.once(in: 2) ? 1_001 : low + random.below(1_000 - low + 1)
        let range = Self.interval(low, high)
        let held = Double(values.count { $0 >= low && $0 < high })
        if let found = amounts.amount(of: range) {
          known += 1
          if found.certainty == .exact { #expect(found.number == held) }
          #expect(found.certainty != .atLeast && abs(found.number - held) <= 0.0501 * max(held, found.number))
        } else {
          amounts.keep(.init(number: held), of: range)
        }
      }
      #expect(known > 10)
    }
  }

  /// Of ranges that all hold nearly the same a few are kept, which tell of the others.
  @Test func rangesNearEachOtherAreKnownSoon() {
    var random = OracleRandom(seed: testSeed())
    var amounts = RangeCardinalityCache<ValueInterval>()
    var counted = 0
    for _ in 0..<1_000 {
      let low = random.below(1_500)
      let range = ValueInterval(lower: .excluded(.int(Int64(low))))
      guard amounts.amount(of: range) == nil else { continue }
      counted += 1
      amounts.keep(.init(number: Double(50_000 - low)), of: range)
    }
    #expect(counted < 60)
  }

  /// What is known exactly is not forgotten for what is only known to be more.
  @Test func anExactAmountIsKept() {
    var amounts = RangeCardinalityCache<ValueInterval>()
    amounts.keep(.init(number: 520), of: Self.interval(0, 40))
    amounts.keep(.init(number: 512, certainty: .atLeast), of: Self.interval(10, 20))
    #expect(amounts.amount(of: Self.interval(0, 40))?.certainty == .exact)
  }

  /// Whichever of two is asked for, both are known from then on.
  @Test func twoThatAreNearAreBothKnown() {
    var amounts = RangeCardinalityCache<ValueInterval>()
    amounts.keep(.init(number: 400), of: Self.interval(0, 100))
    amounts.keep(.init(number: 395), of: Self.interval(1, 100))
    #expect(amounts.amount(of: Self.interval(0, 100))?.number == 400)
    #expect(amounts.amount(of: Self.interval(1, 100))?.number == 395)
  }

  /// It does not grow, and what was looked at last is known.
  @Test func itForgets() {
    var amounts = RangeCardinalityCache<ValueInterval>()
    for place in 0..<1_000 { amounts.keep(.init(number: 10), of: Self.interval(20 * place, 20 * place + 10)) }
    let known = (0..<1_000).filter { amounts.amount(of: Self.interval(20 * $0, 20 * $0 + 10)) != nil }
    #expect(known.last == 999 && known.count < 100)
  }
}
