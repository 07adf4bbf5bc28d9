/// A decimal number, exactly: a whole number of up to 38 digits times a power of ten, or NaN. It holds every value of
/// Foundation's `Decimal` and no other.
///
/// It is kept without zeros at its end, so 1.0 and 1.00 are one value with one hash. NaN is not equal to itself, as with
/// `Double`.
///
/// ```swift
/// let isEqual = DecimalValue("9.90") == DecimalValue("9.9")  // true
/// ```
public struct DecimalValue: Sendable {
  /// How a number is kept. Of two forms that could hold a number the earlier one does.
  enum Form: Sendable {
    /// The whole number fits 63 bits, its exponent is that of ten.
    case small(Int64, Int16)
    case large(LargeDecimal)
    case nan
  }

  let form: Form

  init(_ form: Form) { self.form = form }

  /// The exponents that a coefficient of full length may have.
  package static let exponents = -128...127

  /// 0.
  public static let zero = DecimalValue(.small(0, 0))
  /// The value that is no number.
  public static let nan = DecimalValue(.nan)

  /// A whole number.
  ///
  /// ```swift
  /// let text = DecimalValue(42).description  // "42"
  /// ```
  public init(_ number: Int64) { self.init(number, places: 0) }

  /// A whole number over `10^places`, with 0 to 18 places.
  package init(_ number: Int64, places: Int) {
    if number == 0 {
      self = .zero
    } else if number == .min {
      // Its magnitude takes 64 bits; its last digit is no zero.
      self.init(.large(LargeDecimal(isNegative: true, magnitude: UInt128(number.magnitude), exponent: -places)))
    } else {
      var (number, exponent) = (number, -places)
      while number % 10 == 0 { (number, exponent) = (number / 10, exponent + 1) }
      self.init(.small(number, Int16(truncatingIfNeeded: exponent)))
    }
  }

  /// `magnitude × 10^exponent`, with its sign; nil when Foundation's `Decimal` has no such number.
  ///
  /// ```swift
  /// let text = DecimalValue(isNegative: true, magnitude: 995, exponent: -2)?.description  // "-9.95"
  /// ```
  public init?(isNegative: Bool, magnitude: UInt128, exponent: Int) {
    guard magnitude != 0 else {
      self = .zero
      return
    }
    var (magnitude, exponent) = (magnitude, exponent)
    guard -100_000...100_000 ~= exponent else { return nil }
    if magnitude <= UInt128(UInt64.max) {
      var short = UInt64(truncatingIfNeeded: magnitude)
      while short % 10 == 0 { (short, exponent) = (short / 10, exponent + 1) }
      magnitude = UInt128(short)
    } else {
      while case let (shorter, rest) = magnitude.quotientAndRemainder(dividingBy: 10), rest == 0 {
        (magnitude, exponent) = (shorter, exponent + 1)
      }
    }
    guard exponent >= Self.exponents.lowerBound, Self.isInRange(magnitude, exponent) else { return nil }
    if magnitude <= UInt128(Int64.max) {
      let number = Int64(truncatingIfNeeded: magnitude)
      self.init(.small(isNegative ? -number : number, Int16(truncatingIfNeeded: exponent)))
    } else {
      self.init(.large(LargeDecimal(isNegative: isNegative, magnitude: magnitude, exponent: exponent)))
    }
  }

  /// Whether the exponent can be made small enough by zeros at the end of the coefficient.
  private static func isInRange(_ magnitude: UInt128, _ exponent: Int) -> Bool {
    let excess = exponent - exponents.upperBound
    if excess <= 0 { return true }
    guard let power = powerOfTen(excess) else { return false }
    return !magnitude.multipliedReportingOverflow(by: power).overflow
  }

  /// Whether it is NaN.
  public var isNaN: Bool {
    if case .nan = form { return true }
    return false
  }

  /// Whether it is less than zero.
  public var isNegative: Bool {
    switch form {
    case .small(let number, _): number < 0
    case .large(let large): large.isNegative
    case .nan: false
    }
  }

  /// The digits as a whole number without a zero at its end; 0 for NaN.
  public var magnitude: UInt128 {
    switch form {
    case .small(let number, _): UInt128(number.magnitude)
    case .large(let large): large.magnitude
    case .nan: 0
    }
  }

  /// The power of ten that the digits are multiplied by; 0 for NaN.
  public var exponent: Int {
    switch form {
    case .small(_, let exponent): Int(exponent)
    case .large(let large): large.exponent
    case .nan: 0
    }
  }

  /// The number as an integer times a power of ten; nil where that takes more than 64 bits, and for NaN.
  @inline(__always) package var small: (number: Int64, exponent: Int)? {
    if case .small(let number, let exponent) = form { return (number, Int(exponent)) }
    return nil
  }

  /// `10^exponent`, or nil when it does not fit.
  static func powerOfTen(_ exponent: Int) -> UInt128? {
    guard 0...38 ~= exponent else { return nil }
    var power: UInt128 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }

  /// How many decimal digits a number has; 0 of zero.
  static func digitCount(_ number: UInt128) -> Int {
    var (count, rest) = (0, number)
    while rest > UInt128(UInt64.max) { (count, rest) = (count + 1, rest / 10) }
    var short = UInt64(truncatingIfNeeded: rest)
    while short > 0 { (count, short) = (count + 1, short / 10) }
    return count
  }
}

/// A decimal number whose coefficient takes more than 63 bits.
final class LargeDecimal: Sendable {
  let isNegative: Bool
  let magnitude: UInt128
  let exponent: Int

  init(isNegative: Bool, magnitude: UInt128, exponent: Int) {
    self.isNegative = isNegative
    self.magnitude = magnitude
    self.exponent = exponent
  }
}
