import ObjectStoreCore

/// Rows made of records, one after another, and what is wrong with the records between that are none.
///
/// The rows are in memory that is used again for the next ones, so that whoever fills the block also frees what they held.
/// It is used by one thread at a time, and does not know which.
final class RowBlock {
  /// What became of one record.
  enum Content {
    case row
    /// A row, and the number that the object has in the data.
    case numbered(ObjectNumber)
    case linked(LinkedRow)
    case bad(String)
  }

  /// Why nothing comes after a block.
  enum Ending {
    case end
    case damaged(line: Int, offset: Int, reason: String)
    case failed(ByteWindow.Failure)
  }

  /// What became of each record, and the line on which it began.
  private(set) var contents: [(line: Int, content: Content)] = []
  /// Nil when another block follows.
  var ending: Ending?
  /// How far the file was read then, 0…1.
  var fraction = 0.0
  /// How many bytes of the file were read for it.
  var byteCount = 0
  private let width: Int
  private let values: UnsafeMutableBufferPointer<Value>
  /// How many records it takes.
  let capacity: Int

  /// Beyond so many bytes of the file it is full.
  static let mostBytes = 1 << 20
  private static let mostRecords = 2048
  private static let mostValues = 1 << 16

  /// - Parameter width: how many values a row has.
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

  /// Whether there is a record at a place.
  func holds(_ place: Int) -> Bool { place < contents.count }

  /// The row at a place, whose values mean something where the content says so.
  func row(_ place: Int) -> UnsafeMutableBufferPointer<Value> {
    UnsafeMutableBufferPointer(rebasing: values[place * width..<(place + 1) * width])
  }

  /// The row that the next content is about.
  var nextRow: UnsafeMutableBufferPointer<Value> { row(contents.count) }

  func add(_ content: Content, line: Int) { contents.append((line, content)) }

  /// Forgets all; values that take little memory are only forgotten when others come in their place.
  func clear() {
    if byteCount > 2 * Self.mostBytes { values.update(repeating: .null) }
    contents.removeAll(keepingCapacity: true)
    ending = nil
    byteCount = 0
  }
}
