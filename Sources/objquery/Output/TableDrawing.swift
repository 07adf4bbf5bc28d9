/// The style of a table: its lines and the escaping of cells. It knows no values.
enum TableDrawing {
  case box, ascii, markdown

  enum Rule { case top, middle, bottom }

  /// A Markdown table needs a header.
  var alwaysHasHeader: Bool { self == .markdown }

  /// The width of a table of `columns` in addition to the widths of the columns.
  func frameWidth(_ columns: Int) -> Int { columns * 3 + 1 }

  /// The text of a cell: on one line, and with control characters escaped.
  func cell(_ text: String) -> String {
    let text = Screen.harmless(text)
    return self == .markdown
      ? text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") : text
  }

  /// Whether a text needs no escaping, and its width is its number of bytes: a fast path.
  func isCell(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let bar = self == .markdown ? UInt8(ascii: "|") : 0
    var isCell = true
    for byte in text where byte < 0x20 || byte >= 0x7F || byte == bar { isCell = false }
    return isCell
  }

  /// A horizontal line, if this style has one.
  func rule(_ rule: Rule, _ widths: [Int], rightAligned: [Bool] = []) -> String? {
    switch self {
    case .ascii:
      return "+" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "+") + "+\n"
    case .box:
      let (left, middle, right) =
        switch rule {
        case .top: ("┌", "┬", "┐")
        case .middle: ("├", "┼", "┤")
        case .bottom: ("└", "┴", "┘")
        }
      return left + widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: middle) + right + "\n"
    case .markdown:
      guard rule == .middle else { return nil }
      let cells = widths.enumerated().map { index, width in
        let isRight = rightAligned.indices.contains(index) && rightAligned[index]
        return String(repeating: "-", count: width + 1) + (isRight ? ":" : "-")
      }
      return "|" + cells.joined(separator: "|") + "|\n"
    }
  }

  /// The text before, between and after the cells of a row.
  var bar: String { self == .box ? "│" : "|" }
}
