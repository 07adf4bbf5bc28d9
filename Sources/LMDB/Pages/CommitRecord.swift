import Glibc

/// The number of a commit as an entry of its own main tree. A meta page whose number is not that of its tree is damaged:
/// a wrong number would make LMDB take the commit before for the newest, and write over the newest.
///
/// There is no hash of the tree's root, since the record is found through the root: a root of another commit has the
/// number of that commit.
enum CommitRecord {
  static let number = SealedNumber("commit")

  /// What the main tree of a meta page says.
  enum Found: Equatable {
    /// A commit of a program that did not write the record, or an empty tree.
    case nothing
    case commit(UInt64)
    /// A record that is damaged.
    case damage
  }

  /// Looks the record up in a main tree, verifying the pages on the way.
  static func find(_ tree: TreeRecord, _ pages: PageGuard) throws(LMDBError) -> Found {
    guard tree.root != nil else { return .nothing }
    pages.beginWalk()
    let check = try PageCheck(
      tree, .main, name: "the main tree", pageSize: pages.pageSize, path: pages.path, starts: pages.starts)
    let found = number.key.withUnsafeBytes { key in
      Result { () throws(LMDBError) in
        let path = try TreePath(pages, check, to: .key(key))
        guard let leaf = path.leaf, leaf.index < leaf.count else { return Found.nothing }
        let nodes = path.nodes(leaf)
        guard nodes.key(leaf.index).elementsEqual(key) else { return Found.nothing }
        guard nodes.flags(leaf.index) == 0 else { return Found.damage }
        let value = UnsafeRawBufferPointer(start: nodes.value(leaf.index), count: nodes.valueSize(leaf.index))
        return SealedNumber.number(in: value).map { .commit($0) } ?? .damage
      }
    }
    return try found.get()
  }

  /// Throws if a meta page has the number of another commit. The pages of the commit before are not needed any more, so
  /// damage in them is nothing that matters.
  static func check(_ header: FileHeader, _ pages: PageGuard) throws(LMDBError) {
    func damage(_ meta: FileHeader.Meta, _ what: String) -> LMDBError {
      .damaged(path: pages.path, page: meta.page, what: "it says commit \(meta.commit), and \(what)")
    }
    let newest = try find(header.newest.mainTree, pages)
    switch newest {
    case .nothing: break
    case .damage: throw damage(header.newest, "the record of the commit is damaged")
    case .commit(let commit) where commit != header.newest.commit:
      throw damage(header.newest, "its tree is of commit \(commit)")
    case .commit: break
    }
    guard header.previous.commit != header.newest.commit else { return }
    guard let previous = try? find(header.previous.mainTree, pages), case .commit(let commit) = previous else { return }
    if commit != header.previous.commit { throw damage(header.previous, "its tree is of commit \(commit)") }
    if newest == .nothing { throw damage(header.newest, "its tree has no record of it") }
  }
}
