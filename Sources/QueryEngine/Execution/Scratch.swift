internal import Storage

/// Memory that conditions use while they look at one cluster, kept from cluster to cluster, and what they found out
/// about linked objects in one execution. One for each thread.
final class Scratch {
  /// What reads objects of other clusters.
  private(set) lazy var linked = snapshot.flatMap { snapshot in gathered.map { LinkedObjects(snapshot, $0) } }
  /// Sets and numbers of linked objects.
  private(set) lazy var gathered = snapshot.map { LinkedSets($0, meter, patience) }
  private let snapshot: Snapshot?
  private let meter: Meter?
  /// Ends the query when its caller wants no more.
  let patience: Patience
  private var vectors: [NumberVector] = []
  /// Texts as functions change them.
  private(set) lazy var changedTexts = ChangedTexts()

  /// Memory for work in one snapshot; without one, links lead nowhere.
  init(_ snapshot: Snapshot? = nil, _ meter: Meter? = nil, _ patience: Patience) {
    self.patience = patience
    self.snapshot = snapshot
    self.meter = meter
  }

  /// Lends a vector for the time of `body`.
  func withVector<R>(_ body: (NumberVector) throws -> R) rethrows -> R {
    let vector = vectors.popLast() ?? NumberVector()
    defer { vectors.append(vector) }
    return try body(vector)
  }
}
