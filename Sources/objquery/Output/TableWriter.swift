import ObjectStoreCore

/// Writes rows as a table whose columns line up: drawn, plain, or in Markdown. It holds all rows until the end,
/// because the widest decides.
final class TableWriter: ResultWriter {
  private let drawing: TableDrawing
  private let shape: OutputShape
  private let style: OutputStyle
  private let sink: OutputSink
  private var rows: [[String]] = []
  private var widths: [Int]
  private let headings: [String]

  init(_ drawing: TableDrawing, _ shape: OutputShape, _ style: OutputStyle, _ sink: OutputSink) {
    self.drawing = drawing
    self.shape = shape
    self.style = style
    self.sink = sink
    headings = shape.leaves.map { drawing.cell($0.heading) }
    widths = headings.map { style.headers ? Screen.width($0) : 1 }
  }

  func begin() {}

  func row(_ values: [Value]) {
    var cells: [String] = []
    cells.reserveCapacity(shape.leaves.count)
    for (index, leaf) in shape.leaves.enumerated() {
      let value = values.indices.contains(leaf.place) ? values[leaf.place] : .null
      let text = drawing.cell(ValueText.plain(value, null: style.nullText ?? "nil"))
      widths[index] = max(widths[index], Screen.width(text))
      cells.append(text)
    }
    rows.append(cells)
  }

  func end() throws {
    let fit = TableFit(
      widths: widths, isText: shape.leaves.map(\.isText), frame: drawing.frameWidth,
      limit: style.width ?? (sink.isTerminal ? style.screenWidth : nil))
    let shown = fit.widths.count
    guard shown > 0 else { return }
    if let top = drawing.rule(.top, fit.widths) { try sink.write(top) }
    if style.headers || drawing.alwaysHasHeader {
      try sink.write(line(headings, fit, isHeading: true))
      if let middle = drawing.rule(.middle, fit.widths, rightAligned: shape.leaves.map(\.isNumeric)) {
        try sink.write(middle)
      }
    }
    for cells in rows { try sink.write(line(cells, fit, isHeading: false)) }
    if let bottom = drawing.rule(.bottom, fit.widths) { try sink.write(bottom) }
    if shown < headings.count {
      let rest = headings.count - shown
      try sink.write("\(counted(rest, "more column")) not shown: SELECT some, or .mode line\n")
    }
  }

  private func line(_ cells: [String], _ fit: TableFit, isHeading: Bool) -> String {
    var padded: [String] = []
    for (index, width) in fit.widths.enumerated() {
      let text = Screen.clipped(cells[index], to: width)
      let space = String(repeating: " ", count: max(0, width - Screen.width(text)))
      padded.append(shape.leaves[index].isNumeric && !isHeading ? space + text : text + space)
    }
    return drawing.line(padded)
  }
}

/// The widths of a table's columns on a screen: long texts are cut first, and columns that don't fit then are left out.
/// Numbers and dates are shown whole or not at all, since a part of them says something else.
struct TableFit {
  /// The widths of the columns that are shown.
  private(set) var widths: [Int]

  /// No column is made narrower than this for the sake of others.
  private static let narrowest = 12

  /// - Parameters:
  ///   - frame: what a table of `n` columns takes besides them.
  ///   - limit: the width of the screen; nil is no limit.
  ///   - isText: which columns may be cut.
  init(widths: [Int], isText: [Bool], frame: (Int) -> Int, limit: Int?) {
    self.widths = widths
    guard let limit else { return }
    let texts = widths.indices.filter { isText.indices.contains($0) && isText[$0] }
    var excess = widths.reduce(frame(widths.count), +) - limit
    while excess > 0, let widest = texts.map({ self.widths[$0] }).max(), widest > Self.narrowest {
      // Cut all of the widest to the next width below, or just as far as needed.
      let places = texts.filter { self.widths[$0] == widest }
      let next = max(texts.map { self.widths[$0] }.filter { $0 < widest }.max() ?? 0, Self.narrowest)
      let cut = min(widest - next, (excess + places.count - 1) / places.count)
      for place in places { self.widths[place] -= cut }
      excess -= cut * places.count
    }
    while self.widths.count > 1, self.widths.reduce(frame(self.widths.count), +) > limit { self.widths.removeLast() }
  }
}
