internal import Storage

/// An interval of Doubles as bounds on the integers that decimals with some number of places are stored as.
///
/// A decimal's value is the rounded quotient of the integer and the power of ten. So the bounds are searched among
/// these quotients.
struct DecimalBounds {
  let exponent: UInt8
  let lower: Int64
  let upper: Int64

  /// Both bounds are inclusive and not NaN; `exponent` is the number of decimal places.
  init(_ lower: Double, _ upper: Double, exponent: UInt8, isFloat: Bool) {
    let divisor = NumberBlock.powerOfTen(Int(exponent))
    self.exponent = exponent
    self.lower = Self.least(from: lower, divisor, isFloat)
    // The largest integer that is not above the bound is one less than the smallest that is.
    self.upper = upper == .infinity ? .max : Self.least(from: upper.nextUp, divisor, isFloat) - 1
  }

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
