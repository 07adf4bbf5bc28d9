package import Storage

extension Plan {
  /// The plan as it would run, with estimates only.
  package var explanation: Explanation { PlanPrinter(self, metrics: nil).explanation }

  /// Runs the query and records what each node found, read and skipped, and how long it took. It changes nothing: of
  /// DELETE and UPDATE it finds the objects.
  package func analyze(in snapshot: Snapshot) throws -> Explanation {
    let metrics = ExecutionMetrics(plan: self)
    let start = ContinuousClock.now
    let executor = Executor(self, snapshot, metrics: metrics)
    try executor.cancellation.during { try run(executor) }
    metrics.elapsed = start.duration(to: .now)
    return PlanPrinter(self, metrics: metrics).explanation
  }

  private func run(_ executor: Executor) throws {
    switch root.kind {
    case .statement(.count): _ = try executor.count(root)
    case .statement(.insert): break
    case .statement(.delete), .statement(.update):
      _ = try executor.attempt(root) { try executor.members(of: $0.children[0]) }
    case .select, .sections:
      let found = FoundRows(
        try executor.members(root), of: self, in: executor.snapshot, metrics: executor.metrics)
      if case .sections = root.kind { executor.note(root, rows: try found.sections().count) }
      try found.forEach { _ in true }
    case .nothing, .scan, .given, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder,
      .indexKeys, .indexEnds, .filter, .group, .having, .sort, .topK, .distinct, .window:
      try executor.forEach(root) { _ in true }
    }
  }
}
