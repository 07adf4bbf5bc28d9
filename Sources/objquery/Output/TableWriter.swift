import ObjectStoreCore

/// Writes rows as a table with aligned columns: drawn, plain, or in Markdown. It holds all rows until the end, because
/// the widest cell determines the width of a column.
final class TableWriter: ResultWriter {
  private let drawing: TableDrawing
  private let shape: OutputShape
  private let style: OutputStyle
  private let sink: OutputSink
  private let null: String
  /// The headings and then the rows.
  private var cells = TableCells()
  private var widths: [Int]

  init(_ drawing: TableDrawing, _ shape: OutputShape, _ style: OutputStyle, _ sink: OutputSink) {
    self.drawing = drawing
    self.shape = shape
    self.style = style
    self.sink = sink
    null = style.nullText ?? "nil"
    widths = []
    for leaf in shape.leaves {
      let width = cells.append(.string(leaf.heading), null: null, as: drawing)
      widths.append(style.headers ? width : 1)
    }
  }

  func begin() {}

  func row(_ values: [Value]) {
    for (index, leaf) in shape.leaves.enumerated() {
      let value = values.indices.contains(leaf.place) ? values[leaf.place] : .null
      widths[index] = max(widths[index], cells.append(value, null: null, as: drawing))
    }
  }

  func end() throws {
    let fit = TableFit(
      widths: widths, isText: shape.leaves.map(\.isText), frame: drawing.frameWidth,
      limit: style.width ?? (sink.isTerminal ? style.screenWidth : nil))
    let shown = fit.widths.count
    guard shown > 0 else { return }
    if let top = drawing.rule(.top, fit.widths) { try sink.write(top) }
    if style.headers || drawing.alwaysHasHeader {
      try sink.write { line(0, fit, to: &$0) }
      if let middle = drawing.rule(.middle, fit.widths, rightAligned: shape.leaves.map(\.isNumeric)) {
        try sink.write(middle)
      }
    }
    for first in stride(from: widths.count, to: cells.count, by: widths.count) {
      try sink.write { line(first, fit, to: &$0) }
    }
    if let bottom = drawing.rule(.bottom, fit.widths) { try sink.write(bottom) }
    if shown < widths.count {
      let rest = widths.count - shown
      try sink.write("\(counted(rest, "more column")) not shown: SELECT some, or .mode line\n")
    }
  }

  /// Appends the row whose cells begin with `first`; the headings begin with 0.
  private func line(_ first: Int, _ fit: TableFit, to text: inout TextBytes) {
    for (index, width) in fit.widths.enumerated() {
      text.append(drawing.bar)
      text.append(UInt8(ascii: " "))
      cells.append(
        first + index, to: &text, width: width, isRightAligned: first > 0 && shape.leaves[index].isNumeric)
      text.append(UInt8(ascii: " "))
    }
    text.append(drawing.bar)
    text.append(UInt8(ascii: "\n"))
  }
}

/// The widths of a table's columns on a screen: long texts are cut first, then columns that don't fit are left out.
/// Numbers and dates are shown completely or not at all, since a part of them would be misleading.
struct TableFit {
  /// The widths of the columns that are shown.
  private(set) var widths: [Int]

  /// Columns are not made narrower than this to make room for others.
  private static let narrowest = 12

  /// - Parameters:
  ///   - frame: The width of a table of `n` columns in addition to the columns.
  ///   - limit: The width of the screen; nil means no limit.
  ///   - isText: Whether each column may be cut.
  init(widths: [Int], isText: [Bool], frame: (Int) -> Int, limit: Int?) {
    self.widths = widths
    guard let limit else { return }
    let texts = widths.indices.filter { isText.indices.contains($0) && isText[$0] }
    var excess = widths.reduce(frame(widths.count), +) - limit
    while excess > 0, let widest = texts.map({ self.widths[$0] }).max(), widest > Self.narrowest {
      // Cuts all of the widest columns to the next smaller width, or only as far as needed.
      let places = texts.filter { self.widths[$0] == widest }
      let next = max(texts.map { self.widths[$0] }.filter { $0 < widest }.max() ?? 0, Self.narrowest)
      let cut = min(widest - next, (excess + places.count - 1) / places.count)
      for place in places { self.widths[place] -= cut }
      excess -= cut * places.count
    }
    while self.widths.count > 1, self.widths.reduce(frame(self.widths.count), +) > limit { self.widths.removeLast() }
  }
}
