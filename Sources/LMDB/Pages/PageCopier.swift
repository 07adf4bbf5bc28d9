import Glibc

/// Writes the pages of trees to a new file one after the other, with new numbers, as a check walks over them: children
/// before their parents, so that each page is written once. The file has no free pages.
///
/// It does not check what it copies.
final class PageCopier {
  /// What differs in the copy of a page, at an offset in it.
  enum Change {
    /// The page an entry of a branch leads to.
    case child(offset: Int, UInt64)
    /// The first page of a large value.
    case largeValue(offset: Int, UInt64)
    /// The record of a tree.
    case record(offset: Int, TreeRecord)
  }

  private let file: Int32
  private let path: String
  private let pageSize: Int
  private let isCancelled: (() -> Bool)?
  /// The number of the next page.
  private var next: UInt64 = 2
  /// The pages that were not written yet.
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0

  /// A copier to an empty file.
  ///
  /// - Parameter isCancelled: Called whenever about a mebibyte is written: once it returns true, copying fails.
  init(_ file: Int32, pageSize: Int, path: String, isCancelled: (() -> Bool)?) {
    self.file = file
    self.path = path
    self.pageSize = pageSize
    self.isCancelled = isCancelled
    buffer = .allocate(byteCount: 1 << 20, alignment: 4_096)
    // The meta pages, which are written last.
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    filled = 2 * pageSize
  }

  deinit { buffer.deallocate() }

  /// Copies a page with changes; returns its number.
  func copy(_ page: UnsafeRawPointer, _ changes: [Change]) throws(LMDBError) -> UInt64 {
    let number = try copy(page, pages: 1)
    guard let copy = buffer.baseAddress.map({ $0 + (filled - pageSize) }) else { return number }
    for change in changes {
      switch change {
      case .child(let offset, let child):
        copy.storeBytes(of: UInt32(truncatingIfNeeded: child), toByteOffset: offset, as: UInt32.self)
        copy.storeBytes(of: UInt16(truncatingIfNeeded: child >> 32), toByteOffset: offset + 4, as: UInt16.self)
      case .largeValue(let offset, let first): copy.storeBytes(of: first, toByteOffset: offset, as: UInt64.self)
      case .record(let offset, let record): record.write(to: copy + offset)
      }
    }
    return number
  }

  /// Copies pages that lie side by side and belong together; returns the number of the first.
  func copy(_ first: UnsafeRawPointer, pages: Int) throws(LMDBError) -> UInt64 {
    let number = next
    next += UInt64(pages)
    var left = UnsafeRawBufferPointer(start: first, count: pages * pageSize)
    var isFirst = true
    while !left.isEmpty {
      if filled == buffer.count { try write() }
      let part = left.prefix(buffer.count - filled)
      let place = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + part.count])
      place.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      if isFirst { place.storeBytes(of: number, as: UInt64.self) }
      isFirst = false
      filled += part.count
      left = UnsafeRawBufferPointer(rebasing: left.dropFirst(part.count))
    }
    return number
  }

  /// Writes the rest and the meta pages: one for the commit, and one that says nothing was committed before.
  func finish(_ mainTree: TreeRecord, commit: UInt64) throws(LMDBError) {
    try write()
    let freeTree = TreeRecord(width: UInt32(pageSize), flags: TreeRecord.integerKey)
    let meta = FileHeader.Meta(
      pageSize: pageSize, commit: commit, lastPage: Int(next) - 1, freeTree: freeTree, mainTree: mainTree)
    let empty = FileHeader.Meta(
      pageSize: pageSize, commit: 0, lastPage: 1, freeTree: freeTree, mainTree: TreeRecord(flags: 0))
    guard lseek(file, 0, SEEK_SET) == 0, let start = buffer.baseAddress else {
      throw .lastSystemError("copying to", path)
    }
    memset(start, 0, 2 * pageSize)
    for page in 0..<2 {
      (page == meta.page ? meta : empty).write(to: start + page * pageSize, page: page)
    }
    filled = 2 * pageSize
    try write()
  }

  private func write() throws(LMDBError) {
    if let isCancelled, isCancelled() { throw .cancelled }
    var written = 0
    while written < filled, let start = buffer.baseAddress {
      let count = Glibc.write(file, start + written, filled - written)
      if count >= 0 { written += count } else if errno != EINTR { throw .lastSystemError("copying to", path) }
    }
    filled = 0
  }
}
