internal import Storage

/// An interval of Doubles as the whole numbers that, divided by a power of ten and rounded, lie in it: so decimals are
/// compared as the whole numbers they are kept as.
///
/// What counts is the quotient as it is read, not the number it was rounded from: bounds are sought among quotients.
struct ScaledBounds: @unchecked Sendable {
  private let bounds: [(lower: Int64, upper: Int64)]

  /// Both bounds included; neither is NaN.
  init(_ lower: Double, _ upper: Double, isFloat: Bool) {
    bounds = ScaledNumbers.exponents.map { exponent in
      let divisor = ScaledNumbers.powerOfTen(exponent)
      return (
        Self.least(from: lower, divisor, isFloat),
        // The greatest that is not above is one less than the least that is.
        upper == .infinity ? .max : Self.least(from: upper.nextUp, divisor, isFloat) - 1
      )
    }
  }

  /// The bounds for numbers with so many digits behind the point.
  @inline(__always) subscript(exponent: UInt8) -> (lower: Int64, upper: Int64) { bounds[Int(exponent)] }

  /// The least whole number whose quotient is `bound` or more; one above all that are kept when there is none.
  private static func least(from bound: Double, _ divisor: Double, _ isFloat: Bool) -> Int64 {
    let limit = isFloat ? ScaledNumbers.floatLimit : ScaledNumbers.limit
    let near = (bound * divisor).rounded(.up)
    var whole = near >= Double(limit) ? limit + 1 : near <= -Double(limit) ? -limit : Int64(exactly: near) ?? limit + 1
    // The product is rounded, so it may be off by one or two.
    while whole > -limit, ScaledNumbers.number(whole - 1, divisor, isFloat: isFloat) >= bound { whole -= 1 }
    while whole <= limit, ScaledNumbers.number(whole, divisor, isFloat: isFloat) < bound { whole += 1 }
    return whole
  }
}
