/// The sets of linked objects that have been planned for one query. A set that several candidates use is planned once,
/// regardless of how deeply predicates nest.
final class PlannedSets {
  /// The key of a set: the predicate, its entity, and the number of links that lead there.
  struct Asked: Hashable {
    let entity: LinkedEntity
    let predicate: BoundPredicate
    let depth: Int
  }

  private var sets: [Asked: SemijoinSet] = [:]

  /// The set; `plan` plans it when it is first used.
  func targets(_ asked: Asked, _ plan: () throws -> SemijoinSet) rethrows -> SemijoinSet {
    if let known = sets[asked] { return known }
    let planned = try plan()
    sets[asked] = planned
    return planned
  }
}
