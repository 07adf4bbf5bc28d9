import CSystem
import Glibc

/// Records which chunks of an entity's clusters this process has validated, so that each version of a chunk is
/// validated once. A lookup is two loads, without a lock.
///
/// A word represents 31 directory entries and the directory itself of one cluster: the low half has a bit for each, the
/// high half identifies the version (by the directory's checksum, which covers the transaction and every chunk's
/// checksum). Its size is limited: clusters beyond the limit are validated every time.
package final class ValidatedChunks: @unchecked Sendable {
  private static let pageSize = 4096
  private static let pageCount = 4096
  private static let entriesPerWord = 32

  /// The addresses of the words, for lookups without reference counting. The words live as long as the owner.
  let table: Table

  private var pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?> { table.pages }
  private var wordsPerCluster: Int { table.wordsPerCluster }

  /// An empty record, for clusters of about `columnCount` columns.
  package init(columnCount: Int) {
    // Zeroed pages, which the system provides lazily.
    let bytes = calloc(Self.pageCount, MemoryLayout<UnsafeMutablePointer<UInt64>?>.stride)
    let pages =
      bytes.map { $0.bindMemory(to: UnsafeMutablePointer<UInt64>?.self, capacity: Self.pageCount) }
      ?? Self.allocatedPages()
    table = Table(pages: pages, wordsPerCluster: columnCount / Self.entriesPerWord + 1)
  }

  private static func allocatedPages() -> UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?> {
    let pages = UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>.allocate(capacity: pageCount)
    pages.initialize(repeating: nil, count: pageCount)
    return pages
  }

  deinit {
    for page in 0..<Self.pageCount where pages[page] != nil { free(pages[page]) }
    free(pages)
  }

  /// Remembers that `item` of that version of the cluster was checked.
  func insert(cluster: UInt64, version: UInt64, item: Int) {
    guard cluster < UInt64(Self.pageCount * Self.pageSize), item < wordsPerCluster * Self.entriesPerWord,
      let page = page(Int(cluster / UInt64(Self.pageSize)))
    else { return }
    let word = page + table.place(of: cluster, item)
    let tag = version << 32
    while true {
      let old = system_load_relaxed(word)
      let kept = old >> 32 == tag >> 32 ? old : tag
      if system_replace_relaxed(word, old, kept | 1 << UInt64(item & 31)) { return }
    }
  }

  private func page(_ index: Int) -> UnsafeMutablePointer<UInt64>? {
    if let page = system_load_pointer(pages + index) { return page }
    let bytes = calloc(Self.pageSize * wordsPerCluster, MemoryLayout<UInt64>.stride)
    guard let bytes else { return nil }
    let page = bytes.bindMemory(to: UInt64.self, capacity: Self.pageSize * wordsPerCluster)
    if system_publish_pointer(pages + index, page) { return page }
    free(bytes)
    return system_load_pointer(pages + index)
  }

  /// The addresses of the words.
  struct Table {
    let pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>
    let wordsPerCluster: Int

    /// Whether `item` (0 for the directory, then its entries) of that version of the cluster was checked.
    @inline(__always) func contains(cluster: UInt64, version: UInt64, item: Int) -> Bool {
      guard cluster < UInt64(pageCount * pageSize), item < wordsPerCluster &* entriesPerWord,
        let page = system_load_pointer(pages + Int(truncatingIfNeeded: cluster / UInt64(pageSize)))
      else { return false }
      let word = system_load_relaxed(page + place(of: cluster, item))
      return word &>> 32 == version & 0xFFFF_FFFF && word &>> UInt64(item & 31) & 1 == 1
    }

    @inline(__always) func place(of cluster: UInt64, _ item: Int) -> Int {
      Int(truncatingIfNeeded: cluster & UInt64(pageSize - 1)) &* wordsPerCluster &+ item / entriesPerWord
    }
  }
}
