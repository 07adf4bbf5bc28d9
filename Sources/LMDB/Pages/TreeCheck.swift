/// Walks over all pages of a tree without trusting it: checks each page with `PageCheck`, that no page is used twice,
/// and the number of entries. On the way it can copy the pages.
///
/// It knows the page format of LMDB 0.9, and does not check whether values are right.
struct TreeCheck {
  private let map: PageMap
  private let check: PageCheck
  private let copier: PageCopier?
  /// Told of every page; nil if nobody needs to know in which tree it is.
  private let claimer: PageClaimer?
  /// Called with each value of a tree without duplicates.
  private let visit: Visitor?
  /// The record that the tree should have, as far as it was walked over.
  private var found: TreeRecord

  /// Returns the record that takes the place of the value in a copy, if it has another one there.
  typealias Visitor = (
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ flags: UInt16
  ) throws(LMDBError) -> TreeRecord?

  /// Checks a tree; throws at the first flaw. Wrong counts of pages, which nothing reads but statistics, are only noted
  /// in the map.
  ///
  /// - Returns: The record with the right counts of pages, and the root in the copy, if one is made.
  @discardableResult
  static func run(
    _ map: PageMap, _ record: TreeRecord, _ kind: PageCheck.Kind, name: String, copier: PageCopier? = nil,
    claimer: PageClaimer? = nil, visit: Visitor? = nil
  ) throws(LMDBError) -> TreeRecord {
    let starts = UnsafeMutablePointer<UInt64>.allocate(capacity: map.pageSize >> 7 + 2)
    defer { starts.deallocate() }
    let check = try PageCheck(record, kind, name: name, pageSize: map.pageSize, path: map.path, starts: starts)
    var walk = TreeCheck(map: map, check: check, copier: copier, claimer: claimer, visit: visit)
    if let root = record.root {
      walk.found.root = try walk.page(root, level: 1, from: nil, to: nil)
      guard walk.found.entries == record.entries else {
        throw check.damage(root, "\(walk.found.entries) entries where there should be \(record.entries)")
      }
    }
    if !walk.found.hasPages(of: record) {
      map.flaws.append(
        check.damage(record.root ?? 0, "\(walk.found.pageWords) where there should be \(record.pageWords)"))
    }
    return walk.found
  }

  private init(map: PageMap, check: PageCheck, copier: PageCopier?, claimer: PageClaimer?, visit: Visitor?) {
    self.map = map
    self.check = check
    self.copier = copier
    self.claimer = claimer
    self.visit = visit
    found = TreeRecord(width: check.record.width, flags: check.record.flags)
    found.depth = check.record.depth
  }

  /// Checks a page and its subtree. Its keys must be at least `from` and less than `to`. Returns its number in the copy.
  private mutating func page(
    _ number: UInt64, level: UInt16, from: UnsafeRawBufferPointer?, to: UnsafeRawBufferPointer?
  ) throws(LMDBError) -> UInt64 {
    let page = try map.claim(number, for: check.name)
    try check.kind(of: page, number, level: level)
    var changes: [PageCopier.Change] = []
    if level < check.record.depth {
      found.branchPages += 1
      let nodes = try check.branch(number, page, from: from, to: to)
      for index in 0..<nodes.count {
        let child = try self.page(
          nodes.child(index), level: level + 1, from: index > 0 ? nodes.key(index) : from,
          to: index + 1 < nodes.count ? nodes.key(index + 1) : to)
        if copier != nil { changes.append(.child(offset: nodes.offset(index), child)) }
      }
    } else if check.hasFixedLeaves {
      found.leafPages += 1
      found.entries += try UInt64(check.fixedWidth(number, page, byteCount: map.pageSize, from: from, to: to))
    } else {
      found.leafPages += 1
      let nodes = try check.leaf(number, page, from: from, to: to)
      if check.kind == .duplicates {
        found.entries += UInt64(nodes.count)
      } else {
        for index in 0..<nodes.count {
          if let change = try value(of: nodes, index, number) { changes.append(change) }
        }
      }
    }
    claimer?.meet(number)
    return try copier?.copy(page, changes) ?? number
  }

  /// Checks a value and counts its entries; returns what differs in a copy.
  private mutating func value(
    of nodes: PageNodes, _ index: Int, _ number: UInt64
  ) throws(LMDBError) -> PageCopier.Change? {
    let (sum, overflow) = found.entries.addingReportingOverflow(try check.entries(nodes, index, number))
    guard !overflow else { throw check.damage(number, "more entries than can be") }
    found.entries = sum
    let size = nodes.valueSize(index)
    let value = nodes.value(index)
    switch nodes.flags(index) {
    case PageNodes.bigData:
      let first = value.loadUnaligned(as: UInt64.self)
      let needed = (PageNodes.headerSize - 1 + size) / map.pageSize + 1
      let header = try map.claim(first, for: check.name)
      let count = PageNodes.pages(header)
      guard PageNodes.number(header) == first, PageNodes.flags(header) == PageNodes.overflow, count >= needed
      else { throw check.damage(first, "no pages of a large value") }
      if count > 1 { _ = try map.claim(first + 1, count: count - 1, for: check.name) }
      found.overflowPages += UInt64(count)
      let bytes = UnsafeRawBufferPointer(start: header + PageNodes.headerSize, count: size)
      _ = try visit?(nodes.key(index), bytes, PageNodes.bigData)
      return try copier.map { copier throws(LMDBError) in
        .largeValue(offset: value - nodes.base, try copier.copy(header, pages: count))
      }
    case PageNodes.duplicates | PageNodes.subTree:
      let record = try Self.run(
        map, TreeRecord(value), .duplicates, name: check.name, copier: copier,
        claimer: claimer?.ofValues(nodes.key(index)))
      return copier == nil ? nil : .record(offset: value - nodes.base, record)
    case let flags where flags & PageNodes.duplicates == 0:
      let record = try visit?(nodes.key(index), UnsafeRawBufferPointer(start: value, count: size), flags)
      return record.map { .record(offset: value - nodes.base, $0) }
    default: return nil
    }
  }
}

extension TreeRecord {
  /// Whether the counts of pages are the same.
  fileprivate func hasPages(of other: TreeRecord) -> Bool {
    branchPages == other.branchPages && leafPages == other.leafPages && overflowPages == other.overflowPages
  }

  fileprivate var pageWords: String { "\(branchPages) branch, \(leafPages) leaf, \(overflowPages) large value pages" }
}
