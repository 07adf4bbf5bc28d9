import Glibc
import ObjectStoreCore

/// The rows of a file, read and made on a thread of their own while those before them are stored.
///
/// As long as it runs the reader and the builder are that thread's. It does not know the store.
final class RowsAhead: @unchecked Sendable {
  private let reader: any RecordReader
  private let builder: RowBuilder
  private let queue: BlockQueue
  private var thread: pthread_t?
  private let width: Int
  /// The block that is being used, by who asks for rows.
  private(set) var block: RowBlock
  /// The place of the record at hand in the block.
  private(set) var place = -1

  /// How many blocks are filled or full at most while another is used.
  private static let ahead = 3

  /// Begins at the record at which the reader is.
  ///
  /// - Parameter width: how many values a row has.
  init(_ reader: any RecordReader, _ builder: RowBuilder, width: Int) {
    self.reader = reader
    self.builder = builder
    self.width = width
    queue = BlockQueue((0..<Self.ahead).map { _ in RowBlock(width: width) })
    block = RowBlock(width: width)
    start()
  }

  /// Steps to the next record; false when there is none, and then the block says why.
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

  /// Ends the thread. The reader and the builder are the caller's again; the reader is somewhere ahead.
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
    // Where there can be no other thread, blocks are filled when they are asked for.
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

  /// Reads as many records as a block takes.
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
