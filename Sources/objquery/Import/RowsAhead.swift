import Glibc
import ObjectStoreCore

/// Reads and converts the rows of a file on a separate thread while earlier rows are stored.
///
/// The reader and the builder belong to that thread while it runs. It does not know the store.
final class RowsAhead: @unchecked Sendable {
  private let reader: any RecordReader
  private let builder: RowBuilder
  private let queue: BlockQueue
  private var thread: pthread_t?
  private let width: Int
  /// The block in use by the caller.
  private(set) var block: RowBlock
  /// The index of the current record in the block.
  private(set) var place = -1

  /// The maximum number of blocks that are filled or full while another is in use.
  private static let ahead = 3

  /// Begins at the reader's current record.
  ///
  /// - Parameter width: The number of values in a row.
  init(_ reader: any RecordReader, _ builder: RowBuilder, width: Int) {
    self.reader = reader
    self.builder = builder
    self.width = width
    queue = BlockQueue((0..<Self.ahead).map { _ in RowBlock(width: width) })
    block = RowBlock(width: width)
    start()
  }

  /// Advances to the next record; false when there is none, and the block gives the reason.
  func step() -> Bool {
    place += 1
    while !block.holds(place) {
      if block.ending != nil { return false }
      place = 0
      if thread == nil {
        fill(block)
      } else if let next = queue.takeFull() {
        queue.give(empty: block)
        block = next
      } else {
        return false
      }
    }
    return true
  }

  /// Ends the thread. The reader and the builder belong to the caller again; the reader has advanced further.
  func stop() {
    queue.close()
    if let thread { pthread_join(thread, nil) }
    thread = nil
  }

  private func start() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let failure = pthread_create(
      &thread, nil,
      { context in
        context.map { Unmanaged<RowsAhead>.fromOpaque($0).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    // If no thread can be started, blocks are filled on demand.
    if failure == 0 { self.thread = thread } else { context.release() }
  }

  private func run() {
    while let block = queue.takeEmpty() {
      fill(block)
      let isLast = block.ending != nil
      queue.give(full: block)
      if isLast { return }
    }
  }

  /// Reads records until the block is full.
  private func fill(_ block: RowBlock) {
    block.clear()
    let start = reader.offset
    do throws(ByteWindow.Failure) {
      while !block.isFull {
        switch try reader.next() {
        case .record(let record, let line): block.add(content(of: record, in: block), line: line)
        case .bad(let line, let reason): block.add(.bad(reason), line: line)
        case .end: block.ending = .end
        case .damaged(let line, let offset, let reason):
          block.ending = .damaged(line: line, offset: offset, reason: reason)
        }
        if block.ending != nil { break }
        block.byteCount = reader.offset - start
      }
    } catch {
      block.ending = .failed(error)
    }
    block.fraction = reader.fraction
  }

  private func content(of record: UnsafeBufferPointer<Field>, in block: RowBlock) -> RowBlock.Content {
    if let reason = builder.build(record, of: reader, into: block.nextRow) { return .bad(reason) }
    if builder.hasLinks {
      if let links = builder.laterLinks { return .linked(links) }
      switch builder.linked() {
      case .row(let row): return .linked(LinkedRow(identity: builder.identity, content: .row(row)))
      case .unfit(let reason): return .bad(reason)
      }
    }
    return builder.identity.map { .numbered($0) } ?? .row
  }
}
