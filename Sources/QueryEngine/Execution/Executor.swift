internal import Storage
internal import Values

/// Runs a plan in a snapshot. Objects flow as masks of clusters until an order is needed, then as IDs.
final class Executor {
  let plan: Plan
  let snapshot: Snapshot
  let metrics: ExecutionMetrics?
  /// Created when the first cluster is filtered; often an index alone answers the query.
  lazy var context = ExecutionContext(snapshot, metrics, cancellation)
  /// Cancellation check.
  private(set) lazy var cancellation = CancellationCheck(plan.isCancelled)
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
  private(set) lazy var table = Result { try snapshot.tableScan(entity, for: .scan) }

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

  /// Cancellation check.
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

  /// Counts index entries. All walks of a plan together are abandoned once they exceed the plan's limit.
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
      try Self.each(cluster.number, mask, body)
    }
  }

  private func counted(_ node: PlanNode) throws -> Int {
    switch node.kind {
    case .nothing: return 0
    case .scan:
      metrics?.nodes[node.id].ran = true
      return try snapshot.objectCount(entity)
    case .indexRange(let range) where range.isExact: return try countFromIndex(range)
    case .trigrams: return try objectSet(node).count
    case .sort: return try counted(node.children[0])
    case .window(let offset, let limit):
      let enough = limit.map { Self.sum(offset, $0) }
      let rest = try enough.map { try gathered(node.children[0], limit: $0).count } ?? counted(node.children[0])
      return min(limit ?? .max, max(0, rest - offset))
    case .topK(_, let count): return min(count, try counted(node.children[0]))
    case .indexOrder(let range, _) where range.isExact: return try countFromIndex(range)
    case .indexKeys(let range): return try keyCount(range)
    case .indexEnds(let ends): return try count(ends, node)
    case .distinct, .indexOrder: return try gathered(node, limit: nil).count
    default:
      guard Self.isSet(node) else { return try gathered(node, limit: nil).count }
      var count = 0
      let (node, sets) = try prepared(node)
      if case .filter(let conjuncts) = node.kind,
        try scanned(
          node, conjuncts, sets, wantsAll: true,
          { _, _, mask in
            count += mask.count
            return true
          })
      {
        return count
      }
      try clusters(node, sets) { _, mask in
        count += mask.count
        return true
      }
      return count
    }
  }

  func countFromIndex(_ range: IndexRange) throws -> Int {
    let reader = try snapshot.index(range.index, of: entity)
    return try range.ranges.reduce(0) {
      try cancellation.step()
      return try $0 + reader.count($1) { try self.checkCancelled() }
    }
  }

  // MARK: Masks

  /// Whether a node returns masks, in insertion order.
  static func isSet(_ node: PlanNode) -> Bool {
    switch node.kind {
    case .nothing, .scan, .indexRange, .trigrams, .indexUnion, .indexIntersection, .inverseWalk: true
    case .filter: isSet(node.children[0])
    case .given, .indexOrder, .indexKeys, .indexEnds, .sort, .topK, .distinct, .window: false
    }
  }

  /// The result of the index walks at the bottom of a plan, and the number of their node.
  struct Walked {
    fileprivate var node: Int?
    fileprivate var set = ObjectSet()

    /// The result for a node; nil if the node reads all clusters, or is above the walks.
    subscript(_ node: Int) -> ObjectSet? { self.node == node ? set : nil }
  }

  /// Runs the index walks of a node that returns masks.
  func prepared(_ node: PlanNode) throws -> (node: PlanNode, sets: Walked) {
    var sets = Walked()
    var inner = node
    while case .filter = inner.kind { inner = inner.children[0] }
    switch inner.kind {
    case .indexRange, .trigrams, .indexUnion, .indexIntersection, .inverseWalk:
      sets = Walked(node: inner.id, set: try objectSet(inner))
    default: break
    }
    return (node, sets)
  }

  /// Calls `body` with each cluster in which a node finds objects, in ascending order, until it returns false.
  func eachCluster(_ node: PlanNode, _ body: (ClusterView, Mask) throws -> Bool) throws {
    let (node, sets) = try prepared(node)
    try clusters(node, sets, body)
  }

  func clusters(_ node: PlanNode, _ sets: Walked, _ body: (ClusterView, Mask) throws -> Bool) throws {
    metrics?.nodes[node.id].ran = true
    switch node.kind {
    case .scan:
      try snapshot.forEachCluster(entity) { cluster in
        try checkCancelled()
        record(node, cluster.present)
        return try body(cluster, cluster.present)
      }
    case .filter(let conjuncts):
      if try scanned(
        node, conjuncts, sets, wantsAll: false, { row, table, mask in try body(try table.view(row), mask) })
      {
        return
      }
      let filter = Self.joined(conjuncts)
      expect(conjuncts, of: node.children[0].rows)
      try clusters(node.children[0], sets) { cluster, candidates in
        let mask = try filter.mask(cluster, candidates, context)
        record(node, mask)
        return mask.isEmpty ? true : try body(cluster, mask)
      }
    case .indexRange, .trigrams, .indexUnion, .indexIntersection, .inverseWalk:
      guard let set = sets[node.id] else { return }
      if let table = table(of: set) {
        return try forEachRow(of: set, in: table) { try body(try table.view($0), $1) }
      }
      for (number, mask) in zip(set.clusters, set.masks) {
        try checkCancelled()
        guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
        if try !body(cluster, mask & cluster.present) { return }
      }
    case .nothing, .given, .indexOrder, .indexKeys, .indexEnds, .sort, .topK, .distinct, .window: break
    }
  }

  @inline(__always)
  func record(_ node: PlanNode, _ mask: Mask) {
    guard let metrics else { return }
    metrics.nodes[node.id].rows += mask.count
    if mask.isEmpty { metrics.nodes[node.id].clustersWithout += 1 } else { metrics.nodes[node.id].clustersRead += 1 }
  }

  /// The objects that index nodes find, without reading clusters.
  private func objectSet(_ node: PlanNode) throws -> ObjectSet {
    let set: ObjectSet
    switch node.kind {
    case .indexRange: set = try ObjectSet(try walked(node), cancellation)
    case .trigrams(let search): set = try objectSet(search)
    case .inverseWalk(let walk): set = try ObjectSet(try walked(back: walk), cancellation)
    case .indexUnion:
      // Sorted once for all children, of which there may be thousands.
      var objects: [UInt64] = []
      for child in node.children {
        if case .indexRange = child.kind {
          objects += try walked(child)
        } else {
          objects += try objectSet(child).objects
        }
      }
      set = try ObjectSet(objects, cancellation)
    case .indexIntersection:
      guard let first = node.children.first else { return ObjectSet() }
      set = try node.children.dropFirst().reduce(try objectSet(first)) { $0.intersection(try objectSet($1)) }
    default: return ObjectSet()
    }
    if let metrics {
      metrics.nodes[node.id].ran = true
      metrics.nodes[node.id].rows = set.count
      metrics.nodes[node.id].clustersRead = set.clusters.count
    }
    return set
  }

  /// The objects in the ranges of an index, in the order of its keys.
  private func walked(_ node: PlanNode) throws -> [UInt64] {
    guard case .indexRange(let range) = node.kind else { return [] }
    let reader = try snapshot.index(range.index, of: entity)
    var objects: [UInt64] = []
    if range.ranges.count == 1, let key = reader.uniqueKey(range.ranges[0]) {
      if let object = try reader.firstObject(of: key) { objects = [object] }
      try checkCancelled()
      try noteWalked(objects.count)
    } else {
      try reader.forEachPart(range.ranges) { run in
        objects.append(contentsOf: run)
        try checkCancelled()
        try noteWalked(run.count)
        return true
      }
    }
    if let metrics {
      metrics.nodes[node.id].ran = true
      metrics.nodes[node.id].rows = objects.count
    }
    return objects
  }

  /// Counts work with the cost of reading some index entries.
  func noteWalk(_ entries: Int) throws {
    walkedEntries += entries
    if walkedEntries > walkLimit { throw GaveUp() }
  }

  /// The objects that link to those of a set, which is evaluated first.
  private func walked(back walk: InverseWalk) throws -> [UInt64] {
    let reader = try snapshot.index(walk.index, of: entity)
    var objects: [UInt64] = []
    // A lookup costs as much as many entries.
    let lookUp = Int(CostModel.indexSeek / CostModel.indexEntry)
    let targets = try context.bits(walk.targets)
    try noteWalked(targets.count * lookUp)
    let numbers = targets.numbers
    // Targets that nothing links to are skipped without a callback.
    try cancellation.forEachPart(numbers.count) { part in
      try reader.forEachSource(of: numbers[part]) { _, run in
        try cancellation.step(run.count)
        objects.append(contentsOf: run)
        try noteWalked(run.count)
        return true
      }
    }
    return objects
  }

  // MARK: Numbers

  /// The objects of a node in the node's order; at most `limit` if that costs less.
  func gathered(_ node: PlanNode, limit: Int?) throws -> [UInt64] {
    if Self.isSet(node) { return try gatheredFromMasks(node, limit) }
    let result: [UInt64]
    switch node.kind {
    case .given(let objects): result = try existing(objects)
    case .indexKeys(let range): result = try firsts(range)
    case .indexOrder, .filter: result = try gatheredInIndexOrder(node, limit) ?? filtered(node)
    case .sort(let keys): result = try sorted(node.children[0], keys)
    case .topK(let keys, let count): result = try first(count, of: node.children[0], keys)
    case .distinct(let expressions, _): result = try distinct(node.children[0], expressions, limit: limit)
    case .window(let offset, let most):
      let enough = most.map { Self.sum(offset, $0) }
      let all = try gathered(node.children[0], limit: enough)
      result = Array(all.dropFirst(offset).prefix(most ?? .max))
    default: result = []
    }
    if let metrics {
      metrics.nodes[node.id].ran = true
      metrics.nodes[node.id].rows = result.count
    }
    return result
  }

  private func gatheredFromMasks(_ node: PlanNode, _ limit: Int?) throws -> [UInt64] {
    if limit == 0 { return [] }
    let sets = try prepared(node).sets
    // An exact index answer needs no cluster.
    if let set = sets[node.id] { return set.objects }
    var objects: [UInt64] = []
    try clusters(node, sets) { cluster, mask in
      let base = cluster.number << 8
      mask.forEach { objects.append(base | UInt64(truncatingIfNeeded: $0)) }
      return objects.count < limit ?? .max
    }
    return objects
  }

  /// Those of the given objects that exist, in the given order.
  private func existing(_ objects: [UInt64]) throws -> [UInt64] {
    var present: [UInt64: Mask] = [:]
    for number in try ObjectSet(objects, cancellation).clusters {
      try checkCancelled()
      if let cluster = try snapshot.cluster(number, of: entity) { present[number] = cluster.present }
    }
    return try objects.filter {
      try cancellation.step()
      return present[$0 >> 8]?[Int(truncatingIfNeeded: $0 & 255)] ?? false
    }
  }

  /// Filters ordered objects: evaluates masks by cluster, then restores the order.
  private func filtered(_ node: PlanNode) throws -> [UInt64] {
    guard case .filter(let conjuncts) = node.kind else { return [] }
    let objects = try gathered(node.children[0], limit: nil)
    let filter = AllFilter(conjuncts.map(\.filter))
    let candidates = try ObjectSet(objects, cancellation)
    var passed: [UInt64: Mask] = [:]
    for (number, mask) in zip(candidates.clusters, candidates.masks) {
      try checkCancelled()
      guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
      passed[number] = try filter.mask(cluster, mask & cluster.present, context)
    }
    return try objects.filter {
      try cancellation.step()
      return passed[$0 >> 8]?[Int(truncatingIfNeeded: $0 & 255)] ?? false
    }
  }

  // MARK: Small things

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

  /// A sum that saturates instead of overflowing.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}
