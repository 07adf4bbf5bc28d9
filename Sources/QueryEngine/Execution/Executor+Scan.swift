internal import Storage

extension Executor {
  /// A filter over all clusters, or over those in which an index found something, by the table of clusters; false when
  /// there is none and they must be walked.
  ///
  /// `body` is called as `eachCluster` says, with the row of a table in the place of a cluster.
  ///
  /// - Parameters:
  ///   - sets: The objects of index walks, done before.
  ///   - wantsAll: Whether `body` never returns false.
  func scanned(
    _ node: PlanNode, _ conjuncts: [Conjunct], _ sets: Walked, wantsAll: Bool,
    _ body: (_ row: Int, _ table: TableScan, _ mask: Mask) throws -> Bool
  ) throws -> Bool {
    if let set = sets[node.children[0].id] { return try scanned(node, conjuncts, set, body) }
    guard case .scan = node.children[0].kind, let scan = try table.get() else { return false }
    expect(conjuncts, of: node.children[0].rows)
    meter?.nodes[node.id].ran = true
    meter?.nodes[node.children[0].id].ran = true
    let condition = Self.joined(conjuncts)
    let filter = try FilterScan(
      condition, scan, scratch, threads: scanThreads(node, scan), isCancelled: plan.isCancelled)
    try filter.forEach(wantsAll: wantsAll) { row, mask in
      if meter != nil {
        record(node.children[0], scan.present(row))
        record(node, mask)
      }
      return mask.isEmpty ? true : try body(row, scan, mask)
    }
    return true
  }

  private func scanned(
    _ node: PlanNode, _ conjuncts: [Conjunct], _ set: ObjectSet, _ body: (Int, TableScan, Mask) throws -> Bool
  ) throws -> Bool {
    // A few clusters are sooner found in the tree than a table is made ready.
    guard set.clusters.count > Self.fewClusters,
      let scan = try snapshot.tableScan(entity, for: .visits(set.clusters.count))
    else { return false }
    expect(conjuncts, of: node.children[0].rows)
    meter?.nodes[node.id].ran = true
    let condition = Self.joined(conjuncts)
    try SetScan(condition, scan, clusters: set.clusters.count, scratch).forEach(set, patience) { row, mask in
      record(node, mask)
      return mask.isEmpty ? true : try body(row, scan, mask)
    }
    return true
  }

  private static var fewClusters: Int { 2 }

  /// Whether a node looks at all clusters, and so at those of a table where there is one.
  static func isScanned(_ node: PlanNode) -> Bool {
    switch node.kind {
    case .scan: return true
    case .filter: if case .scan = node.children[0].kind { return true }
    default: break
    }
    return false
  }

  /// Goes to each cluster in which a node that gives masks finds something, ascending: by the table of clusters where
  /// there is one, with some columns of it.
  func eachPlace(
    _ node: PlanNode, reading columns: [Int], _ body: (ClusterPlace, Mask) throws -> Void
  ) throws {
    try eachPlace(node, reading: columns, wantsAll: true) { place, mask in
      try body(place, mask)
      return true
    }
  }

  /// The same until `body` returns false.
  ///
  /// - Parameter wantsAll: Whether it is not going to.
  func eachPlace(
    _ node: PlanNode, reading columns: [Int], wantsAll: Bool, _ body: (ClusterPlace, Mask) throws -> Bool
  ) throws {
    let place = ClusterPlace()
    if case .scan = node.kind, let scan = try table.get() {
      meter?.nodes[node.id].ran = true
      for row in 0..<scan.count {
        try checkCancelled()
        try place.move(to: row, of: scan, reading: columns)
        record(node, place.present)
        if try !body(place, place.present) { return }
      }
      return
    }
    let (node, sets) = try prepared(node)
    if case .filter(let conjuncts) = node.kind,
      try scanned(
        node, conjuncts, sets, wantsAll: wantsAll,
        { row, scan, mask in
          try place.move(to: row, of: scan, reading: columns)
          return try body(place, mask)
        })
    {
      return
    }
    try clusters(node, sets) { cluster, mask in
      place.move(to: cluster)
      return try body(place, mask)
    }
  }

  /// Tells conditions about how many objects they will be asked.
  func expect(_ conjuncts: [Conjunct], of objects: Double) {
    var expected = objects
    for conjunct in conjuncts {
      conjunct.condition.expect(expected, scratch)
      expected *= conjunct.selectivity
    }
  }

  /// One conjunct is asked directly: most queries have one.
  static func joined(_ conjuncts: [Conjunct]) -> Condition {
    conjuncts.count == 1 ? conjuncts[0].condition : AllCondition(conjuncts.map(\.condition))
  }
}
