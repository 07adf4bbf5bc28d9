import Glibc

/// Checks one page of a tree by itself: offsets, flags, and the order of keys within the page and within the bounds set
/// by the pages above.
///
/// Afterwards LMDB can search the page without finding anything unexpected. It does not check whether other pages refer
/// to the same page, nor whether values are right, since LMDB keeps no checksums.
struct PageCheck {
  /// Which tree, and so which entries it can have.
  enum Kind {
    case free, main, named
    /// The values of one key, treated as keys without values.
    case duplicates
  }

  let record: TreeRecord
  let kind: Kind
  /// How the tree is called in messages.
  let name: String
  let pageSize: Int
  /// The file, for messages.
  let path: String
  /// Scratch memory of a bit for every two bytes of a page, and a little more.
  let starts: UnsafeMutablePointer<UInt64>
  /// The tree, for the claims to its pages.
  var owner = PageClaims.nobody

  /// A tree with a plausible record; throws otherwise.
  init(
    _ record: TreeRecord, _ kind: Kind, name: String, pageSize: Int, path: String,
    starts: UnsafeMutablePointer<UInt64>
  ) throws(LMDBError) {
    self.record = record
    self.kind = kind
    self.name = name
    self.pageSize = pageSize
    self.path = path
    self.starts = starts
    if let flaw = record.flaw { throw damage(record.root ?? 0, flaw) }
    let isKnown =
      switch kind {
      case .named: DatabaseOptions(rawValue: UInt32(record.flags)).isSupported
      // The flags of the meta pages were checked with them, and those of values with their key.
      case .free, .main, .duplicates: true
      }
    guard isKnown else { throw damage(record.root ?? 0, "a tree of kind \(record.flags)") }
  }

  /// What decides which entries a page may have.
  struct Rules: Equatable {
    let kind: Kind
    let flags: UInt16
  }

  var rules: Rules { Rules(kind: kind, flags: record.flags) }

  func damage(_ page: UInt64, _ what: String) -> LMDBError {
    .damaged(path: path, page: Int(clamping: page), what: "\(name): \(what)")
  }

  /// Whether the leaves hold numbers side by side.
  var hasFixedLeaves: Bool { kind == .duplicates && record.has(TreeRecord.dupFixed) }

  /// Whether keys may have several values.
  var hasDuplicates: Bool { kind == .named && record.has(TreeRecord.dupSort) }

  /// Throws unless a page has the right kind for its level.
  func kind(of page: UnsafeRawPointer, _ number: UInt64, level: UInt16) throws(LMDBError) {
    guard PageNodes.number(page) == number else { throw damage(number, "it is another page") }
    let flags = PageNodes.flags(page)
    if level < record.depth {
      guard flags == PageNodes.branch else { throw damage(number, "no branch at level \(level)") }
    } else if hasFixedLeaves {
      guard flags == PageNodes.leaf | PageNodes.fixedWidth else { throw damage(number, "no leaf of numbers") }
    } else {
      guard flags == PageNodes.leaf else { throw damage(number, "no leaf at level \(level)") }
    }
  }

  /// The entries of a branch, whose keys must be at least `from` and less than `to`.
  func branch(
    _ number: UInt64, _ page: UnsafeRawPointer, from: UnsafeRawBufferPointer?, to: UnsafeRawBufferPointer?
  ) throws(LMDBError) -> PageNodes {
    guard let nodes = PageNodes(unverified: page, byteCount: pageSize, isBranch: true, starts: starts) else {
      throw damage(number, "misplaced entries")
    }
    guard nodes.count >= (kind == .free ? 1 : 2) else { throw damage(number, "a branch of \(nodes.count)") }
    // The first key of a branch is ignored: everything before the second is below it.
    var start = from
    for index in 1..<nodes.count {
      let key = nodes.key(index)
      try self.key(key, number, after: start, before: to, mayEqual: index == 1)
      start = key
    }
    return nodes
  }

  /// The entries of a leaf without fixed width, whose keys must be at least `from` and less than `to`.
  func leaf(
    _ number: UInt64, _ page: UnsafeRawPointer, from: UnsafeRawBufferPointer?, to: UnsafeRawBufferPointer?
  ) throws(LMDBError) -> PageNodes {
    guard let nodes = PageNodes(unverified: page, byteCount: pageSize, isBranch: false, starts: starts), nodes.count > 0
    else { throw damage(number, "misplaced entries") }
    var previous = from
    for index in 0..<nodes.count {
      let key = nodes.key(index)
      try self.key(key, number, after: previous, before: nil, mayEqual: index == 0)
      previous = key
      if kind == .duplicates, nodes.flags(index) != 0 || nodes.valueSize(index) != 0 {
        throw damage(number, "a duplicate with a value")
      }
    }
    if let to, let previous, !isOrdered(previous, to) { throw damage(number, "keys out of order") }
    return nodes
  }

  /// The number of entries that a value of a leaf represents, as far as the leaf shows.
  func entries(_ nodes: PageNodes, _ index: Int, _ number: UInt64) throws(LMDBError) -> UInt64 {
    let size = nodes.valueSize(index)
    switch nodes.flags(index) {
    case 0:
      if hasDuplicates, record.has(TreeRecord.integerDup), size != 8 {
        throw damage(number, "a value of \(size) bytes where numbers are")
      }
      return 1
    case PageNodes.bigData where !hasDuplicates: return 1
    case PageNodes.subTree where kind == .main:
      guard size == TreeRecord.byteCount else { throw damage(number, "a database of \(size) bytes") }
      return 1
    case PageNodes.duplicates where hasDuplicates: return try UInt64(innerPage(number, nodes.value(index), size))
    case PageNodes.duplicates | PageNodes.subTree where hasDuplicates:
      guard size == TreeRecord.byteCount else { throw damage(number, "a tree of \(size) bytes") }
      let tree = TreeRecord(nodes.value(index))
      guard tree.flags == duplicateFlags, !record.has(TreeRecord.dupFixed) || tree.width == 8, tree.entries > 0 else {
        throw damage(number, "values of another kind")
      }
      if let flaw = tree.flaw { throw damage(number, flaw) }
      return tree.entries
    case let flags: throw damage(number, "an entry of kind \(flags)")
    }
  }

  /// The kind of a tree of the values of one key.
  private var duplicateFlags: UInt16 {
    record.has(TreeRecord.dupFixed) ? TreeRecord.dupFixed | TreeRecord.integerKey : 0
  }

  /// Checks a page within an entry that contains a few values of a key; returns their number.
  private func innerPage(_ number: UInt64, _ page: UnsafeRawPointer, _ byteCount: Int) throws(LMDBError) -> Int {
    guard byteCount >= PageNodes.headerSize else { throw damage(number, "an inner page of \(byteCount) bytes") }
    let isFixed = record.has(TreeRecord.dupFixed)
    let expected = PageNodes.leaf | PageNodes.inner | (isFixed ? PageNodes.fixedWidth : 0)
    guard PageNodes.flags(page) & ~PageNodes.dirty == expected else { throw damage(number, "no inner page") }
    if isFixed { return try fixedWidth(number, page, byteCount: byteCount, from: nil, to: nil) }
    guard let nodes = PageNodes(unverified: page, byteCount: byteCount, isBranch: false, starts: starts),
      nodes.count > 0
    else { throw damage(number, "misplaced values") }
    var previous: UnsafeRawBufferPointer?
    for index in 0..<nodes.count {
      let key = nodes.key(index)
      let isAfter = previous.map { Self.isLess($0, key) } ?? true
      guard nodes.flags(index) == 0, nodes.valueSize(index) == 0, key.count <= 511, isAfter
      else { throw damage(number, "values out of order") }
      previous = key
    }
    return nodes.count
  }

  /// Checks a page of ascending numbers; returns their number.
  func fixedWidth(
    _ number: UInt64, _ page: UnsafeRawPointer, byteCount: Int, from: UnsafeRawBufferPointer?,
    to: UnsafeRawBufferPointer?
  ) throws(LMDBError) -> Int {
    let lower = PageNodes.lower(page)
    let upper = PageNodes.upper(page)
    guard lower > PageNodes.headerSize, lower & 1 == 0, lower <= upper, PageNodes.width(page) == 8 else {
      throw damage(number, "misplaced numbers")
    }
    let count = (lower - PageNodes.headerSize) >> 1
    guard PageNodes.headerSize + count * 8 <= byteCount, upper - lower <= byteCount - PageNodes.headerSize - count * 8
    else { throw damage(number, "misplaced numbers") }
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
    guard isAscending else { throw damage(number, "numbers out of order") }
    return count
  }

  /// Throws unless the keys of a page that was verified before are within bounds: another page may refer to it wrongly.
  func bounds(
    of page: UnsafeRawPointer, _ number: UInt64, level: UInt16, from: UnsafeRawBufferPointer?,
    to: UnsafeRawBufferPointer?
  ) throws(LMDBError) {
    let nodes = PageNodes(verified: page, byteCount: pageSize)
    let isBranch = level < record.depth
    let isFixed = !isBranch && hasFixedLeaves
    guard nodes.count > (isBranch && kind != .free ? 1 : 0) else { throw damage(number, "misplaced entries") }
    // The first key of a branch is ignored.
    let first = isBranch ? min(1, nodes.count - 1) : 0
    func key(_ index: Int) -> UnsafeRawBufferPointer {
      isFixed
        ? UnsafeRawBufferPointer(start: page + PageNodes.headerSize + 8 * index, count: 8) : nodes.key(index)
    }
    if isBranch, nodes.count == 1 { return }
    try self.key(key(first), number, after: from, before: nil, mayEqual: true)
    if let to, !isOrdered(key(nodes.count - 1), to) { throw damage(number, "keys out of order") }
  }

  // MARK: Keys

  private func key(
    _ key: UnsafeRawBufferPointer, _ number: UInt64, after previous: UnsafeRawBufferPointer?,
    before end: UnsafeRawBufferPointer?, mayEqual: Bool
  ) throws(LMDBError) {
    let sizes = record.has(TreeRecord.integerKey) ? 8...8 : (kind == .duplicates ? 0 : 1)...511
    guard sizes.contains(key.count) else { throw damage(number, "a key of \(key.count) bytes") }
    if let previous, mayEqual ? isOrdered(key, previous) : !isOrdered(previous, key) {
      throw damage(number, "keys out of order")
    }
    if let end, !isOrdered(key, end) { throw damage(number, "keys out of order") }
  }

  /// Whether one key comes before the other.
  @inline(__always)
  func isOrdered(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
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
