internal import Storage
internal import Values

extension Executor {
  /// The values of expressions for objects in any order, a row an object. Clusters are read once, in order.
  func values(_ expressions: [BoundExpression], of objects: [UInt64]) throws -> [[Value]] {
    try ExpressionEvaluation.values(expressions, of: objects, entity, snapshot, scratch)
  }
}
