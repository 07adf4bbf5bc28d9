/// The sets of linked objects that were planned for one query. A set that several candidates use is planned once,
/// however deep predicates nest.
final class PlannedSets {
  /// The predicate, its entity, and how many links lead there.
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
