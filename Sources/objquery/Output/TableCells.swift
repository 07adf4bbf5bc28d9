import ObjectStoreCore
internal import Values

/// The cells of a table in sequence, each with its text and width. It does not know rows.
struct TableCells: ~Copyable {
  private var text = TextBytes()
  private var cells: [Cell] = []

  private struct Cell {
    var end: Int
    var width: Int
    var isDimmed: Bool
  }

  /// How a cell is written to a line.
  struct Look {
    /// The width of the column.
    var width: Int
    var isRightAligned: Bool
    /// Whether a text that is too long is cut; otherwise it makes its line longer.
    var isCut: Bool
    var isColored: Bool
  }

  var count: Int { cells.count }

  /// Appends a value as a cell and returns its width.
  mutating func append(_ value: Value, null: String, as drawing: TableDrawing) -> Int {
    let start = text.count
    ValueText.appendCell(value, null: null, to: &text)
    return finish(from: start, isDimmed: value.isNull, as: drawing)
  }

  /// Appends a heading as a cell and returns its width.
  mutating func append(heading: String, isDimmed: Bool = false, as drawing: TableDrawing) -> Int {
    let start = text.count
    text.append(heading)
    return finish(from: start, isDimmed: isDimmed, as: drawing)
  }

  private mutating func finish(from start: Int, isDimmed: Bool, as drawing: TableDrawing) -> Int {
    var width = text.count - start
    if !drawing.isCell(text.bytes(from: start)) {
      let cell = drawing.cell(String(decoding: text.removeEnd(from: start), as: UTF8.self))
      text.append(cell)
      width = Screen.width(cell)
    }
    cells.append(Cell(end: text.count, width: width, isDimmed: isDimmed))
    return width
  }

  /// Removes all cells and keeps the memory.
  mutating func removeAll() {
    text.removeAll()
    cells.removeAll(keepingCapacity: true)
  }

  /// Appends a cell to a line, padded to the width of its column.
  func append(_ place: Int, to line: inout TextBytes, _ look: Look) {
    let cell = cells[place]
    let part = (place > 0 ? cells[place - 1].end : 0)..<cell.end
    let isDimmed = cell.isDimmed && look.isColored
    guard cell.width > look.width, look.isCut else {
      return append(text.bytes(part), to: &line, space: look.width - cell.width, look.isRightAligned, isDimmed)
    }
    var clipped = Screen.clipped(text.string(part), to: look.width)
    let space = look.width - Screen.width(clipped)
    clipped.withUTF8 { append($0, to: &line, space: space, look.isRightAligned, isDimmed) }
  }

  private func append(
    _ cell: UnsafeBufferPointer<UInt8>, to line: inout TextBytes, space: Int, _ isRightAligned: Bool, _ isDimmed: Bool
  ) {
    if isRightAligned { line.append(repeating: UInt8(ascii: " "), count: space) }
    if isDimmed { line.append(Screen.dim) }
    line.append(cell)
    if isDimmed { line.append(Screen.plain) }
    if !isRightAligned { line.append(repeating: UInt8(ascii: " "), count: space) }
  }
}
