internal import Storage

/// Working memory of one execution: vectors, which are reused from cluster to cluster, and results about linked
/// objects. One for each thread.
final class ExecutionContext {
  /// Reads objects of other clusters; nil without a snapshot.
  private(set) lazy var linked = snapshot.flatMap { snapshot in knownSets.map { LinkedObjects(snapshot, $0) } }
  private lazy var knownSets = snapshot.map { LinkedSets($0, metrics, cancellation) }
  private let snapshot: Snapshot?
  private let metrics: ExecutionMetrics?
  /// Ends a cancelled query.
  let cancellation: CancellationCheck
  private var vectors: [Vector] = []

  /// A context for one snapshot. Without a snapshot, following a link throws `NoOtherObjects`.
  init(_ snapshot: Snapshot? = nil, _ metrics: ExecutionMetrics? = nil, _ cancellation: CancellationCheck) {
    self.cancellation = cancellation
    self.snapshot = snapshot
    self.metrics = metrics
  }

  /// The sets and numbers of linked objects.
  func sets() throws -> LinkedSets {
    guard let knownSets else { throw NoOtherObjects() }
    return knownSets
  }

  /// Provides a vector for the duration of `body`.
  func withVector<R>(_ body: (Vector) throws -> R) rethrows -> R {
    let vector = vectors.popLast() ?? Vector()
    defer { vectors.append(vector) }
    return try body(vector)
  }
}
