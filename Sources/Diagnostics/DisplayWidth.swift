/// The width of text in terminal columns: East Asian characters and emoji take two, combining marks none.
public enum DisplayWidth {
  /// The columns of a text.
  public static func columns(_ text: some Sequence<Character>) -> Int {
    text.reduce(0) { $0 + columns($1) }
  }

  /// The columns of one character: 0, 1 or 2.
  public static func columns(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii == 0x7F || ascii < 0x20 ? 0 : 1 }
    var width = 0
    for scalar in character.unicodeScalars {
      // U+FE0F selects the emoji form of a character that also has a text form.
      if scalar == "\u{FE0F}" { return 2 }
      width = max(width, columns(scalar))
    }
    return width
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
