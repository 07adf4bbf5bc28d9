/// An operation that a transaction is about to perform in a database: LMDB reads the pages on the path to an entry, and
/// their neighbours.
struct TreeAccess {
  /// The destination.
  var target: TreePath.Target
  /// The value to find, among several values of the key.
  var value: UnsafeRawBufferPointer?
  /// The maximum number of entries to move from there.
  var entries = 0
  /// The distance in pages at which pages may be merged; nil when nothing is changed.
  var pages: Int?
  /// Whether all values of the key are removed.
  var removesKey = false

  /// Searches for a key.
  static func find(_ key: UnsafeRawBufferPointer) -> TreeAccess { TreeAccess(target: .key(key)) }

  /// Reads the record of the database. LMDB reads the root with it, and where that is not in the file, no other use of
  /// the transaction succeeds.
  static var record: TreeAccess { TreeAccess(target: .root) }
}

extension TreeAccess {
  /// Verifies the pages that LMDB may read.
  func verify(_ pages: PageGuard, _ check: PageCheck) throws(LMDBError) {
    var path = try TreePath(pages, check, to: target)
    if case .root = target { return }
    guard let leaf = path.leaf else { return }
    if let reach = self.pages { try path.verifyNeighbours(reach) }
    if leaf.index == leaf.count {
      // The key comes after all keys of the leaf: a search for the first key that is not before it continues in the
      // next leaf.
      if self.entries > 0 { try verifyEntries(beside: path, forward: false) }
      guard try path.move(forward: true) else { return }
    }
    try verifyValues(at: path, isThere: leaf.index < leaf.count)
    if self.entries > 0 {
      try verifyEntries(beside: path, forward: false)
      try verifyEntries(beside: path, forward: true)
    }
  }

  private func verifyEntries(beside path: TreePath, forward: Bool) throws(LMDBError) {
    var path = path
    if let leaf = path.leaf, leaf.index == leaf.count, !forward, leaf.count > 0 {
      guard try path.moveEntry(forward: false) else { return }
      try verifyValues(at: path, isThere: false)
    }
    for _ in 0..<entries {
      guard try path.moveEntry(forward: forward) else { return }
      try verifyValues(at: path, isThere: false)
    }
  }

  /// Verifies the first and last of an entry's values, if they have their own tree, and the value sought; for a large
  /// value that will be freed, its first page.
  private func verifyValues(at path: TreePath, isThere: Bool) throws(LMDBError) {
    guard let leaf = path.leaf, leaf.index < leaf.count, path.check.kind != .duplicates else { return }
    let nodes = path.nodes(leaf)
    switch nodes.flags(leaf.index) {
    case PageNodes.bigData where isThere && self.pages != nil:
      try path.pages.verifyLargeValue(nodes, leaf.index, path.check)
    case PageNodes.duplicates | PageNodes.subTree:
      let check = try path.check.ofValues(path.pages, nodes, leaf.index)
      var values = try TreePath(path.pages, check, to: .first)
      if isThere, removesKey { while try values.move(forward: true) {} }
      _ = try TreePath(path.pages, check, to: .last)
      guard isThere, let value else { return }
      var access = TreeAccess(target: .key(value))
      access.entries = entries
      access.pages = self.pages
      try access.verify(path.pages, check)
    default: break
    }
  }
}

extension PageCheck {
  /// The check of the tree of values of an entry.
  func ofValues(_ pages: PageGuard, _ nodes: PageNodes, _ index: Int) throws(LMDBError) -> PageCheck {
    var check = try PageCheck(
      TreeRecord(nodes.value(index)), .duplicates, name: name, pageSize: pageSize, path: path, starts: starts)
    check.owner = pages.claims.owner(ofValues: nodes.key(index), in: owner)
    return check
  }
}
