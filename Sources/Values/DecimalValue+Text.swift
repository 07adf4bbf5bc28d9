extension DecimalValue: CustomStringConvertible, LosslessStringConvertible {
  /// The number that `text` spells, as `-12.50` or `1.5e-3`; `nan` in any letter case. Nil when it spells none, or one
  /// that has too many digits or is too large or too near to zero.
  ///
  /// ```swift
  /// let text = DecimalValue("12.50")?.description  // "12.5"
  /// ```
  public init?(_ text: String) {
    var text = text
    guard let value = text.withUTF8({ DecimalValue(utf8: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = value
  }

  /// The number that a text in UTF-8 spells.
  package init?(utf8 text: UnsafeRawBufferPointer) {
    var reader = DecimalReading(text)
    guard let value = reader.value() else { return nil }
    self = value
  }

  /// The number as text that reads back as the same number: with all digits, or with an exponent where that would put
  /// more than twenty zeros before or after them.
  public var description: String {
    if isNaN { return "nan" }
    let digits = String(magnitude)
    let sign = isNegative ? "-" : ""
    let leading = digits.utf8.count + exponent
    if magnitude == 0 { return "0" }
    if exponent >= 0, exponent <= 20 { return sign + digits + String(repeating: "0", count: exponent) }
    if exponent < 0, leading > 0 { return sign + digits.prefix(leading) + "." + digits.dropFirst(leading) }
    if exponent < 0, leading > -20 { return sign + "0." + String(repeating: "0", count: -leading) + digits }
    let fraction = digits.dropFirst()
    return sign + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "e\(leading - 1)"
  }

  /// Appends its text.
  package func append(to text: inout TextBytes) { text.append(description) }
}

/// Reads a decimal number from left to right.
private struct DecimalReading {
  private let text: UnsafeRawBufferPointer
  private var position = 0
  private var magnitude: UInt128 = 0
  /// The zeros read since the last other digit.
  private var zeros = 0
  private var exponent = 0
  private var hasDigits = false

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  private var byte: UInt8 { position < text.count ? text[position] : 0 }

  mutating func value() -> DecimalValue? {
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { position += 1 }
    if text.count - position == 3, text[position...].elementsEqual("nan".utf8, by: { $0 | 0x20 == $1 }) { return .nan }
    guard digits(isFraction: false) else { return nil }
    if byte == UInt8(ascii: ".") {
      position += 1
      guard digits(isFraction: true) else { return nil }
    }
    guard hasDigits, power(), position == text.count else { return nil }
    let (sum, overflow) = exponent.addingReportingOverflow(zeros)
    return overflow ? nil : DecimalValue(isNegative: isNegative, magnitude: magnitude, exponent: sum)
  }

  /// Reads digits; false when they are too many.
  private mutating func digits(isFraction: Bool) -> Bool {
    while 48...57 ~= byte {
      hasDigits = true
      let digit = byte - 48
      position += 1
      if isFraction { exponent -= 1 }
      if digit == 0 {
        zeros += magnitude == 0 ? 0 : 1
        continue
      }
      for _ in 0..<zeros {
        let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
        if overflow { return false }
        magnitude = product
      }
      zeros = 0
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt128(digit))
      if overflow || carry { return false }
      magnitude = sum
    }
    return true
  }

  /// Reads the power of ten, where there is one; false when it has no digits.
  private mutating func power() -> Bool {
    guard byte | 0x20 == UInt8(ascii: "e") else { return true }
    position += 1
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { position += 1 }
    let first = position
    var power = 0
    while 48...57 ~= byte {
      // No number is so large; the digits are read all the same.
      if power < 1_000_000 { power = power * 10 + Int(byte - 48) }
      position += 1
    }
    exponent += isNegative ? -power : power
    return position > first
  }
}
