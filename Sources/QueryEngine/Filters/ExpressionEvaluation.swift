internal import Storage
internal import Values

/// Evaluates expressions for given objects, for SELECT and for sorting.
enum ExpressionEvaluation {
  /// The values of expressions, a row for each object in the given order.
  static func values(
    _ expressions: [BoundExpression], of objects: [UInt64], _ entity: StoredEntity, _ snapshot: Snapshot,
    _ context: ExecutionContext
  ) throws -> [[Value]] {
    let expressions = expressions.map(\.prepared)
    var rows = [[Value]](repeating: [], count: objects.count)
    try forEach(objects, entity, snapshot, context) { place, row in
      rows[place] = try expressions.map { expression in try row.map { try expression.value(in: $0) } ?? .null }
    }
    return rows
  }

  /// The values of expressions, a column for each expression, with the objects in the given order.
  static func columns(
    _ expressions: [BoundExpression], of objects: [UInt64], _ entity: StoredEntity, _ snapshot: Snapshot,
    _ context: ExecutionContext
  ) throws -> [[Value]] {
    let expressions = expressions.map(\.prepared)
    try context.cancellation.hold(objects.count * expressions.count * MemoryLayout<Value>.stride)
    var columns = expressions.map { _ in [Value](repeating: .null, count: objects.count) }
    try forEach(objects, entity, snapshot, context) { place, row in
      guard let row else { return }
      for column in expressions.indices { columns[column][place] = try expressions[column].value(in: row) }
    }
    return columns
  }

  /// Calls `body` with the position of each object and its row, or nil if the object does not exist, cluster by
  /// cluster.
  private static func forEach(
    _ objects: [UInt64], _ entity: StoredEntity, _ snapshot: Snapshot, _ context: ExecutionContext,
    _ body: (Int, ClusterRow?) throws -> Void
  ) throws {
    let cancellation = context.cancellation
    let isAscending = zip(objects, objects.dropFirst()).allSatisfy { $0 <= $1 }
    let order =
      isAscending ? Array(objects.indices) : try objects.indices.sorted(cancellation) { objects[$0] < objects[$1] }
    var number: UInt64?
    var row: ClusterRow?
    for place in order {
      try cancellation.step()
      let object = objects[place]
      if number != object >> 8 {
        try cancellation.check()
        number = object >> 8
        row = try snapshot.cluster(object >> 8, of: entity).map { ClusterRow($0, context) }
      }
      row?.slot = Int(truncatingIfNeeded: object & 255)
      try body(place, row)
    }
  }
}
