internal import Storage
internal import Values

extension Executor {
  /// The values of expressions for objects in any order, a row an object. Clusters are read once, in order.
  func values(_ expressions: [BoundExpression], of objects: [UInt64]) throws -> [[Value]] {
    try ExpressionEvaluation.values(expressions, of: objects, entity, snapshot, context)
  }

  /// The values of expressions for objects in any order, for each expression those of all objects.
  func columns(_ expressions: [BoundExpression], of objects: [UInt64]) throws -> [[Value]] {
    try ExpressionEvaluation.columns(expressions, of: objects, entity, snapshot, context)
  }
}
