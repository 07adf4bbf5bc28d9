internal import Storage

/// Walks in the order of an index, with filters on top.
extension Executor {
  /// The filter results of an abandoned walk, for a plan that evaluates the same filters.
  struct KeptAnswers {
    let masks: [UInt64: Mask]
    /// The cost of filtering a cluster.
    let cost: Double
  }

  /// Runs a walk in the order of an index, with filters on top of it; returns nil for any other node.
  func gatheredInIndexOrder(_ node: PlanNode, _ limit: Int?) throws -> [UInt64]? {
    var conjuncts: [Conjunct] = []
    var inner = node
    if case .filter(let found) = node.kind { (conjuncts, inner) = (found, node.children[0]) }
    guard case .indexOrder(let range, let descending) = inner.kind else { return nil }
    let most = limit ?? .max
    if most == 0 { return [] }
    let filter = conjuncts.isEmpty ? nil : AllFilter(conjuncts.map(\.filter))
    let reader = try snapshot.index(range.index, of: entity)
    var ranges = 0
    var budget: OrderBudget?
    let visited = range.ranges.lazy.map { next in
      ranges += 1
      budget?.noteRange()
      return next
    }
    if filter == nil, range.readsPages(most) {
      var objects: [UInt64] = []
      try reader.forEachPart(visited, descending: descending) { part in
        try checkCancelled()
        objects.append(contentsOf: part.prefix(most - objects.count))
        return objects.count < most
      }
      noteEntries(objects.count)
      noteOrdered(0, ranges: ranges)
      metrics?.nodes[inner.id].ran = true
      metrics?.nodes[inner.id].rows = objects.count
      return objects
    }
    budget = try self.budget(of: node, conjuncts, wanted: most)
    var objects: [UInt64] = []
    var passed: [UInt64: Mask] = [:]
    var walked = 0
    try reader.forEachRun(visited, descending: descending) { run in
      try checkCancelled()
      for object in run {
        walked += 1
        if let filter {
          let number = object >> 8
          let mask: Mask
          let isKnown: Bool
          if let known = passed[number] {
            (mask, isKnown) = (known, true)
          } else {
            try checkCancelled()
            let cluster = try cluster(number, with: Mask(slot: Int(truncatingIfNeeded: object & 255)))
            mask = try filter.mask(cluster, cluster.present, context)
            passed[number] = mask
            isKnown = false
          }
          let passes = mask[Int(truncatingIfNeeded: object & 255)]
          if budget?.isSpent(passes: passes, isFirstOfCluster: !isKnown) ?? false {
            try giveUpOrder(conjuncts, answers: passed, walked: walked, ranges: ranges, of: inner)
          }
          if !passes { continue }
        }
        objects.append(object)
        if objects.count >= most { return false }
      }
      return true
    }
    noteOrdered(walked, ranges: ranges)
    if let metrics {
      metrics.nodes[inner.id].ran = true
      metrics.nodes[inner.id].rows = walked
      metrics.nodes[node.id].clustersRead = passed.count
    }
    return objects
  }

  /// The budget of a walk; nil if there is no other plan.
  private func budget(of node: PlanNode, _ conjuncts: [Conjunct], wanted: Int) throws -> OrderBudget? {
    guard plan.fallback != nil, !gaveUp, !conjuncts.isEmpty else { return nil }
    let leaf = node.children[0]
    let ranges = if case .indexOrder(let range, _) = leaf.kind { range.ranges.count } else { 1 }
    return OrderBudget(
      other: Double(plan.walkLimit) * CostModel.indexEntry / OrderBudget.share, wanted: wanted, of: leaf.rows,
      inRanges: ranges, in: Double(try snapshot.clusterCount(entity)),
      expected: plan.order ?? .anywhere(node.rows, of: leaf.rows),
      asking: CostModel.filter(conjuncts, objects: CostModel.slots), keepsAnswers: keepsAnswers(of: leaf))
  }

  /// Whether the other plan evaluates the same filters, cluster by cluster.
  private func keepsAnswers(of leaf: PlanNode) -> Bool {
    guard case .indexOrder(let range, _) = leaf.kind, range.answers.isEmpty, let fallback = plan.fallback else {
      return false
    }
    return fallback.isScan
  }

  private func giveUpOrder(
    _ conjuncts: [Conjunct], answers: [UInt64: Mask], walked: Int, ranges: Int, of leaf: PlanNode
  ) throws -> Never {
    let asking = CostModel.filter(conjuncts, objects: CostModel.slots)
    noteOrdered(walked, ranges: ranges)
    noteLost(Double(answers.count) * (CostModel.clusterByNumber + asking))
    if keepsAnswers(of: leaf) { kept = KeptAnswers(masks: answers, cost: asking) }
    throw GaveUp()
  }
}
