internal import QueryEngine
internal import Storage
internal import Values

/// A section of observed results: its key and the objects in it, in order.
typealias ObservedSection = (key: Value, objects: [ObjectNumber])

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
    let keys = ResultsDelta(from: old.map { DistinctKey.of($0.key) }, to: new.map { DistinctKey.of($0.key) })
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
      modifications += objects.indices.filter { modified.contains(objects[$0]) && !entered.contains($0) }
        .map { SectionPosition(section: after, item: $0) }
    }
  }
}
