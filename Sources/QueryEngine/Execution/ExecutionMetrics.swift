/// Counts what each node of a plan did while it ran. Only EXPLAIN ANALYZE keeps them.
final class ExecutionMetrics {
  /// Counters of one node.
  struct Counters {
    /// Objects given.
    var rows = 0
    /// Clusters of which something was found or at least asked.
    var clustersRead = 0
    /// Clusters given up for their least and greatest values, or because nothing was left to ask about.
    var clustersWithout = 0
    /// Whether the node ran at all.
    var ran = false
  }

  var nodes: [Counters]
  /// Whether the index walk was given up for the scan.
  var gaveUp = false
  /// Of the plans for linked objects, by the identity of their sets; each of one that ran.
  private var linked: [ObjectIdentifier: ExecutionMetrics] = [:]
  /// How long the query took.
  var elapsed = Duration.zero

  /// A meter for all nodes a plan may run.
  convenience init(plan: Plan) { self.init(nodeCount: max(plan.root.count, plan.fallback?.count ?? 0)) }

  /// The meter of a plan for linked objects, made when it is first asked for.
  func meter(of targets: SemijoinSet) -> ExecutionMetrics {
    let meter = linked[ObjectIdentifier(targets)] ?? ExecutionMetrics(plan: targets.plan)
    linked[ObjectIdentifier(targets)] = meter
    return meter
  }

  /// The meter of a plan for linked objects that ran.
  func known(of targets: SemijoinSet) -> ExecutionMetrics? { linked[ObjectIdentifier(targets)] }

  init(nodeCount: Int) { nodes = [Counters](repeating: Counters(), count: nodeCount) }
}
