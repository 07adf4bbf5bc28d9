extension DecimalValue {
  /// The power with a whole exponent, exactly; with a negative one the reciprocal of the power, rounded to 38 digits. nil
  /// where it has too many digits, and for a negative power of 0.
  package static func power(_ base: DecimalValue, _ exponent: Int64) -> DecimalValue? {
    if base.isNaN { return .nan }
    if exponent < 0 {
      return power(base, positive: exponent.magnitude).flatMap { quotient(DecimalValue(1), $0) }
    }
    return power(base, positive: exponent.magnitude)
  }

  private static func power(_ base: DecimalValue, positive exponent: UInt64) -> DecimalValue? {
    // Powers of these stay as they are, so that the others soon have too many digits.
    if base.magnitude == 0 { return exponent == 0 ? DecimalValue(1) : .zero }
    if base.magnitude == 1, base.exponent == 0 {
      return base.isNegative && exponent % 2 == 1 ? base : DecimalValue(1)
    }
    guard exponent <= 1024 else { return nil }
    var result = DecimalValue(1)
    for _ in 0..<exponent {
      guard let next = product(result, base) else { return nil }
      result = next
    }
    return result
  }

  /// What a division by another number leaves, with the sign of the dividend; nil when the divisor is 0.
  package static func remainder(_ left: DecimalValue, _ right: DecimalValue) -> DecimalValue? {
    if left.isNaN || right.isNaN { return .nan }
    if right.magnitude == 0 { return nil }
    let shift = left.exponent - right.exponent
    var rest: UInt128
    if shift < 0 {
      // A divisor of more than 128 bits is greater.
      guard let power = powerOfTen(-shift),
        case let (divisor, overflow) = right.magnitude.multipliedReportingOverflow(by: power), !overflow
      else { return left }
      rest = left.magnitude % divisor
    } else {
      rest = left.magnitude % right.magnitude
      for _ in 0..<shift {
        let (high, low) = rest.multipliedFullWidth(by: 10)
        rest = right.magnitude.dividingFullWidth((high, low)).remainder
      }
    }
    return DecimalValue(isNegative: left.isNegative, magnitude: rest, exponent: min(left.exponent, right.exponent))
  }
}
