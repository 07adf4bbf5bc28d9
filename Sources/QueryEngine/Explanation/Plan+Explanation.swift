package import Storage

extension Plan {
  /// The plan as it would run, with estimates only.
  package var explanation: Explanation { PlanPrinter(self, metrics: nil).explanation }

  /// Runs the query and adds actual numbers of objects found, read and skipped by each node, and the elapsed time.
  ///
  /// - Parameter steps: The operations on the objects, the last one first.
  package func analyze(in snapshot: Snapshot, steps: [RowStep] = []) throws -> Explanation {
    let metrics = ExecutionMetrics(plan: self)
    let start = ContinuousClock.now
    try Executor(self, snapshot, metrics: metrics).forEach(root) { _ in true }
    metrics.elapsed = start.duration(to: .now)
    return PlanPrinter(self, metrics: metrics, steps: steps).explanation
  }

  /// The plan with the operations on its objects, the last one first.
  package func explanation(steps: [RowStep]) -> Explanation {
    PlanPrinter(self, metrics: nil, steps: steps).explanation
  }
}
