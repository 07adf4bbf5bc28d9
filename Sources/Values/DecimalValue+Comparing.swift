extension DecimalValue: Hashable {
  /// Whether both are the same number; NaN is none.
  public static func == (left: DecimalValue, right: DecimalValue) -> Bool {
    switch (left.form, right.form) {
    case (.small(let a, let x), .small(let b, let y)): a == b && x == y
    case (.large(let a), .large(let b)):
      a.magnitude == b.magnitude && a.exponent == b.exponent && a.isNegative == b.isNegative
    case (.small, .large), (.large, .small), (.nan, _), (_, .nan): false
    }
  }

  /// Hashes the digits, the power of ten and the sign.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(isNegative)
    hasher.combine(magnitude)
    hasher.combine(exponent)
  }
}

extension DecimalValue {
  /// Negative, zero or positive as `left` is less than, equal to or greater than `right`; nil where one is NaN.
  package static func compare(_ left: DecimalValue, _ right: DecimalValue) -> Int? {
    if case .small(let a, let x) = left.form, case .small(let b, let y) = right.form, x == y {
      return a < b ? -1 : a == b ? 0 : 1
    }
    if left.isNaN || right.isNaN { return nil }
    let (sign, other) = (left.sign, right.sign)
    if sign != other { return sign < other ? -1 : 1 }
    return sign * compareMagnitudes(left, right)
  }

  /// -1, 0 or 1.
  var sign: Int { isNegative ? -1 : magnitude == 0 ? 0 : 1 }

  /// The power of ten just above its magnitude: 1 of 9.5, 0 of 0.95; 0 of zero.
  var leadingExponent: Int { magnitude == 0 ? 0 : Self.digitCount(magnitude) + exponent }

  private static func compareMagnitudes(_ left: DecimalValue, _ right: DecimalValue) -> Int {
    let (first, second) = (left.leadingExponent, right.leadingExponent)
    if first != second { return first < second ? -1 : 1 }
    // Both have their first digit at the same place, so they differ by at most the length of a coefficient.
    let shift = left.exponent - right.exponent
    if shift < 0 { return -compareMagnitudes(right, left) }
    guard let power = powerOfTen(shift) else { return 1 }
    let (high, low) = left.magnitude.multipliedFullWidth(by: power)
    if high > 0 { return 1 }
    return low < right.magnitude ? -1 : low == right.magnitude ? 0 : 1
  }
}
