import ObjectStoreCore

/// The cells of a table in sequence, each with its text and width. It does not know rows.
struct TableCells: ~Copyable {
  private var text = TextBytes()
  private var cells: [(end: Int, width: Int)] = []

  var count: Int { cells.count }

  /// Appends a cell and returns its width.
  mutating func append(_ value: Value, null: String, as drawing: TableDrawing) -> Int {
    let start = text.count
    ValueText.append(value, null: null, to: &text)
    var width = text.count - start
    if !drawing.isCell(text.bytes(from: start)) {
      let cell = drawing.cell(String(decoding: text.removeEnd(from: start), as: UTF8.self))
      text.append(cell)
      width = Screen.width(cell)
    }
    cells.append((text.count, width))
    return width
  }

  /// Appends a cell to a line, padded to the width of its column.
  func append(_ place: Int, to line: inout TextBytes, width: Int, isRightAligned: Bool) {
    let cell = cells[place]
    let part = (place > 0 ? cells[place - 1].end : 0)..<cell.end
    guard cell.width > width else {
      return append(text.bytes(part), to: &line, space: width - cell.width, isRightAligned)
    }
    var clipped = Screen.clipped(text.string(part), to: width)
    let space = width - Screen.width(clipped)
    clipped.withUTF8 { append($0, to: &line, space: space, isRightAligned) }
  }

  private func append(
    _ cell: UnsafeBufferPointer<UInt8>, to line: inout TextBytes, space: Int, _ isRightAligned: Bool
  ) {
    if isRightAligned { line.append(repeating: UInt8(ascii: " "), count: space) }
    line.append(cell)
    if !isRightAligned { line.append(repeating: UInt8(ascii: " "), count: space) }
  }
}
