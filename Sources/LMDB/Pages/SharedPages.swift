import Glibc

/// Finds out which trees lead to a contested page at one commit, and whether it is free then.
///
/// A tree leads to a page exactly if a search for a key of the page passes it, so that a few pages are read for each tree
/// instead of all. They need not have been verified.
struct SharedPages {
  private let pages: PageGuard
  private let header: FileHeader
  private let starts: UnsafeMutablePointer<UInt64>
  /// Databases all of whose pages were verified: they have written pages since that nobody has met in them.
  private let verified: [String]
  /// Whether large values are about to be freed that contest pages; those of earlier writes may be gone.
  private let isFreeing: Bool
  /// The records of databases that were looked up.
  private var records: [(name: String, check: PageCheck?)] = []

  /// The pages that several trees lead to, and the databases of these trees; an error that says so for each.
  struct Findings {
    var databases: [(name: String, flaw: LMDBError)] = []
    /// What is wrong with the free pages: then nothing can be written.
    var room: LMDBError?
  }

  init(_ pages: PageGuard, _ header: FileHeader, verified: [String], isFreeing: Bool) {
    self.pages = pages
    self.header = header
    self.verified = verified
    self.isFreeing = isFreeing
    starts = pages.starts
  }

  /// Looks into all contests, and ends those that are none any more.
  mutating func settle(_ free: FreePages) throws(LMDBError) -> Findings {
    pages.beginWalk()
    var findings = Findings()
    let contests = pages.claims.contests
    let free = try free.pages(among: Array(contests.keys), pages, header)
    for (page, claimants) in contests {
      let owners = try owners(leadingTo: page, claimants)
      let trees = owners.compactMap { pages.claims.tree($0) }
      guard let first = trees.first, trees.count > 1 || free.contains(page) else {
        let rest = free.contains(page) ? PageClaims.listed : PageClaims.nobody
        pages.claims.settle(page, owner: owners.first { !pages.claims.isOfLargeValues($0) } ?? rest)
        continue
      }
      if free.contains(page) {
        findings.room = damage(page, "the tree of free pages: it refers to this page, and so does \(words(first))")
        continue
      }
      for (place, tree) in trees.enumerated() {
        guard let name = database(tree) else { continue }
        let other = words(trees[place == 0 ? 1 : 0])
        let flaw = damage(page, "database \(name): it refers to this page, and so does \(other)")
        findings.databases.append((name, flaw))
      }
    }
    pages.claims.finishSettling()
    return findings
  }

  private func damage(_ page: UInt64, _ what: String) -> LMDBError {
    .damaged(path: pages.path, page: Int(clamping: page), what: what)
  }

  private func database(_ tree: PageClaims.Tree) -> String? {
    switch tree {
    case .free: nil
    case .database(let name): name
    case .values(_, let owner), .largeValues(let owner): pages.claims.tree(owner).flatMap(database)
    }
  }

  private func words(_ tree: PageClaims.Tree) -> String {
    switch tree {
    case .free: "the tree of free pages"
    case .database(let name): "database \(name)"
    case .values: "a key of database \(database(tree) ?? "")"
    case .largeValues: "a large value of database \(database(tree) ?? "")"
    }
  }

  // MARK: Trees

  /// The trees that lead to a page, of those in which it was met and those that may have taken it since.
  private mutating func owners(
    leadingTo page: UInt64, _ claimants: [PageClaims.Owner]
  ) throws(LMDBError) -> [PageClaims.Owner] {
    guard try pages.has(page, count: 1) else { return [] }
    var known: [PageClaims.Tree] = []
    var found: [PageClaims.Owner] = []
    var kinds: [UInt16] = []
    for owner in claimants {
      guard let tree = pages.claims.tree(owner) else { continue }
      known.append(tree)
      if case .database(let name) = tree, let check = try check(of: name) { kinds.append(check.record.flags) }
      if try leads(tree, to: page) { found.append(owner) }
    }
    // Most contests are of a large value with a page that was free.
    if kinds.isEmpty { return found }
    // Others of the same kind may have taken the page since it was last met.
    for name in verified where !known.contains(.database(name)) {
      guard let check = try check(of: name), kinds.contains(check.record.flags) else { continue }
      if try leads(check, to: page) { found.append(pages.claims.owner(.database(name))) }
    }
    if kinds.contains(where: { $0 == TreeRecord.integerKey }), !known.contains(.free), try leads(.free, to: page) {
      found.append(pages.claims.owner(.free))
    }
    return found
  }

  private mutating func leads(_ tree: PageClaims.Tree, to page: UInt64) throws(LMDBError) -> Bool {
    switch tree {
    case .free:
      guard
        let check = try? PageCheck(
          header.newest.freeTree, .free, name: "the tree of free pages", pageSize: pages.pageSize, path: pages.path,
          starts: starts)
      else { return false }
      return try leads(check, to: page)
    case .database(let name):
      guard let check = try check(of: name) else { return false }
      return try leads(check, to: page)
    case .values(let key, let owner):
      guard case .database(let name)? = pages.claims.tree(owner), let check = try check(of: name),
        let values = try values(of: key, check)
      else { return false }
      return try leads(values, to: page)
    // A large value cannot be found by its pages. The write that is about to free it has found it; before the next write
    // it may be gone, and if it is not, that write finds it too.
    case .largeValues: return isFreeing
    }
  }

  /// Whether a search in a tree for a key of a page passes the page.
  private func leads(_ check: PageCheck, to page: UInt64) throws(LMDBError) -> Bool {
    guard let nodes = try nodes(page), let key = Self.key(of: nodes) else { return false }
    return try walk(check, to: key) { $0 == page } != nil
  }

  /// Walks down a tree to the leaf where a key is, or to the first page that `isEnd` accepts, and returns that page; nil
  /// if it is not there, or something on the way is no page of a tree.
  private func walk(
    _ check: PageCheck, to key: UnsafeRawBufferPointer, until isEnd: (UInt64) -> Bool
  ) throws(LMDBError) -> UInt64? {
    guard var number = check.record.root else { return nil }
    for level in 1...max(check.record.depth, 1) {
      if isEnd(number) { return number }
      guard level < check.record.depth, let nodes = try nodes(number), PageNodes.flags(nodes.base) == PageNodes.branch
      else { return nil }
      var (low, high) = (1, nodes.count)
      while low < high {
        let middle = (low + high) / 2
        guard let other = nodes.keyInside(middle) else { return nil }
        if check.isOrdered(key, other) { high = middle } else { low = middle + 1 }
      }
      guard low >= 1, low <= nodes.count, nodes.keyInside(low - 1) != nil else { return nil }
      number = nodes.child(low - 1)
    }
    return nil
  }

  /// A page of a tree, of which only the number of its entries was checked.
  private func nodes(_ number: UInt64) throws(LMDBError) -> PageNodes? {
    guard try pages.has(number, count: 1) else { return nil }
    let page = pages.address(number)
    let lower = PageNodes.lower(page)
    guard PageNodes.number(page) == number, lower > PageNodes.headerSize, lower <= pages.pageSize else { return nil }
    return PageNodes(verified: page, byteCount: pages.pageSize)
  }

  /// A key that leads to a page and no other one of its level. The first key of a branch is none.
  private static func key(of nodes: PageNodes) -> UnsafeRawBufferPointer? {
    switch PageNodes.flags(nodes.base) {
    case PageNodes.branch: nodes.count > 1 ? nodes.keyInside(1) : nil
    case PageNodes.leaf: nodes.keyInside(0)
    case PageNodes.leaf | PageNodes.fixedWidth:
      UnsafeRawBufferPointer(start: nodes.base + PageNodes.headerSize, count: 8)
    default: nil
    }
  }

  // MARK: Records

  /// A database as of the commit; nil if there is none, or it is damaged.
  private mutating func check(of name: String) throws(LMDBError) -> PageCheck? {
    if let known = records.first(where: { $0.name == name }) { return known.check }
    var check: PageCheck?
    if let main = try? PageCheck(
      header.newest.mainTree, .main, name: "the main tree", pageSize: pages.pageSize, path: pages.path, starts: starts),
      let value = try value(of: Array(name.utf8), main, flags: PageNodes.subTree)
    {
      check = try? PageCheck(
        value, .named, name: "database \(name)", pageSize: pages.pageSize, path: pages.path, starts: starts)
    }
    records.append((name, check))
    return check
  }

  /// The tree of the values of a key; nil if they have none.
  private func values(of key: [UInt8], _ database: PageCheck) throws(LMDBError) -> PageCheck? {
    guard let record = try value(of: key, database, flags: PageNodes.duplicates | PageNodes.subTree) else { return nil }
    return try? PageCheck(
      record, .duplicates, name: database.name, pageSize: pages.pageSize, path: pages.path, starts: starts)
  }

  /// The record of a tree that stands under a key.
  private func value(of key: [UInt8], _ check: PageCheck, flags: UInt16) throws(LMDBError) -> TreeRecord? {
    let found = key.withUnsafeBytes { key in
      Result { () throws(LMDBError) -> TreeRecord? in
        var leaf: PageNodes?
        _ = try walk(check, to: key) { number in
          leaf = (try? nodes(number)) ?? nil
          return leaf.map { PageNodes.flags($0.base) == PageNodes.leaf } ?? false
        }
        guard let leaf, PageNodes.flags(leaf.base) == PageNodes.leaf else { return nil }
        for index in 0..<leaf.count {
          guard let other = leaf.keyInside(index) else { return nil }
          guard other.elementsEqual(key) else { continue }
          let end = leaf.offset(index) + PageNodes.nodeHeaderSize + key.count + TreeRecord.byteCount
          guard leaf.flags(index) == flags, end <= leaf.byteCount else { return nil }
          return TreeRecord(leaf.value(index))
        }
        return nil
      }
    }
    return try found.get()
  }
}

extension PageNodes {
  /// A key of a page that was not verified; nil if it is not inside the page.
  fileprivate func keyInside(_ index: Int) -> UnsafeRawBufferPointer? {
    guard index >= 0, index < count, Self.headerSize + 2 * index + 2 <= byteCount else { return nil }
    let offset = offset(index)
    guard offset >= Self.headerSize, offset + Self.nodeHeaderSize <= byteCount else { return nil }
    let key = key(index)
    return offset + Self.nodeHeaderSize + key.count <= byteCount ? key : nil
  }
}
