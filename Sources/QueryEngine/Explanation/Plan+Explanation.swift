package import Storage

extension Plan {
  /// How the query would be run.
  package var explanation: Explanation { PlanPrinter(self, meter: nil).explanation }

  /// Runs the query and tells what was found, read and skipped by each node, and how long it took.
  ///
  /// - Parameter steps: what would be done with the objects, the last first.
  package func analyze(in snapshot: Snapshot, steps: [RowStep] = []) throws -> Explanation {
    let meter = ExecutionMetrics(plan: self)
    let start = ContinuousClock.now
    try Executor(self, snapshot, meter: meter).forEach(root) { _ in true }
    meter.elapsed = start.duration(to: .now)
    return PlanPrinter(self, meter: meter, steps: steps).explanation
  }

  /// How the objects would be found, with what would be done with them, the last first.
  package func explanation(steps: [RowStep]) -> Explanation {
    PlanPrinter(self, meter: nil, steps: steps).explanation
  }
}
