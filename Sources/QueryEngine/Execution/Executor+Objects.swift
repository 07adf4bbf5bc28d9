internal import Storage

/// Objects by their IDs, in the order of a node.
extension Executor {
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
    case .select, .sections, .statement:
      result = try node.children.first.map { try gathered($0, limit: limit) } ?? []
    case .nothing, .scan, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexEnds, .group,
      .having:
      throw node.isMisplaced
    }
    note(node, rows: result.count)
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
      try cancellation.hold(mask.count * MemoryLayout<UInt64>.size)
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
    guard case .filter(let conjuncts) = node.kind else { throw node.isMisplaced }
    let objects = try gathered(node.children[0], limit: nil)
    let filter = AllFilter(conjuncts.map(\.filter))
    let candidates = try ObjectSet(objects, cancellation)
    var passed: [UInt64: Mask] = [:]
    for (number, mask) in zip(candidates.clusters, candidates.masks) {
      try checkCancelled()
      passed[number] = try filter.mask(try cluster(number, with: mask), mask, context)
    }
    return try objects.filter {
      try cancellation.step()
      return passed[$0 >> 8]?[Int(truncatingIfNeeded: $0 & 255)] ?? false
    }
  }

  /// A sum that saturates instead of overflowing.
  static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}
