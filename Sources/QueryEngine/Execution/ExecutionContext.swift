internal import Storage

/// Working memory of one execution: vectors that are reused from cluster to cluster, and what was found about linked
/// objects. One for each thread.
final class ExecutionContext {
  /// What reads objects of other clusters; nil without a snapshot.
  private(set) lazy var linked = snapshot.flatMap { snapshot in knownSets.map { LinkedObjects(snapshot, $0) } }
  private lazy var knownSets = snapshot.map { LinkedSets($0, meter, patience) }
  private let snapshot: Snapshot?
  private let meter: ExecutionMetrics?
  /// Ends the query when its caller wants no more.
  let patience: CancellationCheck
  private var vectors: [Vector] = []

  /// Memory for work in one snapshot; without one, following a link throws `NoOtherObjects`.
  init(_ snapshot: Snapshot? = nil, _ meter: ExecutionMetrics? = nil, _ patience: CancellationCheck) {
    self.patience = patience
    self.snapshot = snapshot
    self.meter = meter
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

/// Thrown where another object must be read, and only one cluster can be. A helper thread leaves such a row to the
/// caller's thread.
package struct NoOtherObjects: Error {}
