extension ExecutionMetrics {
  /// Counters for all nodes that a plan may run.
  convenience init(plan: Plan) { self.init(nodeCount: max(plan.root.count, plan.fallback?.count ?? 0)) }

  /// The counters of a semijoin's plan, created when first used.
  func metrics(of targets: SemijoinSet) -> ExecutionMetrics {
    let metrics = linked[ObjectIdentifier(targets)] ?? ExecutionMetrics(plan: targets.plan)
    linked[ObjectIdentifier(targets)] = metrics
    return metrics
  }

  /// The counters of a semijoin's plan; nil if it did not run.
  func known(of targets: SemijoinSet) -> ExecutionMetrics? { linked[ObjectIdentifier(targets)] }
}
