extension ExecutionMetrics {
  /// Counters for all nodes that a plan may run.
  convenience init(plan: Plan) { self.init(nodeCount: max(plan.root.count, plan.fallback?.count ?? 0)) }

  /// New counters for a semijoin's plan. If several parts of a query compute the same set, EXPLAIN shows the last.
  func metrics(of targets: SemijoinSet) -> ExecutionMetrics {
    let metrics = ExecutionMetrics(plan: targets.plan)
    linked[ObjectIdentifier(targets)] = metrics
    return metrics
  }

  /// The counters of a semijoin's plan; nil if it did not run.
  func known(of targets: SemijoinSet) -> ExecutionMetrics? { linked[ObjectIdentifier(targets)] }
}
