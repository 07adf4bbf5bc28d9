import ObjectStoreCore

/// Rows made from consecutive records, with the errors of the records that could not be converted.
///
/// The memory of the rows is reused, so the thread that fills the block also frees their previous values. A block is
/// used by one thread at a time.
final class RowBlock {
  /// The result for one record.
  enum Content {
    case row
    /// A row, and the number that the object has in the data.
    case numbered(ObjectNumber)
    case linked(LinkedRow)
    case bad(String)
  }

  /// The reason there are no more rows after a block.
  enum Ending {
    case end
    case damaged(line: Int, offset: Int, reason: String)
    case failed(ByteWindow.Failure)
  }

  /// The result for each record, and the line on which it began.
  private(set) var contents: [(line: Int, content: Content)] = []
  /// Nil when another block follows.
  var ending: Ending?
  /// How far the file was read then, 0…1.
  var fraction = 0.0
  /// The number of bytes of the file that were read for it.
  var byteCount = 0
  private let width: Int
  private let values: UnsafeMutableBufferPointer<Value>
  /// The maximum number of records.
  let capacity: Int

  /// The number of bytes of the file after which it counts as full.
  static let mostBytes = 1 << 20
  private static let mostRecords = 2048
  private static let mostValues = 1 << 16

  /// - Parameter width: The number of values in a row.
  init(width: Int) {
    self.width = width
    capacity = min(max(Self.mostValues / max(width, 1), 16), Self.mostRecords)
    values = .allocate(capacity: max(width, 1) * capacity)
    values.initialize(repeating: .null)
    contents.reserveCapacity(capacity)
  }

  deinit {
    values.deinitialize()
    values.deallocate()
  }

  var isFull: Bool { contents.count >= capacity || byteCount >= Self.mostBytes }

  /// Whether there is a record at an index.
  func holds(_ place: Int) -> Bool { place < contents.count }

  /// The row at an index, whose values are valid only if the record's result is a row.
  func row(_ place: Int) -> UnsafeMutableBufferPointer<Value> {
    UnsafeMutableBufferPointer(rebasing: values[place * width..<(place + 1) * width])
  }

  /// The row that the next content is about.
  var nextRow: UnsafeMutableBufferPointer<Value> { row(contents.count) }

  func add(_ content: Content, line: Int) { contents.append((line, content)) }

  /// Removes all rows; values that take little memory are released only when they are replaced.
  func clear() {
    if byteCount > 2 * Self.mostBytes { values.update(repeating: .null) }
    contents.removeAll(keepingCapacity: true)
    ending = nil
    byteCount = 0
  }
}
