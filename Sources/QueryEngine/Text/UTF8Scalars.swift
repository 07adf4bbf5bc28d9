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

  /// Adds a scalar.
  @inline(__always)
  static func append(_ scalar: UInt32, to text: inout [UInt8]) {
    switch scalar {
    case ..<0x80: text.append(UInt8(truncatingIfNeeded: scalar))
    case ..<0x800:
      text.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
      text.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    case ..<0x10000:
      text.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
      text.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      text.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    default:
      text.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
      text.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F))
      text.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F))
      text.append(UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F))
    }
  }

  /// How many bytes the scalar that starts with `byte` takes; 1 for a byte that starts none.
  @inline(__always)
  static func length(startingWith byte: UInt8) -> Int {
    byte < 0xC2 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 1
  }

  /// How many scalars there are.
  static func count(_ text: UnsafeRawBufferPointer) -> Int {
    var count = 0
    for byte in text where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }
}
