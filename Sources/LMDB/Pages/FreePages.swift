/// The pages that are free at one commit, as the lists of the tree of free pages say.
///
/// A few pages are searched for in each list. Once many have been, all lists are read: a write that changes every object
/// asks for each of the pages that it frees.
final class FreePages {
  let commit: UInt64
  /// The number of pages asked for.
  private var asked = 0
  /// A bit for each page of the file, once all lists were read.
  private var bits: [UInt64]?

  /// The number of pages that are searched for one by one.
  private static let mostSearches = 64

  init(commit: UInt64) { self.commit = commit }

  /// Those of some pages that are free.
  ///
  /// - Parameter header: The meta pages as of the commit.
  func pages(among wanted: [UInt64], _ pages: PageGuard, _ header: FileHeader) throws(LMDBError) -> Set<UInt64> {
    asked = min(asked, Int.max / 2) + wanted.count
    if bits == nil, asked > Self.mostSearches {
      var read = [UInt64](repeating: 0, count: Int(clamping: header.newest.lastPage / 64) + 1)
      try Self.forEachList(pages, header) { list in
        for index in 1..<list.count / 8 {
          let page = list.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
          if page / 64 < UInt64(read.count) { read[Int(page / 64)] |= 1 << (page % 64) }
        }
      }
      bits = read
    }
    if let bits {
      return Set(wanted.filter { $0 / 64 < UInt64(bits.count) && bits[Int($0 / 64)] >> ($0 % 64) & 1 == 1 })
    }
    var found: Set<UInt64> = []
    if wanted.isEmpty { return found }
    try Self.forEachList(pages, header) { list in
      for page in wanted where Self.contains(page, list) { found.insert(page) }
    }
    return found
  }

  /// Calls `body` with each list: its length, and the pages, the highest first.
  private static func forEachList(
    _ pages: PageGuard, _ header: FileHeader, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(LMDBError) {
    let tree = header.newest.freeTree
    guard tree.root != nil else { return }
    let check = try PageCheck(
      tree, .free, name: "the tree of free pages", pageSize: pages.pageSize, path: pages.path, starts: pages.starts)
    var path = try TreePath(pages, check, to: .first)
    repeat {
      guard let leaf = path.leaf else { return }
      let nodes = path.nodes(leaf)
      for index in 0..<nodes.count {
        guard let list = try pages.value(nodes, index, check), list.count >= 8 else { continue }
        let count = min(list.loadUnaligned(as: UInt64.self), UInt64(list.count / 8 - 1))
        body(UnsafeRawBufferPointer(rebasing: list[..<(8 * (Int(count) + 1))]))
      }
    } while try path.move(forward: true)
  }

  private static func contains(_ page: UInt64, _ list: UnsafeRawBufferPointer) -> Bool {
    let count = list.count / 8 - 1
    func number(_ index: Int) -> UInt64 { list.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self) }
    var (low, high) = (1, count + 1)
    while low < high {
      let middle = (low + high) / 2
      if number(middle) > page { low = middle + 1 } else { high = middle }
    }
    return low <= count && number(low) == page
  }
}
