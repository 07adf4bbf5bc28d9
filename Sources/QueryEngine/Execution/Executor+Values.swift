internal import Storage
internal import Values

extension Executor {
  /// The values of expressions for objects in any order, a row for each object. Each cluster is read once, in order.
  func values(_ expressions: [BoundExpression], of objects: [UInt64]) throws -> [[Value]] {
    try ExpressionEvaluation.values(expressions, of: objects, entity, snapshot, context)
  }

  /// The values of expressions for objects in any order, a column for each expression.
  func columns(_ expressions: [BoundExpression], of objects: [UInt64]) throws -> [[Value]] {
    try ExpressionEvaluation.columns(expressions, of: objects, entity, snapshot, context)
  }
}
