import Storage
import Testing

@testable import QueryEngine

/// Intervals of Doubles as whole numbers: what is within the one is within the other, to the last bit.
@Suite struct DecimalBoundsTests {
  private func check(_ lower: Double, _ upper: Double, _ wholes: [Int64], isFloat: Bool) {
    guard lower <= upper else { return }
    let limit = isFloat ? NumberBlock.floatLimit : NumberBlock.limit
    for exponent in NumberBlock.exponents {
      let divisor = NumberBlock.powerOfTen(exponent)
      let bounds = DecimalBounds(lower, upper, exponent: UInt8(exponent), isFloat: isFloat)
      let (least, greatest) = (bounds.lower, bounds.upper)
      let edges = [least, greatest].flatMap { edge in (-2...2).map { edge.addingReportingOverflow($0).partialValue } }
      for whole in wholes + edges where whole >= -limit && whole <= limit {
        let number = NumberBlock.decimal(whole, divisor, isFloat: isFloat)
        #expect(
          (whole >= least && whole <= greatest) == (number >= lower && number <= upper),
          "\(whole) / \(divisor) in \(lower)...\(upper)")
      }
    }
  }

  @Test(arguments: 0..<20) func wholeNumbersMeanTheirQuotients(_ run: Int) {
    var random = OracleRandom(seed: UInt64(run) + 271)
    let special: [Double] = [
      -.infinity, .infinity, 0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude,
      0x1p51, -0x1p51, 0x1p24, 0x1p52, 1e300, -1e300, 0x1p63,
    ]
    func bound(_ isFloat: Bool) -> Double {
      if Int.random(in: 0..<4, using: &random) == 0 { return special.randomElement(using: &random) ?? 0 }
      let bits = Int64.random(in: 1...(isFloat ? 25 : 52), using: &random)
      let whole = Int64.random(in: -(1 << bits)...1 << bits, using: &random)
      let number = Double(whole) / NumberBlock.powerOfTen(Int.random(in: 0...7, using: &random))
      let near = [number, number.nextUp, number.nextDown, number + 1e-9].randomElement(using: &random) ?? number
      return isFloat && Bool.random(using: &random) ? Double(Float(near)) : near
    }
    for _ in 0..<150 {
      for isFloat in [false, true] {
        let (a, b) = (bound(isFloat), bound(isFloat))
        let limit = isFloat ? NumberBlock.floatLimit : NumberBlock.limit
        let wholes =
          [0, 1, -1, limit, -limit, limit - 1] + (0..<5).map { _ in Int64.random(in: -limit...limit, using: &random) }
        check(min(a, b), max(a, b), wholes, isFloat: isFloat)
        check(a, a, wholes, isFloat: isFloat)
        check(a, .infinity, wholes, isFloat: isFloat)
        check(-.infinity, b, wholes, isFloat: isFloat)
      }
    }
  }
}
