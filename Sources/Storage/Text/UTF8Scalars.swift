/// UTF-8 a scalar at a time, on raw bytes. Wrong bytes never trap: each reads as U+FFFD.
enum UTF8Scalars {
  /// The scalar that starts at `index`, and its number of bytes.
  @inline(__always)
  static func decode(_ text: UnsafeRawBufferPointer, at index: Int) -> (scalar: UInt32, length: Int) {
    let first = UInt32(text[index])
    if first < 0x80 { return (first, 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, index + length <= text.count else { return (0xFFFD, 1) }
    var scalar = first & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = UInt32(text[index + offset])
      guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
      scalar = scalar << 6 | byte & 0x3F
    }
    // An overlong encoding, a surrogate, or a value beyond the last scalar.
    guard length == 2 || scalar >= (length == 3 ? 0x800 : 0x10000), !(0xD800..<0xE000 ~= scalar), scalar < 0x110000
    else { return (0xFFFD, 1) }
    return (scalar, length)
  }

  /// The bytes of a scalar.
  static func encode(_ scalar: UInt32) -> [UInt8] {
    let (bits, count) = packed(scalar)
    return (0..<count).map { UInt8(truncatingIfNeeded: bits >> UInt32($0 * 8)) }
  }

  /// The bytes of a scalar, the first lowest, and their number.
  @inline(__always)
  static func packed(_ scalar: UInt32) -> (bits: UInt32, count: Int) {
    if scalar < 0x80 { return (scalar, 1) }
    if scalar < 0x800 { return (0x80C0 | scalar >> 6 | (scalar & 0x3F) << 8, 2) }
    if scalar < 0x10000 { return (0x8080E0 | scalar >> 12 | (scalar >> 6 & 0x3F) << 8 | (scalar & 0x3F) << 16, 3) }
    return (
      0x8080_80F0 | scalar >> 18 | (scalar >> 12 & 0x3F) << 8 | (scalar >> 6 & 0x3F) << 16 | (scalar & 0x3F) << 24, 4
    )
  }
}
