/// One line of a source as displayed, with the carets below it.
///
/// Tabs become spaces and control characters visible symbols, so that the carets align on every terminal and a text
/// can't send commands to it.
struct SourceExcerpt {
  /// The line, cut with `…` if it is too long.
  var line = ""
  /// The blanks before the carets.
  var indent = ""
  /// The carets, at least one.
  var carets = ""

  private static let tabWidth = 4
  /// The number of bytes around a range that are considered for each available column: a text of a megabyte on one line
  /// need not be processed completely for every error.
  private static let bytesPerColumn = 32

  init(_ source: SourceText, line number: Int, range: SourceRange, width: Int) {
    let offsets = source.line(number)
    let start = min(max(range.lowerBound, offsets.lowerBound), offsets.upperBound)
    let end = min(max(range.upperBound, start), offsets.upperBound)
    let reach = max(width, 1) * Self.bytesPerColumn
    var before = Self.shown(source.text(max(offsets.lowerBound, start - reach)..<start))
    var marked = Self.shown(source.text(start..<min(end, start + reach)))
    var after = Self.shown(source.text(end..<min(offsets.upperBound, end + reach)))
    if DisplayWidth.columns(before + marked + after) > width {
      // The range itself has priority, then the text before it, then the text after it.
      if DisplayWidth.columns(marked) > width * 2 / 3 {
        marked = Self.prefix(marked, width * 2 / 3) + "…"
        after = ""
      }
      let room = width - DisplayWidth.columns(marked)
      let wantedAfter = min(DisplayWidth.columns(after), room / 3)
      if DisplayWidth.columns(before) > room - wantedAfter {
        before = "…" + Self.suffix(before, room - wantedAfter - 1)
      }
      let left = room - DisplayWidth.columns(before)
      if DisplayWidth.columns(after) > left { after = Self.prefix(after, max(left - 1, 0)) + "…" }
    }
    line = before + marked + after
    indent = String(repeating: " ", count: DisplayWidth.columns(before))
    carets = String(repeating: "^", count: max(1, DisplayWidth.columns(marked)))
  }

  private static func shown(_ text: String) -> String {
    var shown = ""
    for character in text {
      if character == "\t" {
        shown += String(repeating: " ", count: tabWidth)
      } else if character.unicodeScalars.contains(where: isUnsafe) {
        for scalar in character.unicodeScalars { shown += isUnsafe(scalar) ? "\u{FFFD}" : String(scalar) }
      } else {
        shown.append(character)
      }
    }
    return shown
  }

  /// Control characters, and the characters that reorder text on the screen.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: scalar.properties.generalCategory == .control
    }
  }

  private static func prefix(_ text: String, _ columns: Int) -> String {
    var left = columns
    return String(
      text.prefix { character in
        left -= DisplayWidth.columns(character)
        return left >= 0
      })
  }

  private static func suffix(_ text: String, _ columns: Int) -> String {
    String(prefix(String(text.reversed()), columns).reversed())
  }
}
