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

  /// The difference in the order of sections.
  init(order: ResultsDelta) {
    // A section that moves is deleted and inserted.
    sectionDeletions = (order.deletions + order.moves.map(\.from)).sorted()
    sectionInsertions = (order.insertions + order.moves.map(\.to)).sorted()
  }

  init(from old: [ObservedSection], to new: [ObservedSection], modified: Set<ObjectNumber>) {
    self.init(order: ResultsDelta(from: old.map { DistinctKey.of($0.key) }, to: new.map { DistinctKey.of($0.key) }))
    let (gone, come) = (Set(sectionDeletions), Set(sectionInsertions))
    // The sections that stay have the same order before and after.
    for (before, after) in zip(old.indices.filter { !gone.contains($0) }, new.indices.filter { !come.contains($0) }) {
      let objects = new[after].objects
      let entered = add(ResultsDelta(from: old[before].objects, to: objects), before: before, after: after)
      if modified.isEmpty { continue }
      modifications += objects.indices.filter { modified.contains(objects[$0]) && !entered.contains($0) }
        .map { SectionPosition(section: after, item: $0) }
    }
    sort()
  }

  /// Adds the difference within a section that stays, at its position before and after, except for modifications.
  /// Returns the positions of the objects that enter it; an object that moves leaves and enters.
  @discardableResult
  mutating func add(_ delta: ResultsDelta, before: Int, after: Int) -> Set<Int> {
    let entering = delta.insertions + delta.moves.map(\.to)
    deletions += (delta.deletions + delta.moves.map(\.from)).map { SectionPosition(section: before, item: $0) }
    insertions += entering.map { SectionPosition(section: after, item: $0) }
    return Set(entering)
  }

  /// Puts the positions of objects in order, once all are added.
  mutating func sort() {
    deletions.sort()
    insertions.sort()
    modifications.sort()
  }
}

extension [SectionPosition] {
  fileprivate mutating func sort() { sort { ($0.section, $0.item) < ($1.section, $1.item) } }
}
