internal import Storage

/// Counting, which reads no more than it must.
extension Executor {
  /// The number of objects or rows of a node; 1 for COUNT.
  func counted(_ node: PlanNode) throws -> Int {
    let count = try countedAnew(node)
    note(node, rows: count)
    return count
  }

  private func countedAnew(_ node: PlanNode) throws -> Int {
    if case .statement(let operation) = node.kind {
      let count = try node.children.first.map(counted) ?? 0
      return operation == .count ? 1 : count
    }
    if node.returnsGroups { return try members(of: node).count }
    switch node.kind {
    case .nothing: return 0
    case .select, .sections: return try counted(node.children[0])
    case .scan: return try snapshot.objectCount(entity)
    case .indexRange(let range) where range.isExact: return try countFromIndex(range)
    case .indexSearch: return try objectSet(node).count
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
    case .given, .group, .having, .statement: return try gathered(node, limit: nil).count
    case .filter, .indexRange, .indexUnion, .indexIntersection, .inverseWalk:
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
}
