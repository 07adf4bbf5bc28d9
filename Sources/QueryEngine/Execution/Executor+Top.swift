internal import Storage
internal import Values

extension Executor {
  /// With at least this many objects everything is sorted, which is cheaper than keeping a row for each object.
  private static let mostRows = 2_000

  /// The first `count` objects of a node in the order of keys.
  func first(_ count: Int, of node: PlanNode, _ keys: [BoundSortKey]) throws -> [UInt64] {
    if count == 0 { return [] }
    guard let key = keys.first, !Self.sortsAll(node, keys, count) else {
      return Array(try sorted(node, keys).prefix(count))
    }
    return Self.isNumber(keys) ? try firstByNumber(count, of: node, key) : try firstByRows(count, of: node, keys, key)
  }

  /// Whether the first `count` objects are found by sorting all of them.
  static func sortsAll(_ node: PlanNode, _ keys: [BoundSortKey], _ count: Int) -> Bool {
    if node.isGiven || keys.isEmpty { return true }
    if isNumber(keys) { return false }
    // Ranks cannot be compared with the values of rows, and links are followed for all objects at once.
    return count > mostRows || keys.contains { $0.expression.isRanked || $0.expression.followsLinksByRow }
  }

  /// Whether the only key is a number that needs no row.
  private static func isNumber(_ keys: [BoundSortKey]) -> Bool {
    keys.count == 1
      && keys.allSatisfy { $0.expression.vectorForm.isNumeric && !$0.expression.followsLinksByRow }
  }

  private func firstByNumber(_ count: Int, of node: PlanNode, _ key: BoundSortKey) throws -> [UInt64] {
    var best = TopKHeap(count: count, ascending: key.ascending)
    let expression = try VectorExpression(key.expression, plan.compiler)
    try eachCandidateCluster(node, key, count, { best.mightKeep($0) }) { cluster, mask in
      try context.withVector { vector in
        try expression.evaluate(into: vector, cluster, context, wanted: mask)
        best.offer(vector, mask, cluster.number << 8)
      }
    }
    return best.objects
  }

  private func firstByRows(
    _ count: Int, of node: PlanNode, _ keys: [BoundSortKey], _ key: BoundSortKey
  ) throws -> [UInt64] {
    var best = TopKRows(count: count, ascending: keys.map(\.ascending))
    let prefilter = try TopKPrefilter(keys, plan.compiler)
    let expressions = try keys.map { try ExpressionValues($0.expression, plan.compiler) }
    func mightKeep(_ edge: ClusterZone) -> Bool {
      guard let bound = best.bound else { return true }
      let (rank, word) = SortableKey.entry(bound.keys[0])
      if edge.rank != rank { return (edge.rank < rank) == key.ascending }
      // Ties of the first key are ordered by the next key; strings may differ beyond the first eight bytes.
      return edge.word == word || (edge.word < word) == key.ascending
    }
    try eachCandidateCluster(node, key, count, mightKeep) { cluster, mask in
      var left = mask
      if let bound = best.bound { left = try prefilter.mask(cluster, mask, bound, context) }
      if left.isEmpty { return }
      let isFilled = left.count >= ExpressionValues.fewestTogether
      if isFilled { for expression in expressions { try expression.fill(cluster, context, wanted: left) } }
      let row = ClusterRow(cluster, context)
      try left.forEach { slot in
        row.slot = slot
        let values = try expressions.map { try $0.value(at: slot, in: row, isFilled: isFilled) }
        best.offer(TopKRows.Entry(keys: values, object: cluster.number << 8 | UInt64(truncatingIfNeeded: slot)))
      }
    }
    return best.objects
  }

  /// Calls `body` with each cluster that may hold some of the first objects by a key, and the node's objects in it.
  ///
  /// If zone maps have the best value of each cluster, the best cluster comes first; most others are then skipped
  /// without evaluating their filters. Otherwise the clusters come in insertion order.
  private func eachCandidateCluster(
    _ node: PlanNode, _ key: BoundSortKey, _ count: Int, _ mightKeep: (ClusterZone) -> Bool,
    _ body: (ClusterView, Mask) throws -> Void
  ) throws {
    guard let column = key.expression.column, entity.columns.indices.contains(column),
      entity.columns[column].collectionKind == nil, ClusterZone.isKnown(of: entity.columns[column].scalarType)
    else {
      return try eachCluster(try source(node)) { cluster, mask in
        try body(cluster, mask)
        return true
      }
    }
    let type = entity.columns[column].scalarType
    func edge(_ cluster: ClusterView) -> ClusterZone { ClusterZone(cluster, column, type, ascending: key.ascending) }
    if try eachCandidateByZone(node, count, ascending: key.ascending, edge, mightKeep, body) { return }
    try eachCluster(try source(node)) { cluster, mask in
      if mightKeep(edge(cluster)) { try body(cluster, mask) }
      return true
    }
  }

  /// Visits the clusters of a scan, with or without filters, in the order of their best value. Returns false if another
  /// order is better.
  private func eachCandidateByZone(
    _ node: PlanNode, _ count: Int, ascending: Bool, _ edge: (ClusterView) -> ClusterZone,
    _ mightKeep: (ClusterZone) -> Bool, _ body: (ClusterView, Mask) throws -> Void
  ) throws -> Bool {
    var conjuncts: [Conjunct] = []
    var scan = node
    if case .filter(let found) = node.kind { (conjuncts, scan) = (found, node.children[0]) }
    // Visiting the clusters in insertion order costs less.
    guard case .scan = scan.kind, try node.rows >= Double(count) * CostModel.fewCandidates || isMuchKept() else {
      return false
    }
    var expected = scan.rows
    for conjunct in conjuncts {
      conjunct.filter.expect(expected, context)
      expected *= conjunct.selectivity
    }
    let filter = conjuncts.isEmpty ? nil : AllFilter(conjuncts.map(\.filter))
    var edges: [ClusterZone] = []
    // In a damaged file the count may be any.
    edges.reserveCapacity(min(try snapshot.clusterCount(entity), 1 << 16))
    try snapshot.forEachCluster(entity) { cluster in
      try checkCancelled()
      edges.append(edge(cluster))
      return true
    }
    var queue = ClusterQueue(edges, ascending: ascending)
    metrics?.nodes[node.id].ran = true
    metrics?.nodes[scan.id].ran = true
    while let next = queue.next() {
      try checkCancelled()
      guard mightKeep(next) else {
        metrics?.nodes[scan.id].clustersWithout += queue.count + 1
        break
      }
      guard let cluster = try snapshot.cluster(next.cluster, of: entity) else { continue }
      record(scan, cluster.present)
      var mask = cluster.present
      if let filter {
        if let kept, let known = kept.masks[next.cluster] {
          mask = known
          noteLost(-kept.cost)
        } else {
          mask = try filter.mask(cluster, mask, context)
        }
        record(node, mask)
      }
      if !mask.isEmpty { try body(cluster, mask) }
    }
    return true
  }

  /// Whether an abandoned walk filtered so many clusters that reading the rest one by one costs less than filtering
  /// them all again.
  private func isMuchKept() throws -> Bool {
    guard let kept else { return false }
    let more = Double(try snapshot.clusterCount(entity)) * (CostModel.clusterByNumber - CostModel.cluster)
    return Double(kept.masks.count) * kept.cost > more
  }
}
