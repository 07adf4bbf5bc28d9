import Glibc

/// A leaf of a tree of sets of numbers, in the map. Its entries were checked with the tree; they are checked again only
/// as far as needed to read nothing outside the page.
struct LeafPage {
  private let base: UnsafeRawPointer
  private let pageSize: Int
  let count: Int

  /// Whether the start of a page can be computed from any address in it. The map begins at a machine page, so only
  /// pages that are not larger are aligned to their size; a store may come from a machine with larger pages.
  static func isFound(pageSize: Int, machinePageSize: Int = Self.machinePageSize) -> Bool {
    pageSize > 0 && pageSize <= machinePageSize
  }

  private static let machinePageSize = sysconf(Int32(_SC_PAGESIZE))

  /// The page that contains a key; nil when that is not a leaf.
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
    // The record of a tree is the longest value read here; a page within the page has a header.
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

  /// The error for a store with a page whose keys are not found in their order.
  func damage(in environment: Environment) -> LMDBError {
    .damaged(
      path: environment.path, page: Int(clamping: PageNodes.number(base)), what: "its keys are not in their order")
  }

  /// Which entry has its key at that address.
  func index(of key: UnsafeRawBufferPointer) -> Int? {
    guard let address = key.baseAddress else { return nil }
    let place = address - base - PageNodes.nodeHeaderSize
    return (0..<count).first { offset($0) == place }
  }

  /// The end of the entries from `first` on that `admits` accepts; it must not accept any after one that it refuses.
  func admitted(from first: Int, while admits: (UnsafeRawBufferPointer) -> Bool) -> Int {
    if admits(key(count - 1)) { return count }
    var low = first
    var high = count - 1
    while low < high {
      let middle = (low + high) / 2
      if admits(key(middle)) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first of the entries up to `last` that `admits` accepts; it must not accept any before one that it refuses.
  func admitted(to last: Int, while admits: (UnsafeRawBufferPointer) -> Bool) -> Int {
    if admits(key(0)) { return 0 }
    var low = 1
    var high = last + 1
    while low < high {
      let middle = (low + high) / 2
      if admits(key(middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Reads the values of some entries, each a number, as long as they are on this page and there is room.
  ///
  /// - Returns: The number of values read, and the first entry that was not read; nil if all were read.
  func read(
    _ entries: some Sequence<Int>, into room: UnsafeMutableBufferPointer<UInt64>
  ) -> (count: Int, next: Int?) {
    var total = 0
    for index in entries {
      guard let start = room.baseAddress, let numbers = numbers(index), numbers.count <= room.count - total else {
        return (total, index)
      }
      if numbers.count == 1 {
        start[total] = numbers.start.loadUnaligned(as: UInt64.self)
      } else {
        memcpy(start + total, numbers.start, 8 * numbers.count)
      }
      total += numbers.count
    }
    return (total, nil)
  }

  /// The numbers of an entry; nil when they are not on this page or invalid.
  @inline(__always)
  private func numbers(_ index: Int) -> (start: UnsafeRawPointer, count: Int)? {
    var count = 1
    var start = value(index)
    switch flags(index) {
    case 0: guard valueSize(index) == 8 else { return nil }
    case PageNodes.duplicates:
      guard PageNodes.flags(start) & PageNodes.fixedWidth != 0, PageNodes.width(start) == 8 else { return nil }
      count = (PageNodes.lower(start) - PageNodes.headerSize) >> 1
      start += PageNodes.headerSize
    default: return nil
    }
    return count > 0 && start - base + 8 * count <= pageSize ? (start, count) : nil
  }

  /// The total number of values of the keys of some entries.
  func valueCount(_ range: Range<Int>) -> Int {
    var total = 0
    for index in range {
      switch flags(index) & (PageNodes.duplicates | PageNodes.subTree) {
      case 0: total += 1
      case PageNodes.duplicates:
        total += max(0, (PageNodes.lower(value(index)) - PageNodes.headerSize) >> 1)
      default: total += TreeRecord(value(index)).plausibleEntries
      }
    }
    return total
  }

  @inline(__always)
  private func valueSize(_ index: Int) -> Int {
    Int(base.loadUnaligned(fromByteOffset: offset(index), as: UInt32.self))
  }

  @inline(__always)
  private func value(_ index: Int) -> UnsafeRawPointer {
    base + offset(index) + PageNodes.nodeHeaderSize + keySize(index)
  }
}
