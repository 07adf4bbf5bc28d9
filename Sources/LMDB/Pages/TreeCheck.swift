import Glibc

/// A walk over all pages of a tree that believes nothing: places, kinds, order of keys, depth and number of entries.
///
/// After it LMDB can use the tree without meeting anything it does not expect. Knows LMDB 0.9's pages; does not know
/// whether values are right, for LMDB keeps no checksums.
struct TreeCheck {
  private let map: PageMap
  private let record: TreeRecord
  /// How the tree is called in messages.
  private let name: String
  private let kind: Kind
  private let starts: UnsafeMutablePointer<UInt64>
  private var entries: UInt64 = 0
  /// What to do with each value of a tree without duplicates.
  private let visit: Visitor?

  typealias Visitor = (
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ flags: UInt16
  ) throws(LMDBError) -> Void

  /// Which tree, and so which entries it can have.
  enum Kind {
    case free, main, named
    /// The values of one key, as keys without values.
    case duplicates
  }

  /// Checks a tree; throws at the first flaw.
  static func run(
    _ map: PageMap, _ record: TreeRecord, _ kind: Kind, name: String, visit: Visitor? = nil
  ) throws(LMDBError) {
    if let flaw = record.flaw { throw map.damage(record.root ?? 0, "\(name): \(flaw)") }
    let isKnown =
      switch kind {
      case .named: DatabaseOptions(rawValue: UInt32(record.flags)).isSupported
      // Those of the meta pages were judged with them, and those of values by the key they belong to.
      case .free, .main, .duplicates: true
      }
    guard isKnown else { throw map.damage(record.root ?? 0, "\(name): a tree of kind \(record.flags)") }
    guard let root = record.root else { return }
    let starts = UnsafeMutablePointer<UInt64>.allocate(capacity: map.pageSize >> 7 + 2)
    defer { starts.deallocate() }
    var check = TreeCheck(map: map, record: record, name: name, kind: kind, starts: starts, visit: visit)
    try check.page(root, level: 1, from: nil, to: nil)
    guard check.entries == record.entries else {
      throw map.damage(root, "\(name): \(check.entries) entries where there should be \(record.entries)")
    }
  }

  private init(
    map: PageMap, record: TreeRecord, name: String, kind: Kind, starts: UnsafeMutablePointer<UInt64>, visit: Visitor?
  ) {
    self.map = map
    self.record = record
    self.name = name
    self.kind = kind
    self.starts = starts
    self.visit = visit
  }

  /// Checks a page and what is below it. Its keys are at least `from` and less than `to`.
  private mutating func page(
    _ number: UInt64, level: UInt16, from: UnsafeRawBufferPointer?, to: UnsafeRawBufferPointer?
  ) throws(LMDBError) {
    let page = try map.claim(number, for: name)
    guard PageNodes.number(page) == number else { throw map.damage(number, "\(name): it is another page") }
    let flags = PageNodes.flags(page)
    if level < record.depth {
      guard flags == PageNodes.branch else { throw map.damage(number, "\(name): no branch at level \(level)") }
      try branch(number, page, level: level, from: from, to: to)
    } else if kind == .duplicates, record.has(TreeRecord.dupFixed) {
      guard flags == PageNodes.leaf | PageNodes.fixedWidth else {
        throw map.damage(number, "\(name): no leaf of numbers")
      }
      entries += try UInt64(fixedWidth(number, page, byteCount: map.pageSize, from: from, to: to))
    } else {
      guard flags == PageNodes.leaf else { throw map.damage(number, "\(name): no leaf at level \(level)") }
      try leaf(number, page, from: from, to: to)
    }
  }

  private mutating func branch(
    _ number: UInt64, _ page: UnsafeRawPointer, level: UInt16, from: UnsafeRawBufferPointer?,
    to: UnsafeRawBufferPointer?
  ) throws(LMDBError) {
    guard let nodes = PageNodes(page, byteCount: map.pageSize, isBranch: true, starts: starts) else {
      throw map.damage(number, "\(name): misplaced entries")
    }
    guard nodes.count >= (kind == .free ? 1 : 2) else {
      throw map.damage(number, "\(name): a branch of \(nodes.count)")
    }
    // The first key of a branch says nothing: everything before the second is below it.
    var start = from
    for index in 0..<nodes.count {
      let end = index + 1 < nodes.count ? nodes.key(index + 1) : to
      if index + 1 < nodes.count, let end { try key(end, number, after: start, before: to, mayEqual: index == 0) }
      try self.page(nodes.child(index), level: level + 1, from: start, to: end)
      start = end
    }
  }

  private mutating func leaf(
    _ number: UInt64, _ page: UnsafeRawPointer, from: UnsafeRawBufferPointer?, to: UnsafeRawBufferPointer?
  ) throws(LMDBError) {
    guard let nodes = PageNodes(page, byteCount: map.pageSize, isBranch: false, starts: starts), nodes.count > 0 else {
      throw map.damage(number, "\(name): misplaced entries")
    }
    var previous = from
    for index in 0..<nodes.count {
      let key = nodes.key(index)
      try self.key(key, number, after: previous, before: nil, mayEqual: index == 0)
      previous = key
      if kind == .duplicates {
        guard nodes.flags(index) == 0, nodes.valueSize(index) == 0 else {
          throw map.damage(number, "\(name): a duplicate with a value")
        }
        entries += 1
      } else {
        try value(of: nodes, index, number)
      }
    }
    if let to, let previous, !isOrdered(previous, to) { throw map.damage(number, "\(name): keys out of order") }
  }

  /// Checks a value and counts its entries.
  private mutating func value(of nodes: PageNodes, _ index: Int, _ number: UInt64) throws(LMDBError) {
    let size = nodes.valueSize(index)
    let value = nodes.value(index)
    let hasDuplicates = kind == .named && record.has(TreeRecord.dupSort)
    switch nodes.flags(index) {
    case 0:
      if hasDuplicates, record.has(TreeRecord.integerDup), size != 8 {
        throw map.damage(number, "\(name): a value of \(size) bytes where numbers are")
      }
      try visit?(nodes.key(index), UnsafeRawBufferPointer(start: value, count: size), 0)
      entries += 1
    case PageNodes.bigData where !hasDuplicates:
      let first = value.loadUnaligned(as: UInt64.self)
      let needed = (PageNodes.headerSize - 1 + size) / map.pageSize + 1
      let header = try map.claim(first, for: name)
      guard PageNodes.number(header) == first, PageNodes.flags(header) == PageNodes.overflow,
        PageNodes.pages(header) >= needed
      else { throw map.damage(first, "\(name): no pages of a large value") }
      if PageNodes.pages(header) > 1 {
        _ = try map.claim(first + 1, count: PageNodes.pages(header) - 1, for: name)
      }
      try visit?(
        nodes.key(index), UnsafeRawBufferPointer(start: header + PageNodes.headerSize, count: size), PageNodes.bigData)
      entries += 1
    case PageNodes.subTree where kind == .main:
      guard size == TreeRecord.byteCount else { throw map.damage(number, "\(name): a database of \(size) bytes") }
      try visit?(nodes.key(index), UnsafeRawBufferPointer(start: value, count: size), PageNodes.subTree)
      entries += 1
    case PageNodes.duplicates where hasDuplicates:
      entries += try UInt64(innerPage(number, value, byteCount: size))
    case PageNodes.duplicates | PageNodes.subTree where hasDuplicates:
      guard size == TreeRecord.byteCount else { throw map.damage(number, "\(name): a tree of \(size) bytes") }
      let tree = TreeRecord(value)
      guard tree.flags == duplicateFlags, !record.has(TreeRecord.dupFixed) || tree.width == 8, tree.entries > 0 else {
        throw map.damage(number, "\(name): values of another kind")
      }
      try Self.run(map, tree, .duplicates, name: name)
      let (sum, overflow) = entries.addingReportingOverflow(tree.entries)
      guard !overflow else { throw map.damage(number, "\(name): more entries than can be") }
      entries = sum
    case let flags:
      throw map.damage(number, "\(name): an entry of kind \(flags)")
    }
  }

  /// The kind of a tree of the values of one key.
  private var duplicateFlags: UInt16 {
    record.has(TreeRecord.dupFixed) ? TreeRecord.dupFixed | TreeRecord.integerKey : 0
  }

  /// Checks a page within an entry that holds a few values of a key; returns how many.
  private mutating func innerPage(
    _ number: UInt64, _ page: UnsafeRawPointer, byteCount: Int
  ) throws(LMDBError) -> Int {
    guard byteCount >= PageNodes.headerSize else {
      throw map.damage(number, "\(name): an inner page of \(byteCount) bytes")
    }
    let isFixed = record.has(TreeRecord.dupFixed)
    let expected = PageNodes.leaf | PageNodes.inner | (isFixed ? PageNodes.fixedWidth : 0)
    guard PageNodes.flags(page) & ~PageNodes.dirty == expected else {
      throw map.damage(number, "\(name): no inner page")
    }
    if isFixed { return try fixedWidth(number, page, byteCount: byteCount, from: nil, to: nil) }
    guard let nodes = PageNodes(page, byteCount: byteCount, isBranch: false, starts: starts), nodes.count > 0 else {
      throw map.damage(number, "\(name): misplaced values")
    }
    var previous: UnsafeRawBufferPointer?
    for index in 0..<nodes.count {
      let key = nodes.key(index)
      let isAfter = previous.map { Self.isLess($0, key) } ?? true
      guard nodes.flags(index) == 0, nodes.valueSize(index) == 0, key.count <= 511, isAfter
      else { throw map.damage(number, "\(name): values out of order") }
      previous = key
    }
    return nodes.count
  }

  /// Checks a page of ascending numbers; returns how many.
  private func fixedWidth(
    _ number: UInt64, _ page: UnsafeRawPointer, byteCount: Int, from: UnsafeRawBufferPointer?,
    to: UnsafeRawBufferPointer?
  ) throws(LMDBError) -> Int {
    let lower = PageNodes.lower(page)
    let upper = PageNodes.upper(page)
    guard lower > PageNodes.headerSize, lower & 1 == 0, lower <= upper, PageNodes.width(page) == 8 else {
      throw map.damage(number, "\(name): misplaced numbers")
    }
    let count = (lower - PageNodes.headerSize) >> 1
    guard PageNodes.headerSize + count * 8 <= byteCount, upper - lower <= byteCount - PageNodes.headerSize - count * 8
    else { throw map.damage(number, "\(name): misplaced numbers") }
    let numbers = page + PageNodes.headerSize
    var previous = numbers.loadUnaligned(as: UInt64.self)
    var isAscending = true
    for index in 1..<max(count, 1) {
      let next = numbers.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
      isAscending = isAscending && previous < next
      previous = next
    }
    if let from, from.count == 8 {
      isAscending = isAscending && from.loadUnaligned(as: UInt64.self) <= numbers.loadUnaligned(as: UInt64.self)
    }
    if let to, to.count == 8 { isAscending = isAscending && previous < to.loadUnaligned(as: UInt64.self) }
    guard isAscending else { throw map.damage(number, "\(name): numbers out of order") }
    return count
  }

  // MARK: Keys

  private func key(
    _ key: UnsafeRawBufferPointer, _ number: UInt64, after previous: UnsafeRawBufferPointer?,
    before end: UnsafeRawBufferPointer?, mayEqual: Bool
  ) throws(LMDBError) {
    let sizes = record.has(TreeRecord.integerKey) ? 8...8 : (kind == .duplicates ? 0 : 1)...511
    guard sizes.contains(key.count) else { throw map.damage(number, "\(name): a key of \(key.count) bytes") }
    if let previous, mayEqual ? isOrdered(key, previous) : !isOrdered(previous, key) {
      throw map.damage(number, "\(name): keys out of order")
    }
    if let end, !isOrdered(key, end) { throw map.damage(number, "\(name): keys out of order") }
  }

  /// Whether the one key comes before the other.
  @inline(__always)
  private func isOrdered(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    if record.has(TreeRecord.integerKey) {
      guard a.count == 8, b.count == 8 else { return false }
      return a.loadUnaligned(as: UInt64.self) < b.loadUnaligned(as: UInt64.self)
    }
    return Self.isLess(a, b)
  }

  @inline(__always)
  private static func isLess(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    let count = min(a.count, b.count)
    if count > 0, let x = a.baseAddress, let y = b.baseAddress {
      let order = memcmp(x, y, count)
      if order != 0 { return order < 0 }
    }
    return a.count < b.count
  }
}
