/// Whether expressions are evaluated by kernels or row by row.
extension VectorExpression {
  /// Whether it has a kernel itself.
  var isKernel: Bool { if case .rows = node { false } else { true } }

  /// Whether it or a part of it has no kernel, here or where linked objects are read.
  var usesRows: Bool {
    switch node {
    case .rows: true
    case .constant, .column, .objectID, .elementCount, .structCount: false
    case .gathered(let column): column.usesRows
    case .negate(let operand), .complement(let operand), .transform(_, let operand), .length(let operand),
      .periodStart(_, let operand):
      operand.usesRows
    case .arithmetic(let first, let steps): first.usesRows || steps.contains(where: \.operand.usesRows)
    case .joined(let first, let rest), .firstOf(let first, let rest): first.usesRows || rest.contains(where: \.usesRows)
    case .call(_, let operands): operands.contains(where: \.usesRows)
    case .choice(_, let condition, let yes, let no): condition.usesRows || yes.usesRows || no.usesRows
    }
  }
}
