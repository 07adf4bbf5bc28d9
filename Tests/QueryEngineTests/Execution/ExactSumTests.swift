import Storage
import TestSeeds
import Testing

@testable import QueryEngine

/// `ExactSum` against a sum that is worked out bit by bit.
@Suite struct ExactSumTests {
  /// Numbers of one magnitude, of many, of all there are, and pairs that cancel out.
  private static func numbers(_ random: inout OracleRandom) -> [Double] {
    let kind = random.below(6)
    return (0..<(1 + random.below(300))).map { place in
      switch kind {
      case 0: return Double(random.below(1_000)) / 10
      case 1: return Double(random.below(100_000)) / 7 - 5_000
      case 2:
        return Double(sign: random.once(in: 2) ? .plus : .minus, exponent: random.below(90) - 45, significand: 1.1)
      case 3:
        let number = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
        return number.isFinite ? number : .leastNonzeroMagnitude * Double(random.below(9))
      case 4: return (place % 2 == 0 ? 1 : -1) * Double(sign: .plus, exponent: place / 2 % 60, significand: 1.3)
      default:
        return random.pick([1e16, 1, -1e16, 0.1, 0x1p-1074, -0.0, 0x1p1023, -0x1p1023, .greatestFiniteMagnitude])
      }
    }
  }

  @Test func everyWayOfAddingIsExact() {
    var random = OracleRandom(seed: testSeed())
    for _ in 0..<2_000 {
      let numbers = Self.numbers(&random)
      let wanted = OracleSum.of(numbers)
      var forwards = ExactSum()
      for number in numbers { forwards.add(number) }
      #expect(forwards.value == wanted, "\(numbers)")
      // In parts, merged the other way round.
      var merged = ExactSum()
      var rest = numbers.shuffled(using: &random)[...]
      while !rest.isEmpty {
        let part = rest.prefix(1 + random.below(rest.count))
        rest = rest.dropFirst(part.count)
        var sum = ExactSum()
        for number in part { sum.add(number) }
        sum.add(merged)
        merged = sum
      }
      #expect(merged.value == wanted, "\(numbers)")
      // As a cluster's column, of which a mask leaves some out, with NaN among them.
      let slots = Array(numbers.prefix(256))
      var mask = Mask.none
      for slot in slots.indices where !random.once(in: 3) { mask[slot] = true }
      let column = slots.map { random.once(in: 10) ? Double.nan : $0 }
      var masked = ExactSum()
      let count = column.withUnsafeBufferPointer { column in
        column.baseAddress.map { masked.add($0, column.count, mask) } ?? 0
      }
      let chosen = column.indices.filter { mask[$0] && !column[$0].isNaN }.map { column[$0] }
      #expect(count == chosen.count)
      #expect(masked.value == OracleSum.of(chosen), "\(chosen)")
    }
  }

  @Test func whatPeopleKnow() {
    func sum(_ numbers: [Double]) -> Double {
      var sum = ExactSum()
      for number in numbers { sum.add(number) }
      return sum.value
    }
    #expect(sum(Array(repeating: 0.1, count: 10)) == 1)
    #expect(sum([1e16, 1, -1e16]) == 1)
    #expect(sum([]) == 0)
    #expect(sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == .infinity)
    #expect(
      sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude]) == .greatestFiniteMagnitude)
    #expect(sum([.infinity, 1]) == .infinity)
    #expect(sum([-.infinity, 1e308]) == -.infinity)
    #expect(sum([.infinity, -.infinity]).isNaN)
    #expect(sum([0x1p-1074, 0x1p-1074]) == 0x1p-1073)
    // Half way between two Doubles, and a little more.
    #expect(sum([1, 0x1p-53]) == 1)
    #expect(sum([1, 0x1p-53, 0x1p-1074]) == 1.0.nextUp)
  }

  @Test func oneNumberSeveralTimes() {
    for (number, times) in [(0.1, 10), (0.1, 100_003), (1e300, 7), (0x1p-1074, 3), (.infinity, 2), (-2.5, 0)] {
      var sum = ExactSum()
      sum.add(number, times: times)
      let wanted = OracleSum.of(Array(repeating: number, count: times))
      #expect(sum.value == wanted)
    }
  }

  @Test func wholeNumbersAndDoubles() {
    var sum = ExactSum()
    sum.add(Int128(Int64.max) * 1_000)
    sum.add(0.5)
    sum.add(-Int128(Int64.max) * 1_000)
    #expect(sum.value == 0.5)
  }
}
