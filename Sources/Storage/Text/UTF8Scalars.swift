/// UTF-8 a scalar at a time, on raw bytes. Wrong bytes never trap: each reads as U+FFFD.
enum UTF8Scalars {
  /// The scalar that starts at `index` and how many bytes it takes.
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
    return (scalar, length)
  }
}
