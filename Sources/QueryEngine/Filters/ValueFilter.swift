internal import Storage
internal import Values

/// A filter that tests a column's values one by one, for types without a kernel (UUID).
final class ValueFilter: Filter {
  let test: SargablePredicate

  init(_ test: SargablePredicate) { self.test = test }

  var usesRows: Bool { true }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] { [] }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let view = try cluster.column(test.column)
    let left = candidates.andNot(view.nulls)
    if case .same(let value) = view.values { return test.holds(for: value) ? left : .none }
    var found = Mask.none
    try left.forEach { slot in if test.holds(for: try view.value(at: slot)) { found[slot] = true } }
    return found
  }
}
