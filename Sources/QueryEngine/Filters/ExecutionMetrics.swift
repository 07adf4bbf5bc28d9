/// Counts the work of each node of a plan, for EXPLAIN ANALYZE only.
final class ExecutionMetrics {
  /// Counters of one node.
  struct Counters {
    /// The number of objects returned.
    var rows = 0
    /// The number of clusters that were read.
    var clustersRead = 0
    /// The number of clusters skipped because of their zone map, or because no candidates were left.
    var clustersWithout = 0
    /// Whether the node ran at all.
    var ran = false

    /// The greater of each of two counters.
    func greatest(_ other: Counters) -> Counters {
      Counters(
        rows: max(rows, other.rows), clustersRead: max(clustersRead, other.clustersRead),
        clustersWithout: max(clustersWithout, other.clustersWithout), ran: ran || other.ran)
    }
  }

  var nodes: [Counters]
  /// Whether an index walk was abandoned for the fallback plan.
  var gaveUp = false
  /// The metrics of plans for linked objects that ran, by the identity of their sets.
  var linked: [ObjectIdentifier: ExecutionMetrics] = [:]
  /// The time the query took.
  var elapsed = Duration.zero

  init(nodeCount: Int) { nodes = [Counters](repeating: Counters(), count: nodeCount) }
}
