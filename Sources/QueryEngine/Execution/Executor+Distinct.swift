internal import Storage
internal import Values

extension Executor {
  /// The first of each group of a node's objects with equal values, in the node's order.
  func distinct(_ node: PlanNode, _ expressions: [BoundExpression]) throws -> [UInt64] {
    if Self.isSet(node), expressions.count == 1, let expression = expressions.first {
      if expression.isVectorizable { return try distinctNumbers(node, expression) }
      if let column = expression.column { return try distinctValues(node, column) }
    }
    let objects = try gathered(node, limit: nil)
    let rows = try values(expressions, of: objects)
    var seen: Set<[Value]> = []
    return objects.indices.filter { seen.insert(rows[$0].map(DistinctKey.of)).inserted }.map { objects[$0] }
  }

  private func distinctNumbers(_ node: PlanNode, _ expression: BoundExpression) throws -> [UInt64] {
    var result: [UInt64] = []
    var seen: Set<UInt64> = []
    var seenNull = false
    var seenNaN = false
    try eachCluster(node) { cluster, mask in
      var found = Mask.none
      try scratch.withVector { vector in
        try vector.evaluate(expression, cluster, scratch)
        SortableKey.forEach(vector, mask) { slot, rank, word in
          switch rank {
          case SortableKey.Rank.null:
            if seenNull { return }
            seenNull = true
          case SortableKey.Rank.nan:
            if seenNaN { return }
            seenNaN = true
          default: if !seen.insert(word).inserted { return }
          }
          found[slot] = true
        }
      }
      found.forEach { result.append(cluster.number << 8 | UInt64($0)) }
      return true
    }
    return result
  }

  /// A column of any other type; each distinct text of a cluster's dictionary is looked up once.
  private func distinctValues(_ node: PlanNode, _ column: Int) throws -> [UInt64] {
    var result: [UInt64] = []
    var seen: Set<Value> = []
    try eachCluster(node) { cluster, mask in
      let view = try cluster.column(column)
      var found = Mask.none
      let nulls = mask & view.nulls
      if let first = nulls.first, seen.insert(.null).inserted { found[first] = true }
      let rest = mask.andNot(nulls)
      if case .dictionary(let codes, let entries) = view.values {
        var known = [Bool](repeating: false, count: max(256, entries.count))
        try rest.forEach { slot in
          let code = Int(codes[slot])
          if known[code] { return }
          known[code] = true
          if seen.insert(try view.value(at: slot)).inserted { found[slot] = true }
        }
      } else if case .same = view.values {
        if let first = rest.first, seen.insert(DistinctKey.of(try view.value(at: first))).inserted {
          found[first] = true
        }
      } else {
        try rest.forEach { slot in
          if seen.insert(DistinctKey.of(try view.value(at: slot))).inserted { found[slot] = true }
        }
      }
      found.forEach { result.append(cluster.number << 8 | UInt64($0)) }
      return true
    }
    return result
  }
}
