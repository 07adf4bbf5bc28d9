internal import Storage

/// Objects as masks of clusters, in insertion order.
extension Executor {
  /// Whether a node returns masks, in insertion order.
  static func isSet(_ node: PlanNode) -> Bool {
    switch node.kind {
    case .nothing, .scan, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk: true
    case .filter: isSet(node.children[0])
    case .given, .indexOrder, .indexKeys, .indexEnds, .group, .having, .sort, .topK, .distinct, .window, .select,
      .sections, .statement:
      false
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
    case .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk:
      sets = Walked(node: inner.id, set: try objectSet(inner))
    case .nothing, .scan, .given, .indexOrder, .indexKeys, .indexEnds, .filter, .group, .having, .sort, .topK,
      .distinct,
      .window, .select, .sections, .statement:
      break
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
    case .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk:
      guard let set = sets[node.id] else { throw node.isMisplaced }
      if let table = table(of: set) {
        return try forEachRow(of: set, in: table) { try body(try table.view($0), $1) }
      }
      for (number, mask) in zip(set.clusters, set.masks) {
        try checkCancelled()
        if try !body(try cluster(number, with: mask), mask) { return }
      }
    case .nothing: break
    case .given, .indexOrder, .indexKeys, .indexEnds, .group, .having, .sort, .topK, .distinct, .window, .select,
      .sections, .statement:
      throw node.isMisplaced
    }
  }

  @inline(__always)
  func record(_ node: PlanNode, _ mask: Mask) {
    guard let metrics else { return }
    metrics.nodes[node.id].rows += mask.count
    if mask.isEmpty { metrics.nodes[node.id].clustersWithout += 1 } else { metrics.nodes[node.id].clustersRead += 1 }
  }
}
