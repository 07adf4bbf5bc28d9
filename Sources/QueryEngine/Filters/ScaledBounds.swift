internal import Storage

/// An interval of Doubles as the whole numbers that, divided by a power of ten and rounded, lie in it: so decimals are
/// compared as the whole numbers they are kept as.
///
/// What counts is the quotient as it is read, not the number it was rounded from: bounds are sought among quotients.
struct ScaledBounds: @unchecked Sendable {
  private let bounds: [(lower: Int64, upper: Int64)]

  /// Both bounds included; neither is NaN.
  init(_ lower: Double, _ upper: Double, isFloat: Bool) {
    var bounds: [(lower: Int64, upper: Int64)] = []
    bounds.reserveCapacity(ScaledNumbers.exponents.count)
    for exponent in ScaledNumbers.exponents {
      let divisor = ScaledNumbers.powerOfTen(exponent)
      bounds.append(
        (
          Self.least(from: lower, divisor, isFloat),
          // The greatest that is not above is one less than the least that is.
          upper == .infinity ? .max : Self.least(from: upper.nextUp, divisor, isFloat) - 1
        ))
    }
    self.bounds = bounds
  }

  /// The bounds for numbers with so many digits behind the point.
  @inline(__always) subscript(exponent: UInt8) -> (lower: Int64, upper: Int64) { bounds[Int(exponent)] }

  /// The least whole number whose quotient is `bound` or more; one above all that are kept when there is none.
  private static func least(from bound: Double, _ divisor: Double, _ isFloat: Bool) -> Int64 {
    let limit = isFloat ? ScaledNumbers.floatLimit : ScaledNumbers.limit
    let product = bound * divisor
    // Rounded up or down; and the product is rounded itself: it may be off by one or two.
    var whole = product >= Double(limit) ? limit + 1 : product <= -Double(limit) ? -limit : Int64(product)
    while whole > -limit, !isBelow(bound, whole - 1, divisor, isFloat) { whole -= 1 }
    while whole <= limit, isBelow(bound, whole, divisor, isFloat) { whole += 1 }
    return whole
  }

  /// Whether the number that a whole number stands for is below a bound. Out of line, or the search, which ends after a
  /// step or two, may be compiled as a long one that divides many numbers at once.
  @inline(never)
  private static func isBelow(_ bound: Double, _ whole: Int64, _ divisor: Double, _ isFloat: Bool) -> Bool {
    ScaledNumbers.number(whole, divisor, isFloat: isFloat) < bound
  }
}
