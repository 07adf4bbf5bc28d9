internal import Storage

extension Executor {
  /// The first object of each group of equal values, in the node's order. With a limit, it stops reading soon after the
  /// limit is reached.
  func distinct(_ node: PlanNode, _ expressions: [BoundExpression], limit: Int?) throws -> [UInt64] {
    if limit == 0 { return [] }
    if Self.isSet(node) {
      let table = try GroupTable(expressions, [], plan.compiler, cancellation)
      try eachPlace(node, reading: table.columns, wantsAll: limit == nil) { place, mask in
        try table.add(place, mask, context)
        return table.firsts.count < limit ?? .max
      }
      return table.firsts
    }
    let objects = try gathered(node, limit: nil)
    let set = try ObjectSet(objects, cancellation)
    let numbers = GroupNumbers(set)
    let table = try GroupTable(expressions, [], plan.compiler, cancellation, noting: numbers)
    try eachPlace(of: set, reading: table.columns) { place, mask in
      try table.add(place, mask, context)
      return true
    }
    var firsts: [UInt64] = []
    try numbers.forEachFirst(of: objects, groups: table.count, cancellation) { object, _ in
      firsts.append(object)
      return firsts.count < limit ?? .max
    }
    return firsts
  }
}
