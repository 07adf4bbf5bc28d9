internal import Storage

/// Working memory of one execution: vectors that are reused from cluster to cluster, and what was found about linked
/// objects. One for each thread.
final class ExecutionContext {
  /// What reads objects of other clusters; nil without a snapshot.
  private(set) lazy var linked = snapshot.flatMap { snapshot in knownSets.map { LinkedObjects(snapshot, $0) } }
  private lazy var knownSets = snapshot.map { LinkedSets($0, metrics, cancellation) }
  private let snapshot: Snapshot?
  private let metrics: ExecutionMetrics?
  /// Ends the query when its caller wants no more.
  let cancellation: CancellationCheck
  private var vectors: [Vector] = []

  /// Memory for work in one snapshot; without one, following a link throws `NoOtherObjects`.
  init(_ snapshot: Snapshot? = nil, _ metrics: ExecutionMetrics? = nil, _ cancellation: CancellationCheck) {
    self.cancellation = cancellation
    self.snapshot = snapshot
    self.metrics = metrics
  }

  /// Sets and numbers of linked objects.
  func sets() throws -> LinkedSets {
    guard let knownSets else { throw NoOtherObjects() }
    return knownSets
  }

  /// Lends a vector for the time of `body`.
  func withVector<R>(_ body: (Vector) throws -> R) rethrows -> R {
    let vector = vectors.popLast() ?? Vector()
    defer { vectors.append(vector) }
    return try body(vector)
  }
}
