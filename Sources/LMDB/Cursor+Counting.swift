import CLMDB
import Glibc

extension Cursor {
  /// The number of values from the position to the end of its page, of those keys that `admits` admits, and whether
  /// keys are left behind that page that may be admitted too; the position is then the first of them. `admits` must
  /// admit no key after one that it refuses.
  ///
  /// A committed page tells how many values each of its keys has without going to them. nil where the page cannot be
  /// looked at: there is no position, or the transaction is one that writes and whose pages are elsewhere.
  package func countPage(
    while admits: (UnsafeRawBufferPointer) -> Bool
  ) throws(LMDBError) -> (count: Int, goesOn: Bool)? {
    guard transaction is ReadTransaction, database.options.contains(.dupSort),
      LeafPage.isFound(pageSize: transaction.environment.pageSize), let entry = try current(),
      let page = LeafPage(around: entry.key, pageSize: transaction.environment.pageSize),
      let first = page.index(of: entry.key)
    else { return nil }
    let last = page.count - 1
    if admits(page.key(last)) {
      let count = page.valueCount(first...last)
      // At a key of its own page LMDB need not search the tree.
      guard try seek(page.key(last)) != nil else { return nil }
      return (count, try nextKey() != nil)
    }
    var low = first
    var high = last
    while low < high {
      let middle = (low + high) / 2
      if admits(page.key(middle)) { low = middle + 1 } else { high = middle }
    }
    return (low == first ? 0 : page.valueCount(first...(low - 1)), false)
  }
}

/// A leaf of a tree of sets of numbers, in the map. Its places were checked when the tree was; they are checked again so
/// far that nothing outside the page is read.
struct LeafPage {
  private let base: UnsafeRawPointer
  private let pageSize: Int
  let count: Int

  /// Whether the beginning of a page is known from any place in it. The map begins at a page of the machine, so only
  /// pages that are no larger begin at multiples of their size; a store may come from a machine with larger ones.
  static func isFound(pageSize: Int, machinePageSize: Int = Self.machinePageSize) -> Bool {
    pageSize > 0 && pageSize <= machinePageSize
  }

  private static let machinePageSize = sysconf(Int32(_SC_PAGESIZE))

  /// The page that a key lies in; nil when that is no leaf.
  init?(around key: UnsafeRawBufferPointer, pageSize: Int) {
    guard let address = key.baseAddress, pageSize > 0, pageSize & (pageSize - 1) == 0 else { return nil }
    let offset = Int(bitPattern: address) & (pageSize - 1)
    base = address - offset
    self.pageSize = pageSize
    guard PageNodes.flags(base) == PageNodes.leaf else { return nil }
    let lower = PageNodes.lower(base)
    count = (lower - PageNodes.headerSize) >> 1
    guard count > 0, lower <= pageSize, offset >= lower + PageNodes.nodeHeaderSize else { return nil }
    for index in 0..<count where !isInside(index) { return nil }
  }

  @inline(__always)
  private func offset(_ index: Int) -> Int {
    Int(base.loadUnaligned(fromByteOffset: PageNodes.headerSize + 2 * index, as: UInt16.self))
  }

  @inline(__always)
  private func keySize(_ index: Int) -> Int {
    Int(base.loadUnaligned(fromByteOffset: offset(index) + 6, as: UInt16.self))
  }

  @inline(__always)
  private func isInside(_ index: Int) -> Bool {
    let offset = offset(index)
    guard offset >= PageNodes.headerSize, offset + PageNodes.nodeHeaderSize <= pageSize else { return false }
    // A tree's record is the longest that is read of a value here; a page within the page has a header.
    let needed =
      switch flags(index) & (PageNodes.duplicates | PageNodes.subTree) {
      case 0: 0
      case PageNodes.duplicates: PageNodes.headerSize
      default: TreeRecord.byteCount
      }
    return offset + PageNodes.nodeHeaderSize + keySize(index) + needed <= pageSize
  }

  @inline(__always)
  private func flags(_ index: Int) -> UInt16 {
    base.loadUnaligned(fromByteOffset: offset(index) + 4, as: UInt16.self)
  }

  @inline(__always)
  func key(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + offset(index) + PageNodes.nodeHeaderSize, count: keySize(index))
  }

  /// Which entry has its key at that address.
  func index(of key: UnsafeRawBufferPointer) -> Int? {
    guard let address = key.baseAddress else { return nil }
    let place = address - base - PageNodes.nodeHeaderSize
    return (0..<count).first { offset($0) == place }
  }

  /// How many values the keys of some entries have together.
  func valueCount(_ range: ClosedRange<Int>) -> Int {
    var total = 0
    for index in range {
      switch flags(index) & (PageNodes.duplicates | PageNodes.subTree) {
      case 0: total += 1
      case PageNodes.duplicates:
        total += max(0, (PageNodes.lower(value(index)) - PageNodes.headerSize) >> 1)
      default: total = total.addingReportingOverflow(Int(clamping: TreeRecord(value(index)).entries)).partialValue
      }
    }
    return total
  }

  @inline(__always)
  private func value(_ index: Int) -> UnsafeRawPointer {
    base + offset(index) + PageNodes.nodeHeaderSize + keySize(index)
  }
}
