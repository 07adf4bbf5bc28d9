package import Storage
package import Values

/// Reads values of objects found before, for SELECT and for sorting.
package enum ExpressionEvaluation {
  /// The values of some columns, a row for each object in the order given; all nil for an object that is not there.
  package static func values(
    _ columns: [Int], of objects: [ObjectNumber], entity: StoredEntity, in snapshot: Snapshot
  ) throws -> [[Value]] {
    let expressions = columns.map { column -> BoundExpression in
      guard entity.columns.indices.contains(column) else { return .constant(.null) }
      return .column(column, ExpressionType(entity.columns[column]))
    }
    return try values(expressions, of: objects.map(\.rawValue), entity, snapshot, Scratch(snapshot, nil, Patience()))
  }

  static func values(
    _ expressions: [BoundExpression], of objects: [UInt64], _ entity: StoredEntity, _ snapshot: Snapshot,
    _ scratch: Scratch
  ) throws -> [[Value]] {
    let expressions = expressions.map(\.prepared)
    let patience = scratch.patience
    var rows = [[Value]](repeating: [], count: objects.count)
    let isAscending = zip(objects, objects.dropFirst()).allSatisfy { $0 <= $1 }
    let order =
      isAscending ? Array(objects.indices) : try objects.indices.sorted(patience) { objects[$0] < objects[$1] }
    var number: UInt64?
    var row: ClusterRow?
    for place in order {
      try patience.step()
      let object = objects[place]
      if number != object >> 8 {
        try patience.check()
        number = object >> 8
        row = try snapshot.cluster(object >> 8, of: entity).map { ClusterRow($0, scratch) }
      }
      guard let row else {
        rows[place] = expressions.map { _ in .null }
        continue
      }
      row.slot = Int(truncatingIfNeeded: object & 255)
      rows[place] = try expressions.map { try $0.value(in: row) }
    }
    return rows
  }
}
