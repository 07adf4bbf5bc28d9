package import Storage

extension Plan {
  /// How the query would be run.
  package var explanation: Explanation { PlanPrinter(self, metrics: nil).explanation }

  /// Runs the query and tells what was found, read and skipped by each node, and how long it took.
  ///
  /// - Parameter steps: what would be done with the objects, the last first.
  package func analyze(in snapshot: Snapshot, steps: [RowStep] = []) throws -> Explanation {
    let metrics = ExecutionMetrics(plan: self)
    let start = ContinuousClock.now
    try Executor(self, snapshot, metrics: metrics).forEach(root) { _ in true }
    metrics.elapsed = start.duration(to: .now)
    return PlanPrinter(self, metrics: metrics, steps: steps).explanation
  }

  /// How the objects would be found, with what would be done with them, the last first.
  package func explanation(steps: [RowStep]) -> Explanation {
    PlanPrinter(self, metrics: nil, steps: steps).explanation
  }
}
