/// The commit to read of a file whose meta pages may be damaged.
///
/// The number in a meta page is covered by nothing, so the one sealed in its tree decides where it can be read.
struct ChosenCommit {
  /// The meta page; nil if both are damaged.
  let meta: FileHeader.Meta?
  let pageSize: Int
  /// What is wrong with the meta pages.
  private(set) var notes: [String] = []
  /// Whether there may have been a later commit.
  private(set) var mayBeOutdated = false

  /// Reads the meta pages and the numbers in their trees.
  init(_ data: Int32, _ path: String) throws(LMDBError) {
    let first = try? FileHeader.meta(of: data, at: 0, page: 0, path)
    // Without the first meta page, the size of pages is the place of the second one.
    let sizes = first.map { [$0.pageSize] } ?? (8...15).map { 1 << $0 }
    let second = sizes.lazy.compactMap { size in
      (try? FileHeader.meta(of: data, at: size, page: 1, path)).flatMap { $0.pageSize == size ? $0 : nil }
    }.first
    guard let size = (first ?? second)?.pageSize else {
      (meta, pageSize, mayBeOutdated) = (nil, 4_096, true)
      notes.append("both meta pages are damaged: everything was searched for page by page")
      return
    }
    let pages = try PageGuard(data, pageSize: size, path: path)
    let sound = [first, second].enumerated().compactMap { page, meta in
      meta.map { SoundMeta($0, page: page, pages) }
    }
    notes += sound.compactMap(\.note)
    guard let one = sound.first, let other = sound.last, one.page != other.page else {
      (meta, pageSize, mayBeOutdated) = (first ?? second, size, true)
      let commit = sound.first?.commit ?? 0
      notes.append(
        "page \(first == nil ? 0 : 1), a meta page, is damaged: this is commit \(commit), and there may have been a "
          + "later one")
      return
    }
    let (newest, previous) = other.isNewer(than: one) ? (other, one) : (one, other)
    let distance = newest.commit - previous.commit
    let areApart = distance > 1 && previous.commit > 0
    let hasRecord = newest.record != .nothing || previous.sealed == nil
    // A number that nothing confirms counts for less than one that is sealed, unless the two fit together.
    let chosen = newest.sealed == nil && previous.sealed != nil && (areApart || !hasRecord) ? previous : newest
    (meta, pageSize) = (chosen.meta, size)
    if areApart {
      notes.append(
        "the meta pages are \(distance) commits apart: this is commit \(chosen.commit), and there may have been a "
          + "later one")
    } else if !hasRecord {
      notes.append(
        "page \(newest.page), a meta page, leads to a tree without the number of its commit: this is commit "
          + "\(chosen.commit), and there may have been a later one")
    }
    mayBeOutdated = areApart || !hasRecord
  }
}

/// A meta page that is sound by itself, and the number in its tree.
private struct SoundMeta {
  let meta: FileHeader.Meta
  /// The number of the page.
  let page: Int
  /// nil if the way to it is damaged.
  let record: SealedNumber.Found?

  init(_ meta: FileHeader.Meta, page: Int, _ pages: PageGuard) {
    (self.meta, self.page) = (meta, page)
    record = try? CommitRecord.number.find(in: meta.mainTree, pages)
  }

  /// The number that the tree has for its commit.
  var sealed: UInt64? { if case .number(let commit) = record { commit } else { nil } }

  /// The number of the commit, as far as known.
  var commit: UInt64 { sealed ?? meta.commit }

  /// Where both pages lead to trees of one commit, its own page is the newer one.
  func isNewer(than other: SoundMeta) -> Bool {
    commit == other.commit ? meta.commit == commit : commit > other.commit
  }

  /// What is wrong with the number in the page.
  var note: String? {
    guard let sealed, sealed != meta.commit else { return nil }
    return "page \(page), a meta page, says commit \(meta.commit), and its tree is of commit \(sealed)"
  }
}
