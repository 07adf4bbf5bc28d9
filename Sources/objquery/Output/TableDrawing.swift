/// How a table is drawn: its lines, and what a cell must look like. It knows no values.
enum TableDrawing {
  case box, ascii, markdown

  enum Rule { case top, middle, bottom }

  /// A Markdown table without a header is none.
  var alwaysHasHeader: Bool { self == .markdown }

  /// What a table of `columns` takes besides the columns' widths.
  func frameWidth(_ columns: Int) -> Int { columns * 3 + 1 }

  /// The text of a cell: on one line, and nothing that commands a terminal.
  func cell(_ text: String) -> String {
    let text = Screen.harmless(text)
    return self == .markdown
      ? text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") : text
  }

  /// A horizontal line, where this drawing has one.
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

  /// A row of cells that all have their width.
  func line(_ cells: [String]) -> String {
    let bar = self == .box ? "│" : "|"
    return bar + " " + cells.joined(separator: " \(bar) ") + " " + bar + "\n"
  }
}
