internal import Storage

extension Executor {
  /// A filter over all clusters by their table; false when there is none and they must be walked.
  ///
  /// `body` is called as `eachCluster` says; the cluster is opened for it only when it asks.
  func scanned(
    _ node: PlanNode, _ conjuncts: [Conjunct],
    _ body: (_ mask: Mask, _ cluster: () throws -> ClusterView) throws -> Bool
  ) throws -> Bool {
    guard case .scan = node.children[0].kind, let scan = try table.get() else { return false }
    expect(conjuncts, of: node.children[0].rows)
    meter?.nodes[node.id].ran = true
    meter?.nodes[node.children[0].id].ran = true
    func take(_ row: Int, _ mask: Mask) throws -> Bool {
      if meter != nil {
        record(node.children[0], scan.present(row))
        record(node, mask)
      }
      return mask.isEmpty ? true : try body(mask, { try scan.view(row) })
    }
    let condition = Self.joined(conjuncts)
    let cost = CostModel.filter(conjuncts, objects: node.children[0].rows)
    let threads = condition.isLocal ? plan.threads.count(clusters: scan.count, cost: cost) : 1
    if threads > 1 {
      try ParallelScan(condition, scan, scratch, threads: threads, isCancelled: plan.isCancelled).forEach(take)
      return true
    }
    let bound = try condition.bound(to: scan)
    for row in 0..<scan.count {
      try checkCancelled()
      if try !take(row, try bound.mask(row, scan.present(row), scratch)) { break }
    }
    return true
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
