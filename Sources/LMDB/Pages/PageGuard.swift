/// Verifies pages of the file as they are reached, before LMDB reads them: LMDB trusts its file, and a damaged file
/// makes it crash.
///
/// Each page is verified once in each process and then remembered, with the rules that it was verified by: in a damaged
/// file a page may be part of two trees of different kinds. It does not know trees, which `TreePath` walks, nor the
/// contents of large values, only that the file contains their pages. It is used by one thread at a time.
final class PageGuard {
  let pageSize: Int
  let path: String
  /// Scratch memory for `PageCheck`.
  let starts: UnsafeMutablePointer<UInt64>
  private let descriptor: Int32
  private var file: FileMap
  /// Earlier maps of the file, before it grew, to which a walk may still refer.
  private var outgrown: [FileMap] = []
  private var filePages: Int
  /// For each page of the file the rules that it was verified by, or 0.
  private var verified: ZeroedTable<UInt8>
  /// The rules so far: those of number 1 come first.
  private var rules: [PageCheck.Rules] = []
  /// Whether this walk reached a leaf with large values.
  private(set) var hasMetLargeValues = false
  /// Whether this walk reached a large value with more pages than it needs. Whether they are its own only the counts of the
  /// tree tell.
  private(set) var hasMetRoomyValues = false
  /// The trees in which pages were met.
  let claims: PageClaims

  init(_ descriptor: Int32, pageSize: Int, path: String) throws(LMDBError) {
    self.descriptor = descriptor
    self.pageSize = pageSize
    self.path = path
    filePages = try Self.pages(descriptor, pageSize, path)
    file = try FileMap(descriptor, byteCount: max(filePages, 1) * pageSize, path: path)
    verified = ZeroedTable(count: filePages + 1)
    claims = PageClaims(pageCount: filePages + 1)
    starts = .allocate(capacity: pageSize >> 7 + 2)
    starts.initialize(repeating: 0, count: pageSize >> 7 + 2)
  }

  deinit { starts.deallocate() }

  private static func pages(_ descriptor: Int32, _ pageSize: Int, _ path: String) throws(LMDBError) -> Int {
    try FileHeader.size(descriptor, path: path) / pageSize
  }

  /// The map of the file, if it has that many pages.
  func map(ofPages count: Int) -> FileMap? { count <= filePages ? file : nil }

  /// Begins a walk: addresses of earlier walks are no longer valid.
  func beginWalk() {
    outgrown.removeAll()
    hasMetLargeValues = false
    hasMetRoomyValues = false
  }

  /// Whether the file has pages `first..<first + count`.
  func has(_ first: UInt64, count: Int) throws(LMDBError) -> Bool {
    let isThere = first >= 2 && count >= 1 && first <= UInt64(filePages) && count <= filePages - Int(first)
    if isThere || first < 2 || count < 1 { return isThere }
    let pages = try Self.pages(descriptor, pageSize, path)
    guard pages > filePages else { return false }
    // The file has grown.
    outgrown.append(file)
    file = try FileMap(descriptor, byteCount: pages * pageSize, path: path)
    verified.grow(to: pages + 1)
    claims.grow(to: pages + 1)
    filePages = pages
    return first <= UInt64(filePages) && count <= filePages - Int(first)
  }

  /// The address of a verified page of a tree, valid until the next walk begins.
  func page(
    _ number: UInt64, level: UInt16, _ check: PageCheck, from: UnsafeRawBufferPointer?, to: UnsafeRawBufferPointer?
  ) throws(LMDBError) -> UnsafeRawPointer {
    guard try has(number, count: 1) else {
      throw check.damage(number, "it refers to this page, and the file has none such")
    }
    let page = file.base + Int(number) * pageSize
    try check.kind(of: page, number, level: level)
    let rules = place(of: check.rules)
    if verified[number] != rules {
      if level < check.record.depth {
        _ = try check.branch(number, page, from: from, to: to)
      } else if check.hasFixedLeaves {
        _ = try check.fixedWidth(number, page, byteCount: pageSize, from: from, to: to)
      } else {
        try leaf(number, page, check, from: from, to: to)
      }
      verified[number] = rules
    } else {
      try check.bounds(of: page, number, level: level, from: from, to: to)
    }
    claims.meet(number, check.owner)
    return page
  }

  /// The address of a page that `has` accepted, which need not be verified. Valid until the next walk begins.
  func address(_ number: UInt64) -> UnsafeRawPointer { file.base + Int(number) * pageSize }

  /// The bytes of a value of a verified leaf, also of a large one; nil if that is no large value any more.
  func value(_ nodes: PageNodes, _ index: Int, _ check: PageCheck) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let size = nodes.valueSize(index)
    guard nodes.flags(index) == PageNodes.bigData else {
      return UnsafeRawBufferPointer(start: nodes.value(index), count: size)
    }
    let (first, _) = try largeValue(nodes, index, check)
    let header = address(first)
    guard PageNodes.number(header) == first, PageNodes.flags(header) == PageNodes.overflow else { return nil }
    return UnsafeRawBufferPointer(start: header + PageNodes.headerSize, count: size)
  }

  /// The number of rules, of which there are a dozen at most: kinds of trees times their flags.
  private func place(of rules: PageCheck.Rules) -> UInt8 {
    if let place = self.rules.firstIndex(of: rules) { return UInt8(truncatingIfNeeded: place + 1) }
    self.rules.append(rules)
    return UInt8(truncatingIfNeeded: self.rules.count)
  }

  private func leaf(
    _ number: UInt64, _ page: UnsafeRawPointer, _ check: PageCheck, from: UnsafeRawBufferPointer?,
    to: UnsafeRawBufferPointer?
  ) throws(LMDBError) {
    let nodes = try check.leaf(number, page, from: from, to: to)
    if check.kind == .duplicates { return }
    for index in 0..<nodes.count {
      _ = try check.entries(nodes, index, number)
      if nodes.flags(index) == PageNodes.bigData {
        hasMetLargeValues = true
        _ = try largeValue(nodes, index, check)
      }
    }
  }

  /// The first page of a large value, checked only to be in the file with all pages that follow.
  private func largeValue(_ nodes: PageNodes, _ index: Int, _ check: PageCheck) throws(LMDBError) -> (UInt64, Int) {
    let first = nodes.value(index).loadUnaligned(as: UInt64.self)
    let needed = (PageNodes.headerSize - 1 + nodes.valueSize(index)) / pageSize + 1
    guard try has(first, count: needed) else { throw check.damage(first, "a large value that is not in the file") }
    return (first, needed)
  }

  /// Verifies the first page of a large value that a writer is going to free.
  func verifyLargeValue(_ nodes: PageNodes, _ index: Int, _ check: PageCheck) throws(LMDBError) {
    let (first, needed) = try largeValue(nodes, index, check)
    let header = file.base + Int(first) * pageSize
    let count = PageNodes.pages(header)
    guard PageNodes.number(header) == first, PageNodes.flags(header) == PageNodes.overflow, count >= needed,
      try has(first, count: count)
    else { throw check.damage(first, "no pages of a large value") }
    claims.meetLargeValue(first..<first + UInt64(count), in: check.owner)
    // A transaction that wrote a value twice, the second time a smaller one, leaves it the pages of the first.
    if count > needed { hasMetRoomyValues = true }
  }
}
