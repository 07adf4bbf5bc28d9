/// The sets of linked objects that were planned for one query: what is tried in several ways is planned once, however
/// deep conditions are in each other.
final class PlannedSets {
  /// What is asked of which objects, and how many links lead there.
  struct Asked: Hashable {
    let entity: LinkedEntity
    let predicate: BoundPredicate
    let depth: Int
  }

  private var sets: [Asked: SemijoinSet] = [:]

  /// The set, planned by `plan` when it is first asked for.
  func targets(_ asked: Asked, _ plan: () throws -> SemijoinSet) rethrows -> SemijoinSet {
    if let known = sets[asked] { return known }
    let planned = try plan()
    sets[asked] = planned
    return planned
  }
}
