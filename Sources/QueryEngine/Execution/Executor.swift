internal import Storage
internal import Values

/// Runs a plan in a snapshot. Objects flow as masks of clusters until an order is needed, then as IDs.
final class Executor {
  let plan: Plan
  let snapshot: Snapshot
  let metrics: ExecutionMetrics?
  /// Made when the first cluster is filtered; an index often answers alone.
  lazy var context = ExecutionContext(snapshot, metrics, cancellation)
  /// Cancellation check.
  private(set) lazy var cancellation = CancellationCheck(plan.isCancelled)
  /// Index entries read so far, of all indexes.
  private(set) var walkedEntries = 0
  /// Those read in the order of an index, counted apart.
  private(set) var orderedEntries = 0
  /// How many further ranges that took.
  private(set) var orderedRanges = 0
  /// The most that may be read.
  private var walkLimit: Int
  /// Whether the other plan was taken.
  private(set) var gaveUp = false
  /// Work whose result was not used, in nanoseconds, without the reading of index entries.
  private(set) var lostWork = 0.0
  /// The filter results of an abandoned walk.
  var kept: KeptAnswers?
  var entity: StoredEntity { plan.entity }
  /// The table of clusters, where there is one. Requested once, since the store makes one for a second request.
  private(set) lazy var table = Result { try snapshot.tableScan(entity, for: .scan) }

  /// The table whose rows are the clusters of a set of so many.
  var visited: (clusters: Int, table: TableScan?)?

  /// Thrown when an index walk costs more than the scan, or does not have the answer.
  struct GaveUp: Error {}

  init(_ plan: Plan, _ snapshot: Snapshot, metrics: ExecutionMetrics? = nil) {
    self.plan = plan
    walkLimit = plan.fallback == nil ? .max : plan.walkLimit
    self.snapshot = snapshot
    self.metrics = metrics
  }

  /// Cancellation check.
  @inline(__always)
  func checkCancelled() throws {
    try cancellation.check()
  }

  /// Runs `body` with the root, and again with the other plan if an index walk was abandoned.
  func attempt<R>(_ root: PlanNode, _ body: (PlanNode) throws -> R) throws -> R {
    do {
      return try body(root)
    } catch is GaveUp {
      guard let fallback = plan.fallback else { throw QueryCancelled() }
      metrics?.gaveUp = true
      gaveUp = true
      // There is no other plan left.
      walkLimit = .max
      return try body(fallback)
    }
  }

  /// Counts index entries read, or work that costs as much. All walks of a plan together are abandoned once they cost
  /// more than the scan is worth.
  @inline(__always)
  func noteWalked(_ entries: Int) throws {
    walkedEntries += entries
    if walkedEntries > walkLimit { throw GaveUp() }
  }

  /// Counts entries that are read in any case.
  func noteEntries(_ entries: Int) { walkedEntries += entries }

  /// Counts entries of a walk in order with filters over it, which has a budget of its own.
  func noteOrdered(_ entries: Int, ranges: Int) {
    orderedEntries += entries
    orderedRanges += max(0, ranges - 1)
  }

  /// Counts work whose result was not used; negative for work that turned out useful.
  func noteLost(_ work: Double) { lostWork += work }

  // MARK: Results

  func count(_ root: PlanNode) throws -> Int { try attempt(root, counted) }

  func objects(_ root: PlanNode) throws -> [UInt64] { try attempt(root) { try self.gathered($0, limit: nil) } }

  func forEach(_ root: PlanNode, _ body: (UInt64) throws -> Bool) throws {
    guard Self.isSet(root) else {
      for object in try objects(root) { if try !body(object) { return } }
      return
    }
    // The walk ends before the first object is returned, so abandoning it repeats none.
    let source = try attempt(root) { try self.prepared($0) }
    try clusters(source.node, source.sets) { cluster, mask in
      try Self.each(cluster.number, mask, body)
    }
  }

  private static func each(_ cluster: UInt64, _ mask: Mask, _ body: (UInt64) throws -> Bool) throws -> Bool {
    for word in 0..<4 {
      var bits = mask.word(word)
      while bits != 0 {
        let slot = UInt64(word * 64 + bits.trailingZeroBitCount)
        if try !body(cluster << 8 | slot) { return false }
        bits &= bits - 1
      }
    }
    return true
  }
}
