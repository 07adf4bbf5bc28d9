internal import Diagnostics
import Glibc
import ObjectStoreCore
internal import Values

/// The appearance of text on a terminal: its width, and the characters that must be escaped.
enum Screen {
  /// What begins dimmed text.
  static let dim = "\u{1B}[2m"
  /// What ends it.
  static let plain = "\u{1B}[0m"

  /// A text for a terminal with colours that is not part of the values.
  static func dimmed(_ text: String) -> String { dim + text + plain }

  /// The number of columns that a text takes.
  static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return DisplayWidth.columns(text)
  }

  /// `text` with control characters escaped, so that data can't send commands to the terminal: `␛[2J` shows as
  /// `\u{1B}[2J`.
  ///
  /// Line breaks and tabs are also escaped in the cells of a table.
  static func harmless(_ text: String, keepsLines: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: { isControl($0) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where keepsLines, "\t" where keepsLines: result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isControl(scalar): result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Escapes the part of `text` from `start` on.
  static func makeHarmless(_ text: inout TextBytes, from start: Int, keepsLines: Bool = false) {
    var mayBeHarmful = false
    // C1 and the marks of direction begin with these two bytes.
    for byte in text.bytes(from: start) where byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 {
      mayBeHarmful = true
    }
    guard mayBeHarmful else { return }
    text.append(harmless(String(decoding: text.removeEnd(from: start), as: UTF8.self), keepsLines: keepsLines))
  }

  /// C0, C1, and the characters that change the text direction.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// `text` cut to a width, with an ellipsis in the last column if something is missing.
  static func clipped(_ text: String, to limit: Int) -> String {
    guard width(text) > limit else { return text }
    var result = ""
    var used = 0
    for character in text {
      let next = width(String(character))
      if used + next > limit - 1 { break }
      result.append(character)
      used += next
    }
    return result + "…" + String(repeating: " ", count: max(0, limit - 1 - used))
  }

  /// The size of the terminal on standard output; nil when it is not a terminal.
  static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
