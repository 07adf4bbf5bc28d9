internal import Storage
internal import Values

/// The values of an expression for single objects, as SELECT shows them and SORT with LIMIT compares them.
///
/// Objects of one cluster that are asked together are evaluated by a vector. Fewer than four are single rows, for which
/// filling vectors would cost more than it saves.
struct ExpressionValues {
  /// With fewer objects of one cluster, each is evaluated on its own.
  static let fewestTogether = 4

  private let expression: BoundExpression
  /// The expression by vectors and the vector it fills; nil if a row is as good.
  private let vector: (compiled: VectorExpression, values: Vector)?

  init(_ expression: BoundExpression, _ compiler: FilterCompiler) throws {
    let compiled = try expression.gainsFromVectors ? VectorExpression(expression, compiler) : nil
    self.expression = expression.prepared
    vector = compiled.flatMap { $0.isKernel ? ($0, Vector()) : nil }
  }

  /// Whether objects that are asked together are evaluated by a vector.
  var hasVector: Bool { vector != nil }

  /// Fills the vector for the objects that are asked together.
  func fill(_ cluster: ClusterView, _ context: ExecutionContext, wanted: Mask) throws {
    guard let (compiled, values) = vector else { return }
    try context.cancellation.step(CancellationCheck.stepsPerPart)
    try compiled.evaluate(into: values, cluster, context, wanted: wanted)
  }

  /// The value for an object.
  ///
  /// - Parameter isFilled: Whether the vector is filled for the row's object.
  func value(at slot: Int, in row: some RowValues, isFilled: Bool) throws -> Value {
    if isFilled, let (compiled, values) = vector { return values.value(at: slot, of: compiled.expression.type) }
    return try expression.value(in: row)
  }
}

extension BoundExpression {
  /// Whether there is something to compute: a stored property is read from its column either way.
  var isComputed: Bool { column == nil && !isOwn && !isConstant }

  fileprivate var gainsFromVectors: Bool { isComputed && !isRanked && !followsLinksByRow }
}
