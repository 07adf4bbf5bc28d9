package import Diagnostics
package import Storage

/// An access path and operators for a query, chosen for one snapshot and valid for it. A plan can run any number of
/// times and holds no resources.
package struct Plan: Sendable {
  /// The chosen tree. A class, so that copying a plan counts one reference.
  private final class Choice: Sendable {
    let entity: StoredEntity
    let root: PlanNode
    let cost: Double
    let fallback: PlanNode?
    let walkLimit: Int
    let order: MatchDistribution?
    let rejected: [(name: String, cost: Double)]
    let warnings: [Diagnostic]
    /// The lookup of a plan that finds one object at most.
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
  /// The estimated cost, roughly in nanoseconds.
  package var cost: Double { choice.cost }
  /// The other plan, used when an index walk turns out longer than estimated.
  var fallback: PlanNode? { choice.fallback }
  /// The limit of index entries after which the walk is abandoned.
  var walkLimit: Int { choice.walkLimit }
  /// The expected positions of the matches in the order that the plan walks.
  var order: MatchDistribution? { choice.order }
  /// The rejected candidates, the cheapest first; empty if they were not requested.
  package var rejected: [(name: String, cost: Double)] { choice.rejected }
  package var warnings: [Diagnostic] { choice.warnings }
  /// The lookup of a plan that finds one object at most.
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
