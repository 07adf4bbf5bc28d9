extension FilterCompiler {
  /// The filter of a predicate that the link planner compiles; nil for all others.
  func linked(_ predicate: BoundPredicate) throws -> LinkedFilter? {
    switch predicate {
    case .and, .or: try links?.joined(predicate, of: entity)
    case .quantified, .lists, .comparison: try links?.filter(for: predicate, of: entity)
    case .remembered(let remembered): try linked(remembered.predicate)
    case .constant, .not, .test: nil
    }
  }

  /// One filter of an AND, with its estimated cost for `objects` objects.
  func conjunct(_ predicate: BoundPredicate, objects: Double, coded: [CostModel.Coded], place: Int = 0) throws
    -> Conjunct
  {
    let linked = try linked(predicate)
    let filter = try linked?.filter ?? compile(predicate)
    let alone = CostModel.perObject(predicate, coded: coded)
    let cost =
      linked.flatMap { linked in linked.perObject.map { min($0, 2 + linked.setup / max(objects, 1)) } } ?? alone
    return Conjunct(
      predicate: predicate, filter: filter, selectivity: filter.estimate ?? 0.5, cost: cost, targets: linked?.targets,
      place: place)
  }
}
