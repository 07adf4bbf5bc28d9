package import Diagnostics
package import Storage
package import Values

/// A way to find a query's objects, chosen for one snapshot and good for it. It can be run any number of times; it
/// holds nothing open.
package struct Plan: Sendable {
  package let entity: StoredEntity
  let root: PlanNode
  /// What it should cost, in nanoseconds, roughly.
  package let cost: Double
  /// The scan, taken when an index walk turns out longer than was thought.
  let fallback: PlanNode?
  let walkLimit: Int
  /// The other ways, the cheapest first; none where they were not asked for.
  package let rejected: [(name: String, cost: Double)]
  package let warnings: [Diagnostic]
  let isCancelled: (@Sendable () -> Bool)?
  var threads = ScanThreads.automatic

  /// How many objects the query finds.
  package func count(in snapshot: Snapshot) throws -> Int {
    try Executor(self, snapshot).count(root)
  }

  /// The objects, in the query's order; without a sort that is insertion order.
  package func objects(in snapshot: Snapshot) throws -> [ObjectNumber] {
    try Executor(self, snapshot).objects(root).map(ObjectNumber.init)
  }

  /// Calls `body` with each object in order until it returns false. Without a sort, clusters are read as they are
  /// needed.
  package func forEach(in snapshot: Snapshot, _ body: (ObjectNumber) throws -> Bool) throws {
    try Executor(self, snapshot).forEach(root) { try body(ObjectNumber($0)) }
  }

  /// Reduces a column of the objects to one value.
  package func aggregate(_ aggregate: Aggregate, column: Int, in snapshot: Snapshot) throws -> Value {
    try Executor(self, snapshot).aggregate(aggregate, column: column, root)
  }

  /// How the query would be run.
  package var explanation: Explanation { PlanPrinter(self, meter: nil).explanation }

  /// Runs the query and tells what was found, read and skipped by each node, and how long it took.
  ///
  /// - Parameter steps: what would be done with the objects, the last first.
  package func analyze(in snapshot: Snapshot, steps: [RowStep] = []) throws -> Explanation {
    let meter = Meter(plan: self)
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
