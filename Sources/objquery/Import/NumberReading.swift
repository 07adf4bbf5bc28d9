import Glibc

/// Reads numbers written as text, in CSV and in quoted JSON strings. It does not know column types.
enum NumberReading {
  /// The integer that all of `bytes` represent in decimal, if it fits in 64 bits.
  static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    var index = 0
    guard let first = bytes.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    if isNegative || first == UInt8(ascii: "+") { index = 1 }
    guard index < bytes.count, bytes.count - index <= 19 else { return nil }
    var number: UInt64 = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ UInt64(digit)
      index += 1
    }
    if isNegative { return number <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- number) : nil }
    return Int64(exactly: number)
  }

  /// Whether all of `bytes` are the digits of a whole number, with a sign or without, however many.
  static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var digits = bytes[...]
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    return !digits.isEmpty && digits.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  /// The number that all of `bytes` spell; `inf`, `-inf` and `nan` too.
  static func real(_ bytes: UnsafeRawBufferPointer) -> Double? {
    if let short = short(bytes) { return short }
    guard let first = bytes.first, bytes.count < 400 else { return nil }
    // A date begins like a number: the bytes rule out most texts that are not numbers.
    if first != UInt8(ascii: "-"), first != UInt8(ascii: "+"), first < UInt8(ascii: "A"), !bytes.allSatisfy(isNumeral) {
      return nil
    }
    // Swift's parser also accepts hexadecimal, which is not meant as a number in data.
    let allowed: Bool =
      switch first {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): true
      default: false
      }
    let text = String(decoding: bytes, as: UTF8.self)
    if allowed, !text.utf8.contains(where: { $0 | 32 == UInt8(ascii: "x") || $0 | 32 == UInt8(ascii: "n") }) {
      return Double(text)
    }
    return special(text)
  }

  /// The number given by digits, with an optional decimal point and sign, if both the digits as a number and the power
  /// of ten are exact: then their quotient equals the result of parsing the text.
  private static func short(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard bytes.count <= 17, let first = bytes.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var index = isNegative || first == UInt8(ascii: "+") ? 1 : 0
    let start = index
    var number: UInt64 = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit >= 10 { break }
      number = number &* 10 &+ UInt64(digit)
      index += 1
    }
    guard index > start else { return nil }
    var digits = index - start
    var scale = 1.0
    if index < bytes.count {
      guard bytes[index] == UInt8(ascii: "."), index + 1 < bytes.count else { return nil }
      index += 1
      digits += bytes.count - index
      while index < bytes.count {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number &* 10 &+ UInt64(digit)
        scale *= 10
        index += 1
      }
    }
    guard digits <= 15 else { return nil }
    let magnitude = Double(number) / scale
    return isNegative ? -magnitude : magnitude
  }

  /// Whether a decimal number may have the byte.
  private static func isNumeral(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// Whether the text is `nan`, `inf` or `-inf`.
  static func isSpecial(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 3, let first = bytes.first, let last = bytes.last else { return false }
    // Quickly rejects nearly all other texts by their first and last characters.
    switch last | 0x20 {
    case UInt8(ascii: "n"), UInt8(ascii: "f"), UInt8(ascii: "y"): break
    default: return false
    }
    switch first | 0x20 {
    case UInt8(ascii: "n"), UInt8(ascii: "i"), UInt8(ascii: "+") | 0x20, UInt8(ascii: "-") | 0x20: break
    default: return false
    }
    return special(String(decoding: bytes, as: UTF8.self)) != nil
  }

  private static func special(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: return nil
    }
  }

  /// Whether zeros at the front would be lost in a number: `007`, `-01`.
  static func hasLeadingZeros(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var digits = bytes[...]
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    guard digits.count >= 2, digits.first == UInt8(ascii: "0") else { return false }
    return digits.dropFirst().first.map { $0 &- UInt8(ascii: "0") < 10 } ?? false
  }

  /// `true` or `false`, in any letter case.
  static func bool(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    switch bytes.count {
    case 4: isWord(bytes, "true") ? true : nil
    case 5: isWord(bytes, "false") ? false : nil
    default: nil
    }
  }

  /// Whether the bytes are the given lowercase word, ignoring letter case.
  private static func isWord(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
    for index in 0..<min(bytes.count, word.utf8CodeUnitCount) where bytes[index] | 0x20 != word.utf8Start[index] {
      return false
    }
    return true
  }
}
