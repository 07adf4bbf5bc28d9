/// Offsets in UTF-16 code units, which editors and the language server protocol count.
extension SourceText {
  /// The number of UTF-16 code units before a UTF-8 offset; offsets outside the text count as its ends.
  public func utf16Offset(of offset: Int) -> Int {
    let offset = clamped(offset)
    let mark = offset / Self.markDistance
    return units(mark * Self.markDistance..<offset, from: utf16Marks[mark])
  }

  /// The UTF-8 offset of a number of UTF-16 code units; nil outside the text, and between the halves of a character.
  public func utf8Offset(ofUTF16 wanted: Int) -> Int? {
    guard wanted >= 0, let last = utf16Marks.lastIndex(where: { $0 <= wanted }) else { return nil }
    var offset = last * Self.markDistance
    var count = utf16Marks[last]
    while count < wanted, offset < bytes.count {
      count += Self.units(bytes[offset])
      offset += 1
    }
    // The rest of a character has no units of its own.
    while offset < bytes.count, Self.units(bytes[offset]) == 0 { offset += 1 }
    return count == wanted ? offset : nil
  }

  /// The distance of the offsets whose UTF-16 counterparts are known.
  static let markDistance = 64

  /// The number of code units before each multiple of `markDistance`.
  static func marks(_ bytes: [UInt8]) -> [Int] {
    var marks = [0]
    var count = 0
    for (offset, byte) in bytes.enumerated() {
      count += units(byte)
      if (offset + 1) % markDistance == 0 { marks.append(count) }
    }
    return marks
  }

  private func units(_ part: Range<Int>, from count: Int) -> Int {
    bytes[part].reduce(count) { $0 + Self.units($1) }
  }

  /// The code units of the character that a byte begins; 0 for the bytes after its first.
  private static func units(_ byte: UInt8) -> Int {
    switch byte {
    case 0x80..<0xC0: 0
    case 0xF0...: 2
    default: 1
    }
  }
}
