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
  var linked: [ObjectIdentifier: ExecutionMetrics] = [:]
  /// How long the query took.
  var elapsed = Duration.zero

  init(nodeCount: Int) { nodes = [Counters](repeating: Counters(), count: nodeCount) }
}
