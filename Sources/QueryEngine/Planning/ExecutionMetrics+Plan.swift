extension ExecutionMetrics {
  /// A meter for all nodes a plan may run.
  convenience init(plan: Plan) { self.init(nodeCount: max(plan.root.count, plan.fallback?.count ?? 0)) }

  /// The meter of a plan for linked objects, made when it is first asked for.
  func meter(of targets: SemijoinSet) -> ExecutionMetrics {
    let meter = linked[ObjectIdentifier(targets)] ?? ExecutionMetrics(plan: targets.plan)
    linked[ObjectIdentifier(targets)] = meter
    return meter
  }

  /// The meter of a plan for linked objects that ran.
  func known(of targets: SemijoinSet) -> ExecutionMetrics? { linked[ObjectIdentifier(targets)] }
}
