package import Diagnostics
package import Storage

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
  /// The lookup the plan comes to where it finds one object at most.
  var lookup: PointLookup? { choice.only }

  init(
    entity: StoredEntity, root: PlanNode, cost: Double, fallback: PlanNode?, walkLimit: Int,
    rejected: [(name: String, cost: Double)], warnings: [Diagnostic], isCancelled: (@Sendable () -> Bool)?,
    threads: ScanThreads = .automatic, order: MatchDistribution? = nil
  ) {
    choice = Choice(entity, root, cost, fallback, walkLimit, order, rejected, warnings)
    self.isCancelled = isCancelled
    self.threads = threads
  }
}
