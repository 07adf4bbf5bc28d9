internal import Storage
internal import Values

/// Runs a plan in a snapshot. Objects flow as masks of clusters until an order is needed, then as IDs.
final class Executor {
  let plan: Plan
  let snapshot: Snapshot
  let metrics: ExecutionMetrics?
  /// Created when the first cluster is filtered; often an index alone answers the query.
  lazy var context = ExecutionContext(snapshot, metrics, cancellation)
  private(set) lazy var cancellation = CancellationCheck(plan.isCancelled, plan.memory)
  /// Index entries read so far, of all indexes.
  private(set) var walkedEntries = 0
  /// The entries read in the order of an index, counted separately.
  private(set) var orderedEntries = 0
  /// The number of further index ranges that these entries were read from.
  private(set) var orderedRanges = 0
  /// The maximum number of index entries before the plan is abandoned.
  private var walkLimit: Int
  /// Whether the fallback plan was used.
  private(set) var gaveUp = false
  /// The cost in nanoseconds of work whose result was not used, not counting index entries.
  private(set) var lostWork = 0.0
  /// The filter results of an abandoned walk.
  var kept: KeptAnswers?
  var entity: StoredEntity { plan.entity }
  /// The table of clusters, if there is one. Requested only once, since the store builds one at the second request.
  private(set) lazy var table = Result { try plan.tables.table(of: entity, in: snapshot, for: .scan) }

  /// The table last used for the clusters of a set, and the number of these clusters.
  var visited: (clusters: Int, table: TableScan?)?

  /// Thrown when an index walk exceeds its limit, or does not have the answer.
  struct GaveUp: Error {}

  init(_ plan: Plan, _ snapshot: Snapshot, metrics: ExecutionMetrics? = nil) {
    self.plan = plan
    walkLimit = plan.fallback == nil ? .max : plan.walkLimit
    self.snapshot = snapshot
    self.metrics = metrics
  }

  @inline(__always)
  func checkCancelled() throws {
    try cancellation.check()
  }

  /// Runs `body` with the root, and again with the fallback plan if an index walk is abandoned.
  func attempt<R>(_ root: PlanNode, _ body: (PlanNode) throws -> R) throws -> R {
    do {
      return try body(root)
    } catch is GaveUp {
      guard let fallback = plan.fallback else { throw QueryCancelled() }
      metrics?.gaveUp = true
      gaveUp = true
      // There is no further fallback.
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

  /// Counts entries that any plan reads, without a limit.
  func noteEntries(_ entries: Int) { walkedEntries += entries }

  /// Counts the entries of a walk in order with filters, which has its own budget.
  func noteOrdered(_ entries: Int, ranges: Int) {
    orderedEntries += entries
    orderedRanges += max(0, ranges - 1)
  }

  /// Counts work whose result is not used; negative for work that turned out to be useful.
  func noteLost(_ work: Double) { lostWork += work }

  // MARK: Results

  func count(_ root: PlanNode) throws -> Int { try attempt(root, counted) }

  func objects(_ root: PlanNode) throws -> [UInt64] { try attempt(root) { try self.gathered($0, limit: nil) } }

  func forEach(_ root: PlanNode, _ body: (UInt64) throws -> Bool) throws {
    guard Self.isSet(root) else {
      for object in try objects(root) { if try !body(object) { return } }
      return
    }
    // The index walk ends before the first object is returned, so abandoning it repeats no object.
    let source = try attempt(root) { try self.prepared($0) }
    try clusters(source.node, source.sets) { cluster, mask in
      try cancellation.throwIfGivenUp()
      return try Self.each(cluster.number, mask, body)
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
