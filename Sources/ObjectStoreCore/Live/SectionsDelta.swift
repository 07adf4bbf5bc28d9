internal import Storage
internal import Values

/// The difference between two states of sections. Deletions are positions before the change, all others positions after
/// it. Objects of sections that came or went are not listed.
struct SectionsDelta {
  var sectionDeletions: [Int] = []
  var sectionInsertions: [Int] = []
  var deletions: [SectionPosition] = []
  var insertions: [SectionPosition] = []
  var modifications: [SectionPosition] = []

  var isEmpty: Bool {
    sectionDeletions.isEmpty && sectionInsertions.isEmpty && deletions.isEmpty && insertions.isEmpty
      && modifications.isEmpty
  }

  init() {}

  init(from old: [ObservedSection], to new: [ObservedSection], modified: Set<ObjectNumber>) {
    let keys = ResultsDelta(from: old.map(\.identity), to: new.map(\.identity))
    // A section that moves is deleted and inserted.
    sectionDeletions = (keys.deletions + keys.moves.map(\.from)).sorted()
    sectionInsertions = (keys.insertions + keys.moves.map(\.to)).sorted()
    let (gone, come) = (Set(sectionDeletions), Set(sectionInsertions))
    // The sections that stay have the same order before and after.
    for (before, after) in zip(old.indices.filter { !gone.contains($0) }, new.indices.filter { !come.contains($0) }) {
      let objects = new[after].objects
      let delta = ResultsDelta(from: old[before].objects, to: objects)
      let leaving = (delta.deletions + delta.moves.map(\.from)).sorted()
      let entering = (delta.insertions + delta.moves.map(\.to)).sorted()
      deletions += leaving.map { SectionPosition(section: before, item: $0) }
      insertions += entering.map { SectionPosition(section: after, item: $0) }
      if modified.isEmpty { continue }
      let entered = Set(entering)
      modifications += Self.positions(of: modified, in: objects).filter { !entered.contains($0) }
        .map { SectionPosition(section: after, item: $0) }
    }
  }

  /// The positions of some objects, ascending.
  private static func positions(of wanted: Set<ObjectNumber>, in objects: [ObjectNumber]) -> [Int] {
    // To compare numbers is much faster than to look each up in the set.
    if wanted.count <= 16 { return wanted.compactMap { objects.firstIndex(of: $0) }.sorted() }
    return objects.indices.filter { wanted.contains(objects[$0]) }
  }
}
