internal import Storage

extension Executor {
  /// The number of threads worth using for a scan, or for a filter over a scan. Only filters that read nothing but
  /// their cluster run on several threads.
  ///
  /// - Parameter more: The cost of further work for each object, in nanoseconds.
  func scanThreads(_ node: PlanNode, _ scan: TableScan, more: Double = 0) -> Int {
    switch node.kind {
    case .scan: plan.threads.count(clusters: scan.count, cost: node.rows * more)
    case .filter(let conjuncts) where conjuncts.allSatisfy(\.filter.isLocal):
      plan.threads.count(
        clusters: scan.count, cost: CostModel.filter(conjuncts, objects: node.children[0].rows) + node.rows * more)
    case .nothing, .given, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder,
      .indexKeys, .indexEnds, .filter, .group, .having, .sort, .topK, .distinct, .window, .select, .sections,
      .statement:
      1
    }
  }

  /// Runs an aggregation of a scan's objects on several threads. Returns false if a single thread is better.
  ///
  /// - Parameters:
  ///   - more: The cost of adding an object, in nanoseconds.
  ///   - make: Makes the aggregation for a number of threads; nil if that is not possible.
  ///   - body: Adds the clusters that the threads did not process.
  func reduced(
    _ node: PlanNode, reading columns: [Int], more: Double,
    into make: (TableScan, _ threads: Int) throws -> (any RowReduction)?,
    rest body: (ClusterCursor, Mask) throws -> Void
  ) throws -> Bool {
    guard Self.isScanned(node), let scan = try table.get() else { return false }
    let threads = scanThreads(node, scan, more: more)
    guard threads > 1, let reduction = try make(scan, threads) else { return false }
    var conjuncts: [Conjunct] = []
    if case .filter(let own) = node.kind {
      // The threads do not tell what passed in each cluster.
      if metrics != nil { return false }
      conjuncts = own
      expect(conjuncts, of: node.children[0].rows)
    }
    let place = ClusterCursor()
    let filter = try FilterScan(
      Self.joined(conjuncts), scan, context, threads: threads, isCallerHelper: plan.threads.isCallerHelper,
      into: reduction, isCancelled: plan.isCancelled)
    try filter.forEach(wantsAll: true) { row, mask in
      try place.move(to: row, of: scan, reading: columns)
      if !mask.isEmpty { try body(place, mask) }
      return true
    }
    if metrics != nil {
      metrics?.nodes[node.id].ran = true
      for row in 0..<scan.count { record(node, scan.present(row)) }
    }
    return true
  }
}
