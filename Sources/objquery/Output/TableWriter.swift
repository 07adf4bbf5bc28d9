import ObjectStoreCore
internal import Values

/// Writes rows as a table with aligned columns: drawn, plain, or in Markdown.
///
/// The first rows determine the widths of the columns; the rows after them are written as they come, so a table of any
/// length takes the memory of its first rows. A later value that is too wide is cut if it is a text on a screen, and
/// otherwise makes its own line longer.
final class TableWriter: ResultWriter {
  private let drawing: TableDrawing
  private let shape: OutputShape
  private let style: OutputStyle
  private let sink: OutputSink
  private let null: String
  private let isColored: Bool
  /// The width of the screen; nil without one.
  private let limit: Int?
  /// The headings, and the types if they are shown.
  private var header = TableCells()
  /// The rows that are not written yet.
  private var cells = TableCells()
  private var widths: [Int]
  /// The columns as drawn; nil while the rows only determine the widths.
  private var fit: TableFit?
  /// The number of rows not written yet.
  private var waiting = 0
  /// The words between the waiting rows, each with the number of rows before it.
  private var gaps: [(row: Int, words: String)] = []

  /// The number of rows that determine the widths.
  static let sample = 512

  init(_ drawing: TableDrawing, _ shape: OutputShape, _ style: OutputStyle, _ sink: OutputSink) {
    self.drawing = drawing
    self.shape = shape
    self.style = style
    self.sink = sink
    null = style.nullText ?? "nil"
    isColored = style.isColored && sink.isTerminal
    limit = style.width ?? (sink.isTerminal ? style.screenWidth : nil)
    widths = []
    for leaf in shape.leaves {
      let width = header.append(heading: leaf.heading, as: drawing)
      widths.append(style.headers ? width : 1)
    }
    guard style.showsTypes else { return }
    for (place, leaf) in shape.leaves.enumerated() {
      let width = header.append(heading: leaf.type, isDimmed: true, as: drawing)
      if style.headers { widths[place] = max(widths[place], width) }
    }
  }

  func begin() {}

  func row(_ values: [Value]) throws {
    for (index, leaf) in shape.leaves.enumerated() {
      let value = values.indices.contains(leaf.place) ? values[leaf.place] : .null
      let width = cells.append(value, null: null, as: drawing)
      if fit == nil { widths[index] = max(widths[index], width) }
    }
    waiting += 1
    if fit != nil || waiting == Self.sample { try writeWaiting(isAll: false) }
  }

  func gap(_ words: String) throws {
    guard fit != nil else { return gaps.append((waiting, words)) }
    try writeGap(words)
  }

  func end() throws {
    try writeWaiting(isAll: true)
    guard let fit, !fit.widths.isEmpty else { return }
    if let bottom = drawing.rule(.bottom, fit.widths) { try sink.write(bottom) }
    let rest = widths.count - fit.widths.count
    if rest > 0 {
      try sink.write("\(counted(rest, "more column")) not shown: SELECT some, or .mode line\n")
    }
  }

  // MARK: Writing

  /// Writes the rows that wait, after the header if they are the first.
  ///
  /// - Parameter isAll: Whether no rows follow.
  private func writeWaiting(isAll: Bool) throws {
    let fit = try self.fit ?? begun(isAll: isAll)
    var gaps = gaps[...]
    for row in 0..<waiting {
      while let gap = gaps.first, gap.row <= row { try writeGap(gaps.removeFirst().words) }
      try sink.write { line(row, of: cells, fit, to: &$0) }
    }
    for gap in gaps { try writeGap(gap.words) }
    self.gaps = []
    waiting = 0
    cells.removeAll()
  }

  /// Determines the columns and writes the header.
  private func begun(isAll: Bool) throws -> TableFit {
    let fit = TableFit(
      widths: widths, isText: shape.leaves.map(\.isText), frame: drawing.frameWidth, limit: limit, isSample: !isAll)
    self.fit = fit
    guard !fit.widths.isEmpty else { return fit }
    if let top = drawing.rule(.top, fit.widths) { try sink.write(top) }
    if style.headers || drawing.alwaysHasHeader {
      for row in 0..<(style.showsTypes ? 2 : 1) {
        try sink.write { line(row, of: header, fit, isHeader: true, to: &$0) }
      }
      if let middle = drawing.rule(.middle, fit.widths, rightAligned: shape.leaves.map(\.isNumeric)) {
        try sink.write(middle)
      }
    }
    return fit
  }

  /// Words across all columns if they are wide enough.
  private func writeGap(_ words: String) throws {
    guard let fit, !fit.widths.isEmpty else { return }
    let space = fit.widths.reduce(drawing.frameWidth(fit.widths.count) - 4, +) - Screen.width(words)
    let shown = isColored ? Screen.dimmed(words) : words
    // Words across the columns would be one cell to a reader of Markdown.
    guard space >= 0, drawing != .markdown else { return try sink.write(shown + "\n") }
    try sink.write("\(drawing.bar) \(shown)\(String(repeating: " ", count: space)) \(drawing.bar)\n")
  }

  /// Appends a row of cells.
  private func line(
    _ row: Int, of cells: borrowing TableCells, _ fit: TableFit, isHeader: Bool = false, to text: inout TextBytes
  ) {
    for (index, width) in fit.widths.enumerated() {
      let leaf = shape.leaves[index]
      text.append(drawing.bar)
      text.append(UInt8(ascii: " "))
      cells.append(
        row * widths.count + index, to: &text,
        TableCells.Look(
          width: width, isRightAligned: leaf.isNumeric && !isHeader, isCut: limit != nil && (leaf.isText || isHeader),
          isColored: isColored))
      text.append(UInt8(ascii: " "))
    }
    guard !fit.widths.isEmpty else { return }
    text.append(drawing.bar)
    text.append(UInt8(ascii: "\n"))
  }
}
