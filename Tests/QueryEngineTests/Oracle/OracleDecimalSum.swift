import Values

/// A sum of decimal numbers digit by digit, as on paper: too simple to be wrong. NaN is not among them.
struct OracleDecimalSum {
  /// The power of ten of the lowest digit that any number has: coefficients have at most 39 digits.
  private static let lowest = -200
  /// What the digits of each power of ten add up to, from the lowest on.
  private var digits = [Int](repeating: 0, count: 500)
  private var count = 0

  init(_ numbers: some Sequence<DecimalValue>) {
    for number in numbers {
      count += 1
      for (place, digit) in String(number.magnitude).reversed().enumerated() {
        let value = digit.wholeNumberValue ?? 0
        digits[number.exponent - Self.lowest + place] += number.isNegative ? -value : value
      }
    }
  }

  /// The sum; nil where it has more digits than a number holds.
  var value: DecimalValue? {
    let (isNegative, digits) = carried
    guard let first = digits.firstIndex(where: { $0 > 0 }), let last = digits.lastIndex(where: { $0 > 0 }) else {
      return .zero
    }
    return Self.number(digits[first...last], isNegative, exponent: first + Self.lowest)
  }

  /// The sum over the count to 38 digits, the last of them not below 10⁻¹²⁸, halves away from zero; nil of no numbers.
  var average: DecimalValue? {
    if count == 0 { return nil }
    let (isNegative, digits) = carried
    // Division by hand, from the highest digit on, and further down than any number goes.
    let more = 60
    var quotient = [Int](repeating: 0, count: digits.count + more)
    var rest = 0
    for place in quotient.indices.reversed() {
      rest = rest * 10 + (place >= more ? digits[place - more] : 0)
      (quotient[place], rest) = (rest / count, rest % count)
    }
    guard let top = quotient.lastIndex(where: { $0 > 0 }) else { return .zero }
    let lowest = Self.lowest - more
    let last = max(top - 37, -128 - lowest)
    var kept = Array(quotient[last...])
    if quotient[last - 1] >= 5 { kept[0] += 1 }
    for place in kept.indices where kept[place] == 10 { (kept[place], kept[place + 1]) = (0, kept[place + 1] + 1) }
    guard let first = kept.firstIndex(where: { $0 > 0 }), let highest = kept.lastIndex(where: { $0 > 0 }) else {
      return .zero
    }
    return Self.number(kept[first...highest], isNegative, exponent: last + first + lowest)
  }

  /// The sign, and digits of 0 to 9.
  private var carried: (isNegative: Bool, digits: [Int]) {
    var digits = digits
    func carry() {
      for place in digits.indices.dropLast() {
        let digit = (digits[place] % 10 + 10) % 10
        digits[place + 1] += (digits[place] - digit) / 10
        digits[place] = digit
      }
    }
    carry()
    guard let highest = digits.last, highest < 0 else { return (false, digits) }
    // Less than nothing: the opposite has the same digits.
    digits = digits.map { -$0 }
    carry()
    return (true, digits)
  }

  private static func number(_ digits: ArraySlice<Int>, _ isNegative: Bool, exponent: Int) -> DecimalValue? {
    UInt128(digits.reversed().map(String.init).joined()).flatMap {
      DecimalValue(isNegative: isNegative, magnitude: $0, exponent: exponent)
    }
  }
}
