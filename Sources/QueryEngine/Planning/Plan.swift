package import Diagnostics
package import Storage

/// An access path and operators for a query, chosen for one snapshot and valid for it. A plan can run any number of
/// times and holds no resources.
package struct Plan: Sendable {
  /// The chosen tree. A class, so that copying a plan counts one reference.
  private final class Choice: Sendable {
    let entity: StoredEntity
    let root: PlanNode
    let rows: RowStages
    let cost: Double
    let name: String
    let fallback: PlanNode?
    let walkLimit: Int
    let order: MatchDistribution?
    let rejected: [(name: String, cost: Double)]
    let warnings: [Diagnostic]
    let links: LinkAccess
    let evaluation: ExpressionAccess

    init(
      _ entity: StoredEntity, _ root: PlanNode, _ rows: RowStages, _ cost: Double, _ name: String,
      _ fallback: PlanNode?, _ walkLimit: Int, _ order: MatchDistribution?, _ rejected: [(name: String, cost: Double)],
      _ warnings: [Diagnostic], _ links: LinkAccess, _ evaluation: ExpressionAccess
    ) {
      self.entity = entity
      self.root = root
      self.rows = rows
      self.cost = cost
      self.name = name
      self.fallback = fallback
      self.walkLimit = walkLimit
      self.order = order
      self.rejected = rejected
      self.warnings = warnings
      self.links = links
      self.evaluation = evaluation
    }
  }

  private let choice: Choice
  let isCancelled: (@Sendable () throws -> Bool)?
  let memory: MemoryBudget?
  var threads: ScanThreads
  /// Where scans read the clusters from.
  let tables: TableAccess

  package var entity: StoredEntity { choice.entity }
  var root: PlanNode { choice.root }
  /// The stages that make rows of the objects, with the values of linked objects as they are read.
  var rows: RowStages { choice.rows }
  /// The estimated cost, roughly in nanoseconds.
  package var cost: Double { choice.cost }
  /// The name of its candidate, as in `rejected`; empty if those were not requested.
  package var name: String { choice.name }
  /// The other plan, used when an index walk turns out longer than estimated.
  var fallback: PlanNode? { choice.fallback }
  /// The limit of index entries after which the walk is abandoned.
  var walkLimit: Int { choice.walkLimit }
  /// The expected positions of the matches in the order that the plan walks.
  var order: MatchDistribution? { choice.order }
  /// The rejected candidates, the cheapest first; empty if they were not requested.
  package var rejected: [(name: String, cost: Double)] { choice.rejected }
  package var warnings: [Diagnostic] { choice.warnings }
  /// How values of linked objects are read.
  var links: LinkAccess { choice.links }
  /// The compiler of expressions and filters over the query's objects.
  var compiler: FilterCompiler { FilterCompiler(entity: entity, evaluation: evaluation) }
  /// How expressions are evaluated.
  var evaluation: ExpressionAccess { choice.evaluation }

  init(
    entity: StoredEntity, root: PlanNode, rows: RowStages = RowStages(), cost: Double, name: String = "",
    fallback: PlanNode? = nil, walkLimit: Int = .max, rejected: [(name: String, cost: Double)] = [],
    warnings: [Diagnostic] = [],
    options: PlannerOptions, order: MatchDistribution? = nil
  ) {
    choice = Choice(
      entity, root, rows, cost, name, fallback, walkLimit, order, rejected, warnings, options.links,
      options.evaluation)
    isCancelled = options.isCancelled
    memory = options.memory
    threads = options.threads
    tables = options.tables
  }

  /// The plan with other nodes over its own.
  init(_ plan: Plan, root: PlanNode, fallback: PlanNode?) {
    choice = Choice(
      plan.entity, root, plan.rows, plan.cost, plan.name, fallback, plan.walkLimit, plan.order, plan.rejected,
      plan.warnings,
      plan.links, plan.evaluation)
    isCancelled = plan.isCancelled
    memory = plan.memory
    threads = plan.threads
    tables = plan.tables
  }
}
