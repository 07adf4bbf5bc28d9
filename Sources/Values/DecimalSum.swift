/// The sum of decimal numbers, exact whatever they are: it depends on nothing but the numbers, and two sums can be added.
package struct DecimalSum: Sendable {
  /// What the coefficients of one exponent add up to, in 256 bits: a sum of 2^63 coefficients does not fill them.
  private struct Part {
    let exponent: Int
    var low: UInt128
    var high: Int128

    mutating func add(_ low: UInt128, _ high: Int128) {
      let (sum, carry) = self.low.addingReportingOverflow(low)
      self.low = sum
      self.high &+= high &+ (carry ? 1 : 0)
    }
  }

  /// How many numbers.
  package private(set) var count = 0
  /// Few numbers have other exponents than most.
  private var parts: [Part] = []
  private var hasNaN = false

  package init() {}

  /// Adds a number. NaN makes the sum NaN: who skips it does not add it.
  package mutating func add(_ value: DecimalValue) {
    count += 1
    if value.isNaN {
      hasNaN = true
    } else if let (number, exponent) = value.small {
      add(UInt128(truncatingIfNeeded: number), number < 0 ? -1 : 0, exponent)
    } else {
      let magnitude = value.magnitude
      if value.isNegative {
        add(0 &- magnitude, -1, value.exponent)
      } else {
        add(magnitude, 0, value.exponent)
      }
    }
  }

  /// Adds `count` numbers that are together `total` over `10^places`.
  package mutating func add(_ total: Int128, places: Int, count: Int) {
    self.count += count
    add(UInt128(bitPattern: total), total < 0 ? -1 : 0, -places)
  }

  /// Adds what another sum has.
  package mutating func add(_ other: DecimalSum) {
    count += other.count
    hasNaN = hasNaN || other.hasNaN
    for part in other.parts { add(part.low, part.high, part.exponent) }
  }

  private mutating func add(_ low: UInt128, _ high: Int128, _ exponent: Int) {
    for place in parts.indices where parts[place].exponent == exponent { return parts[place].add(low, high) }
    parts.append(Part(exponent: exponent, low: low, high: high))
  }

  /// The sum; nil when it has more digits than a number holds.
  package var value: DecimalValue? {
    if hasNaN { return .nan }
    let (isNegative, total, exponent) = total
    guard !total.isZero else { return .zero }
    var (number, power) = (total, exponent)
    while number.low128 == nil {
      guard number.divide(by: 10) == 0 else { return nil }
      power += 1
    }
    return number.low128.flatMap { DecimalValue(isNegative: isNegative, magnitude: $0, exponent: power) }
  }

  /// The sum divided by the count, rounded once to 38 digits, halves away from zero; nil of no numbers.
  package var average: DecimalValue? {
    if count == 0 { return nil }
    if hasNaN { return .nan }
    let (isNegative, total, exponent) = total
    return DecimalValue.rounded(
      total, dividedBy: WideNatural(UInt128(count)), exponent: exponent, isNegative: isNegative)
  }

  /// The sum as a whole number of any length over a power of ten.
  private var total: (isNegative: Bool, magnitude: WideNatural, exponent: Int) {
    guard let least = parts.map(\.exponent).min() else { return (false, WideNatural(0), 0) }
    var positive = WideNatural(0)
    var negative = WideNatural(0)
    for part in parts {
      let isNegative = part.high < 0
      // The magnitude of a number in two's complement.
      let low = isNegative ? 0 &- part.low : part.low
      let high = UInt128(truncatingIfNeeded: isNegative ? ~part.high &+ (part.low == 0 ? 1 : 0) : part.high)
      var magnitude = WideNatural(limbs: [
        UInt64(truncatingIfNeeded: low), UInt64(truncatingIfNeeded: low >> 64), UInt64(truncatingIfNeeded: high),
        UInt64(truncatingIfNeeded: high >> 64),
      ])
      magnitude.multiplyByPowerOfTen(part.exponent - least)
      if isNegative { negative.add(magnitude) } else { positive.add(magnitude) }
    }
    if positive < negative {
      negative.subtract(positive)
      return (true, negative, least)
    }
    positive.subtract(negative)
    return (false, positive, least)
  }
}
