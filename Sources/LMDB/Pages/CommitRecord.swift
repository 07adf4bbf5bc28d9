import Glibc

/// The number of a commit as an entry of its own main tree. A meta page whose number is not that of its tree is damaged:
/// a wrong number would make LMDB take the commit before for the newest, and write over the newest.
///
/// There is no hash of the tree's root, since the record is found through the root: a root of another commit has the
/// number of that commit.
enum CommitRecord {
  static let number = SealedNumber("commit")

  /// Throws if a meta page has the number of another commit. The pages of the commit before are not needed any more, so
  /// damage in them is nothing that matters.
  static func check(_ header: FileHeader, _ pages: PageGuard) throws(LMDBError) {
    func damage(_ meta: FileHeader.Meta, _ what: String) -> LMDBError {
      .damaged(path: pages.path, page: meta.page, what: "it says commit \(meta.commit), and \(what)")
    }
    let newest = try number.find(in: header.newest.mainTree, pages)
    switch newest {
    case .nothing: break
    case .damage: throw damage(header.newest, "the record of the commit is damaged")
    case .number(let commit) where commit != header.newest.commit:
      throw damage(header.newest, "its tree is of commit \(commit)")
    case .number: break
    }
    guard header.previous.commit != header.newest.commit else { return }
    guard let previous = try? number.find(in: header.previous.mainTree, pages),
      case .number(let commit) = previous
    else { return }
    if commit != header.previous.commit { throw damage(header.previous, "its tree is of commit \(commit)") }
    if newest == .nothing { throw damage(header.newest, "its tree has no record of it") }
  }
}
