internal import Storage
internal import Values

extension Executor {
  /// The first objects by several keys. The first key alone says who may be among them: the first `count` by it, and
  /// those that tie with the last of these. Only they are sorted by all keys.
  func firstBySeveral(
    _ count: Int, of node: PlanNode, _ keys: [BoundSortKey], _ key: BoundSortKey
  ) throws -> [UInt64] {
    let leaders = try first(count, of: node, [key])
    guard leaders.count == count, let last = leaders.last else { return try ordered(leaders, keys) }
    let entrants = try entrants(node, key, last)
    return Array(try ordered(entrants, keys).prefix(count))
  }

  /// The objects of a node that do not come after an object by a key.
  private func entrants(_ node: PlanNode, _ key: BoundSortKey, _ last: UInt64) throws -> [UInt64] {
    var found: [UInt64] = []
    guard key.expression.isVectorizable else {
      guard let bound = try values([key.expression], of: [last]).first?.first else { return [] }
      let objects = try gathered(node, limit: nil)
      for (object, row) in zip(objects, try values([key.expression], of: objects)) {
        guard let value = row.first else { continue }
        let order = SortOrder.compare(value, bound)
        if key.ascending ? order <= 0 : order >= 0 { found.append(object) }
      }
      return found
    }
    guard let limit = try entry(of: last, key) else { return [] }
    try eachCluster(try source(node)) { cluster, mask in
      try scratch.withVector { vector in
        try vector.evaluate(key.expression, cluster, scratch)
        SortableKey.forEach(vector, mask) { slot, rank, word in
          let isAfter = key.ascending ? (rank, word) > limit : (rank, word) < limit
          if !isAfter { found.append(cluster.number << 8 | UInt64(truncatingIfNeeded: slot)) }
        }
      }
      return true
    }
    return found
  }
  /// Where an object stands by a key that is computed for clusters.
  private func entry(of object: UInt64, _ key: BoundSortKey) throws -> (UInt8, UInt64)? {
    guard let cluster = try snapshot.cluster(object >> 8, of: entity) else { return nil }
    return try scratch.withVector { vector in
      try vector.evaluate(key.expression, cluster, scratch)
      var entry: (UInt8, UInt64)?
      SortableKey.forEach(vector, Mask(slot: Int(truncatingIfNeeded: object & 255))) { entry = ($1, $2) }
      return entry
    }
  }
}
