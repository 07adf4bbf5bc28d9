internal import Storage

/// An interval of Doubles as bounds on the integers that decimals are stored as, for each power of ten.
///
/// A decimal's value is the rounded quotient of the integer and the power of ten. So the bounds are searched among
/// these quotients.
struct DecimalBounds: Sendable {
  private let bounds: [(lower: Int64, upper: Int64)]

  /// Both bounds are inclusive and not NaN.
  init(_ lower: Double, _ upper: Double, isFloat: Bool) {
    var bounds: [(lower: Int64, upper: Int64)] = []
    bounds.reserveCapacity(NumberBlock.exponents.count)
    for exponent in NumberBlock.exponents {
      let divisor = NumberBlock.powerOfTen(exponent)
      bounds.append(
        (
          Self.least(from: lower, divisor, isFloat),
          // The largest integer that is not above the bound is one less than the smallest that is.
          upper == .infinity ? .max : Self.least(from: upper.nextUp, divisor, isFloat) - 1
        ))
    }
    self.bounds = bounds
  }

  /// The bounds for numbers with `exponent` decimal places.
  @inline(__always) subscript(exponent: UInt8) -> (lower: Int64, upper: Int64) { bounds[Int(exponent)] }

  /// The smallest integer whose quotient is at least `bound`; if there is none, an integer above all stored ones.
  private static func least(from bound: Double, _ divisor: Double, _ isFloat: Bool) -> Int64 {
    let limit = isFloat ? NumberBlock.floatLimit : NumberBlock.limit
    let product = bound * divisor
    // The product is rounded, so the result may be off by one or two.
    var whole = product >= Double(limit) ? limit + 1 : product <= -Double(limit) ? -limit : Int64(product)
    while whole > -limit, !isBelow(bound, whole - 1, divisor, isFloat) { whole -= 1 }
    while whole <= limit, isBelow(bound, whole, divisor, isFloat) { whole += 1 }
    return whole
  }

  /// Whether the quotient of an integer is below a bound. Not inlined, because the compiler would vectorise the search,
  /// which ends after a step or two.
  @inline(never)
  private static func isBelow(_ bound: Double, _ whole: Int64, _ divisor: Double, _ isFloat: Bool) -> Bool {
    NumberBlock.decimal(whole, divisor, isFloat: isFloat) < bound
  }
}
