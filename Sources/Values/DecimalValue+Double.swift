extension DecimalValue {
  /// The decimal number that a Double is written as: 0.1 of 0.1, though no Double is exactly that. Nil of infinities and
  /// of numbers outside the range.
  package init?(shortest number: Double) {
    if number.isNaN {
      self = .nan
      return
    }
    guard number.isFinite, let value = DecimalValue(number.description) else { return nil }
    self = value
  }

  /// The number that a Float is written as.
  package init?(shortest number: Float) {
    if number.isNaN {
      self = .nan
      return
    }
    guard number.isFinite, let value = DecimalValue(number.description) else { return nil }
    self = value
  }

  /// The nearest Double.
  package var double: Double {
    if isNaN { return .nan }
    if case .small(let number, let exponent) = form, number.magnitude < 1 << 53, -22...22 ~= exponent {
      // Both are exact, so the one operation rounds once.
      var power = 1.0
      for _ in 0..<abs(Int(exponent)) { power *= 10 }
      return exponent < 0 ? Double(number) / power : Double(number) * power
    }
    return Double(description) ?? .nan
  }

  /// Negative, zero or positive as the decimal number is less than, equal to or greater than exactly that Double; nil
  /// where one is NaN.
  package static func compare(_ left: DecimalValue, _ right: Double) -> Int? {
    if left.isNaN || right.isNaN { return nil }
    let near = left.double
    if near != right { return near < right ? -1 : 1 }
    if right == 0 { return left.sign }
    // The Double is the nearest one; whether it is the number itself is a matter of digits.
    var own = WideNatural(left.magnitude)
    var other = WideNatural(UInt128(right.significandWhole))
    let (power, binary) = (left.exponent, right.exponentOfWhole)
    if power >= 0 { own.multiplyByPowerOfTen(power) } else { other.multiplyByPowerOfTen(-power) }
    if binary >= 0 { other.multiplyByPowerOfTwo(binary) } else { own.multiplyByPowerOfTwo(-binary) }
    return own == other ? 0 : (own < other ? -1 : 1) * left.sign
  }

  /// Negative, zero or positive as the decimal number is less than, equal to or greater than the one that the Double is
  /// written as, or than the Double itself where it is written as none; nil where one is NaN.
  ///
  /// Numbers in the order of Doubles are written as ones in the same order, so this is an order too.
  package static func compare(_ left: DecimalValue, writtenAs right: Double) -> Int? {
    DecimalValue(shortest: right).map { compare(left, $0) } ?? compare(left, right)
  }

  /// The same of a Float.
  package static func compare(_ left: DecimalValue, writtenAs right: Float) -> Int? {
    DecimalValue(shortest: right).map { compare(left, $0) } ?? compare(left, Double(right))
  }

  /// Negative, zero or positive as the decimal number is less than, equal to or greater than an integer; nil for NaN.
  package static func compare(_ left: DecimalValue, _ right: Int64) -> Int? {
    if case .small(let number, 0) = left.form { return number < right ? -1 : number == right ? 0 : 1 }
    return compare(left, DecimalValue(right))
  }

  /// The number times `10^places`, with 0 to 18 places; the number itself where that is too large, which it is then too
  /// for an integer of 64 bits.
  package func shifted(_ places: Int) -> DecimalValue {
    if isNaN { return self }
    return DecimalValue(isNegative: isNegative, magnitude: magnitude, exponent: exponent + places) ?? self
  }

  /// The integer that the number is times `10^places`, with 0 to 18 places, where it is one that fits.
  package func integer(places: Int) -> Int64? {
    if let (number, exponent) = small, 0...18 ~= exponent + places {
      let (product, overflow) = number.multipliedReportingOverflow(by: Self.wholePowerOfTen(exponent + places))
      return overflow ? nil : product
    }
    return shifted(places).integer
  }

  /// `10^exponent`, with an exponent from 0 to 18.
  package static func wholePowerOfTen(_ exponent: Int) -> Int64 {
    var power: Int64 = 1
    for _ in 0..<exponent { power &*= 10 }
    return power
  }

  /// The integer that it is, where it is one that fits.
  package var integer: Int64? {
    guard !isNaN, exponent >= 0, let power = Self.powerOfTen(exponent) else { return nil }
    let (product, overflow) = magnitude.multipliedReportingOverflow(by: power)
    if overflow { return nil }
    if isNegative { return product <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- product) : nil }
    return Int64(exactly: product)
  }
}

extension Double {
  /// Its significand as a whole number, to be multiplied by a power of two.
  fileprivate var significandWhole: UInt64 {
    significandBitPattern | (exponentBitPattern == 0 ? 0 : 1 << UInt64(Double.significandBitCount))
  }

  /// The power of two that `significandWhole` is to be multiplied by.
  fileprivate var exponentOfWhole: Int {
    (exponentBitPattern == 0 ? 1 : Int(exponentBitPattern)) - 1023 - Double.significandBitCount
  }
}
