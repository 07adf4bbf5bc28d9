import Storage

@testable import QueryEngine

extension Plan {
  /// A plan that walks an order under conditions, given up for each other way to the same objects, at once or after some
  /// objects; none where it is no such plan.
  func givingUpItsOrder(for ways: [Plan], after limits: [Int]) -> [Plan] {
    guard root.walksOrder else { return [] }
    return ways.filter { !$0.root.walksOrder }.flatMap { way in
      limits.map { limit in
        var options = PlannerOptions()
        options.threads = way.threads
        return Plan(
          entity: entity, root: root, cost: cost, fallback: way.root, walkLimit: limit, warnings: warnings,
          options: options)
      }
    }
  }
}

extension Plan {
  /// Whether its walk is given up.
  func isGivenUp(in snapshot: Snapshot) throws -> Bool {
    let metrics = ExecutionMetrics(plan: self)
    _ = try Executor(self, snapshot, metrics: metrics).objects(root)
    return metrics.gaveUp
  }
}

extension PlanNode {
  /// Whether it filters what comes in the order of an index.
  fileprivate var walksOrder: Bool {
    if case .filter = kind, case .indexOrder? = children.first?.kind { return true }
    return children.first?.walksOrder ?? false
  }
}
