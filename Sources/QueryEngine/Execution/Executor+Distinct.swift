internal import Storage
internal import Values

extension Executor {
  /// The first of each group of a node's objects with equal values, in the node's order; where only some of them are
  /// wanted, not many more.
  func distinct(_ node: PlanNode, _ expressions: [BoundExpression], limit: Int?) throws -> [UInt64] {
    if limit == 0 { return [] }
    if Self.isSet(node) {
      let table = GroupTable(expressions, [])
      try eachPlace(node, reading: table.columns, wantsAll: limit == nil) { place, mask in
        try table.add(place, mask, scratch)
        return table.firsts.count < limit ?? .max
      }
      return table.firsts
    }
    let objects = try gathered(node, limit: nil)
    let rows = try values(expressions, of: objects)
    var seen: Set<[Value]> = []
    return try objects.indices.filter {
      try patience.step()
      return seen.insert(rows[$0].map(DistinctKey.of)).inserted
    }.map { objects[$0] }
  }
}
