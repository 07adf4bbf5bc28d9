/// The mark that a compaction leaves in a file as its last commit: another file takes its place.
///
/// A marked file is never written again. So its pages stay as they are for those who still read it, and nobody has to
/// see their reader slots.
enum SupersededMark {
  /// The number of the commit with which the other file begins.
  static let successor = SealedNumber("superseded")

  /// The mark of a commit, if it has one. An entry that is damaged is a mark too: it can't be known that nobody relies
  /// on it.
  static func find(_ header: FileHeader, _ pages: PageGuard) throws(LMDBError) -> Bool {
    try successor.find(in: header.newest.mainTree, pages) != .nothing
  }
}
