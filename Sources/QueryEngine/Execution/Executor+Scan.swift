internal import Storage

extension Executor {
  /// Filters all clusters, or those in which an index found objects, using the table of clusters. Returns false if
  /// there is no table and the clusters must be walked.
  ///
  /// Calls `body` as `eachCluster` does, with a row of the table instead of a cluster.
  ///
  /// - Parameters:
  ///   - sets: The results of index walks.
  ///   - wantsAll: Whether `body` never returns false.
  func scanned(
    _ node: PlanNode, _ conjuncts: [Conjunct], _ sets: Walked, wantsAll: Bool,
    _ body: (_ row: Int, _ table: TableScan, _ mask: Mask) throws -> Bool
  ) throws -> Bool {
    if let set = sets[node.children[0].id] { return try scanned(node, conjuncts, set, body) }
    guard case .scan = node.children[0].kind, let scan = try table.get() else { return false }
    expect(conjuncts, of: node.children[0].rows)
    metrics?.nodes[node.id].ran = true
    metrics?.nodes[node.children[0].id].ran = true
    let filter = try FilterScan(
      Self.joined(conjuncts), scan, context, threads: scanThreads(node, scan),
      isCallerHelper: plan.threads.isCallerHelper,
      isCancelled: plan.isCancelled)
    try filter.forEach(wantsAll: wantsAll) { row, mask in
      if metrics != nil {
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
    guard let scan = table(of: set) else { return false }
    expect(conjuncts, of: node.children[0].rows)
    metrics?.nodes[node.id].ran = true
    let filter = Self.joined(conjuncts)
    let setScan = try SetScan(filter, scan, clusters: set.clusters.count, context) { [self] in
      try expect($0, among: $1, of: $2)
    }
    try setScan.forEach(set, cancellation) { row, mask in
      record(node, mask)
      return mask.isEmpty ? true : try body(row, scan, mask)
    }
    return true
  }

  /// The table whose rows are the clusters of a set. nil if the tree finds them sooner, or if the table cannot be
  /// built: it covers all clusters, and a damaged one may lie outside the set.
  func table(of set: ObjectSet) -> TableScan? {
    // The tree finds a few clusters sooner than a table is built.
    guard plan.tables == .always || set.clusters.count > Self.fewClusters else { return nil }
    // Requested once, since a request counts as a visit.
    if let visited, visited.clusters == set.clusters.count { return visited.table }
    let table = try? plan.tables.table(of: entity, in: snapshot, for: .visits(set.clusters.count))
    visited = (set.clusters.count, table)
    return table
  }

  private static var fewClusters: Int { 2 }

  /// Calls `body` with the rows that hold the objects of a set, ascending, until it returns false.
  func forEachRow(
    of set: ObjectSet, in table: TableScan, _ body: (_ row: Int, _ mask: Mask) throws -> Bool
  ) throws {
    var row = 0
    for (number, mask) in zip(set.clusters, set.masks) {
      try checkCancelled()
      guard let found = table.row(of: number, from: row) else {
        try expect(mask, among: .none, of: number)
        continue
      }
      row = found
      try expect(mask, among: table.present(row), of: number)
      if try !body(row, mask) { return }
    }
  }

  /// Whether a node reads all clusters, from the table if there is one.
  static func isScanned(_ node: PlanNode) -> Bool {
    let source = if case .filter = node.kind { node.children[0] } else { node }
    return if case .scan = source.kind { true } else { false }
  }

  /// Visits each cluster in which a node that returns masks finds objects, in ascending order. Reads some of the
  /// columns from the table of clusters, if there is one.
  ///
  /// - Parameter begin: Called before the first row of a table, with the number of rows.
  func eachPlace(
    _ node: PlanNode, reading columns: [Int], begin: (TableScan, _ rows: Int) throws -> Void = { _, _ in },
    _ body: (ClusterCursor, Mask) throws -> Void
  ) throws {
    try eachPlace(node, reading: columns, wantsAll: true, begin: begin) { place, mask in
      try body(place, mask)
      return true
    }
  }

  /// Visits the clusters as above until `body` returns false.
  ///
  /// - Parameter wantsAll: Whether `body` never returns false.
  func eachPlace(
    _ node: PlanNode, reading columns: [Int], wantsAll: Bool,
    begin: (TableScan, _ rows: Int) throws -> Void = { _, _ in }, _ body: (ClusterCursor, Mask) throws -> Bool
  ) throws {
    let place = ClusterCursor()
    if case .scan = node.kind, let scan = try table.get() {
      metrics?.nodes[node.id].ran = true
      try begin(scan, scan.count)
      for row in 0..<scan.count {
        try checkCancelled()
        try place.move(to: row, of: scan, reading: columns)
        record(node, place.present)
        if try !body(place, place.present) { return }
      }
      return
    }
    let (node, sets) = try prepared(node)
    if case .filter(let conjuncts) = node.kind {
      let set = sets[node.children[0].id]
      var hasBegun = false
      let isDone = try scanned(node, conjuncts, sets, wantsAll: wantsAll) { row, scan, mask in
        if !hasBegun { try begin(scan, set?.clusters.count ?? scan.count) }
        hasBegun = true
        try place.move(to: row, of: scan, reading: columns)
        return try body(place, mask)
      }
      if isDone { return }
    }
    if let set = sets[node.id] {
      metrics?.nodes[node.id].ran = true
      return try eachPlace(of: set, reading: columns, begin: begin, body)
    }
    try clusters(node, sets) { cluster, mask in
      place.move(to: cluster)
      return try body(place, mask)
    }
  }

  /// Visits each cluster of a set, ascending, until `body` returns false.
  func eachPlace(
    of set: ObjectSet, reading columns: [Int], begin: (TableScan, _ rows: Int) throws -> Void = { _, _ in },
    _ body: (ClusterCursor, Mask) throws -> Bool
  ) throws {
    let place = ClusterCursor()
    if let table = table(of: set) {
      try begin(table, set.clusters.count)
      return try forEachRow(of: set, in: table) { row, mask in
        try place.move(to: row, of: table, reading: columns)
        return try body(place, mask)
      }
    }
    for (number, mask) in zip(set.clusters, set.masks) {
      try checkCancelled()
      place.move(to: try cluster(number, with: mask))
      if try !body(place, mask) { return }
    }
  }

  /// Announces to filters the number of objects that they will be evaluated for.
  func expect(_ conjuncts: [Conjunct], of objects: Double) {
    var expected = objects
    for conjunct in conjuncts {
      conjunct.filter.expect(expected, context)
      expected *= conjunct.selectivity
    }
  }

  /// The conjunction of filters. A single filter, the most frequent case, is evaluated directly.
  static func joined(_ conjuncts: [Conjunct]) -> any Filter {
    conjuncts.count == 1 ? conjuncts[0].filter : AllFilter(conjuncts.map(\.filter))
  }
}
