package import Storage

extension RowPlan {
  /// The plan as it would run, with estimates only.
  package var explanation: Explanation {
    PlanPrinter(
      objects, metrics: nil, steps: rows.steps(groups: nil, rows: nil, sections: nil), warnings: rows.warnings
    ).explanation
  }

  /// Runs the query and adds actual numbers of objects found, read and skipped by each node, and the elapsed time.
  package func analyze(in snapshot: Snapshot) throws -> Explanation {
    let metrics = ExecutionMetrics(plan: objects)
    let start = ContinuousClock.now
    var groups: Int?
    let members = try members(in: snapshot, metrics: metrics) { groups = $0 }
    let found = try found(members, in: snapshot)
    let sections = rows.hasSections ? try found.sections().count : nil
    try found.forEach { _ in true }
    metrics.elapsed = start.duration(to: .now)
    return PlanPrinter(
      objects, metrics: metrics, steps: rows.steps(groups: groups, rows: found.count, sections: sections),
      warnings: rows.warnings
    ).explanation
  }
}
