extension SealedNumber {
  /// What a main tree has under the key of a number.
  enum Found: Equatable {
    /// No entry: an earlier program wrote the tree, or it is empty.
    case nothing
    case number(UInt64)
    /// An entry that is damaged.
    case damage
  }

  /// Looks the number up in a main tree without LMDB, verifying the pages on the way.
  func find(in tree: TreeRecord, _ pages: PageGuard) throws(LMDBError) -> Found {
    guard tree.root != nil else { return .nothing }
    pages.beginWalk()
    let check = try PageCheck(
      tree, .main, name: "the main tree", pageSize: pages.pageSize, path: pages.path, starts: pages.starts)
    let found = key.withUnsafeBytes { key in
      Result { () throws(LMDBError) in
        let path = try TreePath(pages, check, to: .key(key))
        guard let leaf = path.leaf, leaf.index < leaf.count else { return Found.nothing }
        let nodes = path.nodes(leaf)
        guard nodes.key(leaf.index).elementsEqual(key) else { return Found.nothing }
        guard nodes.flags(leaf.index) == 0 else { return Found.damage }
        let value = UnsafeRawBufferPointer(start: nodes.value(leaf.index), count: nodes.valueSize(leaf.index))
        return SealedNumber.number(in: value).map { .number($0) } ?? .damage
      }
    }
    return try found.get()
  }
}
