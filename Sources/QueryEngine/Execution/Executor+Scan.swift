internal import Storage

extension Executor {
  /// A filter over all clusters by their table; false when there is none and they must be walked.
  ///
  /// `body` is called as `eachCluster` says; the cluster is opened for it only when it asks.
  func scanned(
    _ node: PlanNode, _ conjuncts: [Conjunct],
    _ body: (_ mask: Mask, _ cluster: () throws -> ClusterView) throws -> Bool
  ) throws -> Bool {
    guard case .scan = node.children[0].kind, let scan = try snapshot.tableScan(entity) else { return false }
    expect(conjuncts, of: node.children[0].rows)
    let condition = try Self.joined(conjuncts).bound(to: scan)
    meter?.nodes[node.id].ran = true
    meter?.nodes[node.children[0].id].ran = true
    for row in 0..<scan.count {
      try checkCancelled()
      let present = scan.present(row)
      let mask = try condition.mask(row, present, scratch)
      if meter != nil {
        record(node.children[0], present)
        record(node, mask)
      }
      if !mask.isEmpty, try !body(mask, { try scan.view(row) }) { break }
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
