import Glibc

/// Walks over all pages of a tree without trusting it: checks each page with `PageCheck`, that no page is used twice,
/// and the number of entries.
///
/// It knows the page format of LMDB 0.9, and does not check whether values are right.
struct TreeCheck {
  private let map: PageMap
  private let check: PageCheck
  private var entries: UInt64 = 0
  /// Called with each value of a tree without duplicates.
  private let visit: Visitor?

  typealias Visitor = (
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ flags: UInt16
  ) throws(LMDBError) -> Void

  /// Checks a tree; throws at the first flaw.
  static func run(
    _ map: PageMap, _ record: TreeRecord, _ kind: PageCheck.Kind, name: String, visit: Visitor? = nil
  ) throws(LMDBError) {
    let starts = UnsafeMutablePointer<UInt64>.allocate(capacity: map.pageSize >> 7 + 2)
    defer { starts.deallocate() }
    let check = try PageCheck(record, kind, name: name, pageSize: map.pageSize, path: map.path, starts: starts)
    guard let root = record.root else { return }
    var walk = TreeCheck(map: map, check: check, visit: visit)
    try walk.page(root, level: 1, from: nil, to: nil)
    guard walk.entries == record.entries else {
      throw check.damage(root, "\(walk.entries) entries where there should be \(record.entries)")
    }
  }

  private init(map: PageMap, check: PageCheck, visit: Visitor?) {
    self.map = map
    self.check = check
    self.visit = visit
  }

  /// Checks a page and its subtree. Its keys must be at least `from` and less than `to`.
  private mutating func page(
    _ number: UInt64, level: UInt16, from: UnsafeRawBufferPointer?, to: UnsafeRawBufferPointer?
  ) throws(LMDBError) {
    let page = try map.claim(number, for: check.name)
    try check.kind(of: page, number, level: level)
    if level < check.record.depth {
      let nodes = try check.branch(number, page, from: from, to: to)
      for index in 0..<nodes.count {
        try self.page(
          nodes.child(index), level: level + 1, from: index > 0 ? nodes.key(index) : from,
          to: index + 1 < nodes.count ? nodes.key(index + 1) : to)
      }
    } else if check.hasFixedLeaves {
      entries += try UInt64(check.fixedWidth(number, page, byteCount: map.pageSize, from: from, to: to))
    } else {
      let nodes = try check.leaf(number, page, from: from, to: to)
      if check.kind == .duplicates { return entries += UInt64(nodes.count) }
      for index in 0..<nodes.count { try value(of: nodes, index, number) }
    }
  }

  /// Checks a value and counts its entries.
  private mutating func value(of nodes: PageNodes, _ index: Int, _ number: UInt64) throws(LMDBError) {
    let (sum, overflow) = entries.addingReportingOverflow(try check.entries(nodes, index, number))
    guard !overflow else { throw check.damage(number, "more entries than can be") }
    entries = sum
    let size = nodes.valueSize(index)
    let value = nodes.value(index)
    switch nodes.flags(index) {
    case PageNodes.bigData:
      let first = value.loadUnaligned(as: UInt64.self)
      let needed = (PageNodes.headerSize - 1 + size) / map.pageSize + 1
      let header = try map.claim(first, for: check.name)
      guard PageNodes.number(header) == first, PageNodes.flags(header) == PageNodes.overflow,
        PageNodes.pages(header) >= needed
      else { throw check.damage(first, "no pages of a large value") }
      if PageNodes.pages(header) > 1 {
        _ = try map.claim(first + 1, count: PageNodes.pages(header) - 1, for: check.name)
      }
      try visit?(
        nodes.key(index), UnsafeRawBufferPointer(start: header + PageNodes.headerSize, count: size), PageNodes.bigData)
    case PageNodes.duplicates | PageNodes.subTree:
      try Self.run(map, TreeRecord(value), .duplicates, name: check.name)
    case let flags where flags & PageNodes.duplicates == 0:
      try visit?(nodes.key(index), UnsafeRawBufferPointer(start: value, count: size), flags)
    default: break
    }
  }
}
