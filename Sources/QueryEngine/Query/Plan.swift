package import Diagnostics
package import Storage
package import Values

/// A way to find a query's objects, chosen for one snapshot and good for it. It can be run any number of times; it
/// holds nothing open.
package struct Plan: Sendable {
  /// What was chosen: one object, so that handing a plan around counts one reference.
  private final class Choice: Sendable {
    let entity: StoredEntity
    let root: PlanNode
    let cost: Double
    let fallback: PlanNode?
    let walkLimit: Int
    let order: MatchDistribution?
    let rejected: [(name: String, cost: Double)]
    let warnings: [Diagnostic]
    /// What it comes to where it finds one object at most.
    let only: PointLookup?

    init(
      _ entity: StoredEntity, _ root: PlanNode, _ cost: Double, _ fallback: PlanNode?, _ walkLimit: Int,
      _ order: MatchDistribution?, _ rejected: [(name: String, cost: Double)], _ warnings: [Diagnostic]
    ) {
      self.entity = entity
      self.root = root
      self.cost = cost
      self.fallback = fallback
      self.walkLimit = walkLimit
      self.order = order
      self.rejected = rejected
      self.warnings = warnings
      only = PointLookup(root, of: entity)
    }
  }

  private let choice: Choice
  let isCancelled: (@Sendable () -> Bool)?
  var threads: ScanThreads

  package var entity: StoredEntity { choice.entity }
  var root: PlanNode { choice.root }
  /// What it should cost, in nanoseconds, roughly.
  package var cost: Double { choice.cost }
  /// The other way, taken when an index walk turns out longer than was thought.
  var fallback: PlanNode? { choice.fallback }
  /// How many index entries may be read before the walk is abandoned.
  var walkLimit: Int { choice.walkLimit }
  /// Where in the order it walks the objects should lie.
  var order: MatchDistribution? { choice.order }
  /// The other ways, the cheapest first; none where they were not asked for.
  package var rejected: [(name: String, cost: Double)] { choice.rejected }
  package var warnings: [Diagnostic] { choice.warnings }

  init(
    entity: StoredEntity, root: PlanNode, cost: Double, fallback: PlanNode?, walkLimit: Int,
    rejected: [(name: String, cost: Double)], warnings: [Diagnostic], isCancelled: (@Sendable () -> Bool)?,
    threads: ScanThreads = .automatic, order: MatchDistribution? = nil
  ) {
    choice = Choice(entity, root, cost, fallback, walkLimit, order, rejected, warnings)
    self.isCancelled = isCancelled
    self.threads = threads
  }

  /// How many objects the query finds.
  package func count(in snapshot: Snapshot) throws -> Int {
    if let only = choice.only, let found = try only.find(in: snapshot, isCancelled) { return found == nil ? 0 : 1 }
    return try Executor(self, snapshot).count(root)
  }

  /// The objects, in the query's order; without a sort that is insertion order.
  package func objects(in snapshot: Snapshot) throws -> [ObjectNumber] {
    if let only = choice.only, let found = try only.find(in: snapshot, isCancelled) {
      return found.map { [ObjectNumber($0)] } ?? []
    }
    return try Executor(self, snapshot).objects(root).map(ObjectNumber.init)
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
