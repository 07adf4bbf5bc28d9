extension DecimalValue {
  /// The sum; nil where it has too many digits.
  package static func sum(_ left: DecimalValue, _ right: DecimalValue) -> DecimalValue? {
    if case .small(let a, let x) = left.form, case .small(let b, let y) = right.form, x == y {
      let sum = Int128(a) + Int128(b)
      return DecimalValue(isNegative: sum < 0, magnitude: sum.magnitude, exponent: Int(x))
    }
    if left.isNaN || right.isNaN { return .nan }
    if left.magnitude == 0 { return right }
    if right.magnitude == 0 { return left }
    if left.exponent < right.exponent { return sum(right, left) }
    // More zeros than that make a difference that no coefficient holds: the last digit of neither is zero.
    guard let power = powerOfTen(left.exponent - right.exponent) else { return nil }
    let wide = left.magnitude.multipliedFullWidth(by: power)
    let other = right.magnitude
    if left.isNegative == right.isNegative {
      let (low, carry) = wide.low.addingReportingOverflow(other)
      guard wide.high == 0 else { return nil }
      if !carry { return DecimalValue(isNegative: left.isNegative, magnitude: low, exponent: right.exponent) }
      return narrowed(1, low, exponent: right.exponent, isNegative: left.isNegative)
    }
    if wide.high == 0, wide.low < other {
      return DecimalValue(isNegative: right.isNegative, magnitude: other - wide.low, exponent: right.exponent)
    }
    let (low, borrow) = wide.low.subtractingReportingOverflow(other)
    guard wide.high == (borrow ? 1 : 0) else { return nil }
    return DecimalValue(isNegative: left.isNegative, magnitude: low, exponent: right.exponent)
  }

  /// The difference; nil where it has too many digits.
  package static func difference(_ left: DecimalValue, _ right: DecimalValue) -> DecimalValue? {
    sum(left, right.negated)
  }

  /// The product; nil where it has too many digits, or is too large or too near to zero.
  package static func product(_ left: DecimalValue, _ right: DecimalValue) -> DecimalValue? {
    if left.isNaN || right.isNaN { return .nan }
    let (high, low) = left.magnitude.multipliedFullWidth(by: right.magnitude)
    return narrowed(
      high, low, exponent: left.exponent + right.exponent, isNegative: left.isNegative != right.isNegative)
  }

  /// The quotient, rounded to 38 digits where it has more, halves away from zero; nil when the divisor is 0.
  package static func quotient(_ left: DecimalValue, _ right: DecimalValue) -> DecimalValue? {
    if left.isNaN || right.isNaN { return .nan }
    if right.magnitude == 0 { return nil }
    let numerator = WideNatural(left.magnitude), divisor = WideNatural(right.magnitude)
    return rounded(
      numerator, dividedBy: divisor, exponent: left.exponent - right.exponent,
      isNegative: left.isNegative != right.isNegative)
  }

  /// The number with the other sign.
  package var negated: DecimalValue {
    switch form {
    case .small(let number, let exponent): DecimalValue(.small(-number, exponent))
    case .large(let large):
      DecimalValue(
        .large(LargeDecimal(isNegative: !large.isNegative, magnitude: large.magnitude, exponent: large.exponent)))
    case .nan: self
    }
  }

  /// How a number is made whole.
  package enum Rounding: Sendable {
    case down, up, towardZero, halfAwayFromZero
  }

  /// The whole number next to it; nil where that has too many digits.
  package func rounded(_ rounding: Rounding) -> DecimalValue? {
    if isNaN || exponent >= 0 { return self }
    // Of more digits behind the point than a coefficient has all of it is a fraction, and less than a half.
    let power = Self.powerOfTen(-exponent)
    let (whole, rest) = power.map { magnitude.quotientAndRemainder(dividingBy: $0) } ?? (0, magnitude)
    let isUp =
      switch rounding {
      case .down: isNegative
      case .up: !isNegative
      case .towardZero: false
      case .halfAwayFromZero: power.map { rest >= $0 - rest } ?? false
      }
    return DecimalValue(isNegative: isNegative, magnitude: whole + (rest > 0 && isUp ? 1 : 0), exponent: 0)
  }

  /// The nearest number with at most so many digits after the point, halves away from zero; with negative places the
  /// nearest multiple of ten, a hundred and so on. nil where that has too many digits.
  package func rounded(toPlaces places: Int) -> DecimalValue? {
    if isNaN || magnitude == 0 || exponent >= -places { return self }
    // How many digits are cut off.
    let power = Self.powerOfTen(-places - exponent)
    let (whole, rest) = power.map { magnitude.quotientAndRemainder(dividingBy: $0) } ?? (0, magnitude)
    let isUp = power.map { rest >= $0 - rest } ?? false
    return DecimalValue(isNegative: isNegative, magnitude: whole + (isUp ? 1 : 0), exponent: -places)
  }

  /// The number of a product of 256 bits, when it is one once the zeros at its end are gone.
  static func narrowed(_ high: UInt128, _ low: UInt128, exponent: Int, isNegative: Bool) -> DecimalValue? {
    var (high, low, exponent) = (high, low, exponent)
    while high > 0 {
      let (top, carry) = high.quotientAndRemainder(dividingBy: 10)
      let (bottom, rest) = (10 as UInt128).dividingFullWidth((carry, low))
      guard rest == 0 else { return nil }
      (high, low, exponent) = (top, bottom, exponent + 1)
    }
    return DecimalValue(isNegative: isNegative, magnitude: low, exponent: exponent)
  }

  /// A quotient of whole numbers times a power of ten, rounded to 38 digits, halves away from zero.
  static func rounded(
    _ numerator: WideNatural, dividedBy divisor: WideNatural, exponent: Int, isNegative: Bool
  ) -> DecimalValue? {
    if numerator.isZero { return .zero }
    // So many digits that the quotient has more than are kept.
    let shift = max(0, 40 + divisor.digitBound - numerator.digitFloor)
    var quotient = numerator
    quotient.multiplyByPowerOfTen(shift)
    _ = quotient.divide(by: divisor)
    var exponent = exponent - shift
    var last: UInt64 = 0
    while !quotient.hasAtMost38Digits || exponent < exponents.lowerBound {
      // Of nothing, the next digits that are cut off are zeros.
      if quotient.isZero { return .zero }
      last = quotient.divide(by: 10)
      exponent += 1
    }
    // What was cut off is a half or more just when its first digit is five or more.
    if last >= 5 { quotient.add(1) }
    guard let magnitude = quotient.low128 else { return nil }
    return DecimalValue(isNegative: isNegative, magnitude: magnitude, exponent: exponent)
  }
}
