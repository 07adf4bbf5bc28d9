internal import PredicateLanguage
internal import Storage

/// What is evaluated row by row, because it has no kernel.
extension PlanPrinter {
  /// The parts of a node that are evaluated row by row, as written.
  func rowByRow(_ node: PlanNode) -> [String] {
    // Groups are few, and their values are not in columns.
    if node.children.first?.returnsGroups ?? false { return [] }
    switch node.kind {
    case .filter(let conjuncts): return conjuncts.filter(\.filter.usesRows).map(\.predicate.syntax.readableFormat)
    case .sort(let keys), .topK(let keys, _):
      return keys.filter { $0.expression.vectorForm == .values || usesRows($0.expression) }
        .map(\.syntax.expression.readableFormat)
    case .distinct(let expressions, let syntax): return rowByRow(expressions, syntax)
    case .group(let grouping): return rowByRow(grouping.keys, grouping.keySyntax)
    case .select(let values, let headings):
      // Of a struct, which has several values, nothing: they are columns.
      return values.count == headings.count
        ? zip(values, headings).filter { $0.0.isComputed && usesRows($0.0) }.map(\.1) : []
    case .nothing, .scan, .given, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder,
      .indexKeys, .indexEnds, .having, .window, .sections, .statement:
      return []
    }
  }

  /// Of a struct, which has several values, nothing: they are columns.
  private func rowByRow(_ expressions: [BoundExpression], _ syntax: [ExpressionSyntax]) -> [String] {
    if expressions.count != syntax.count { return [] }
    return zip(expressions, syntax).filter { usesRows($0.0) }.map(\.1.readableFormat)
  }

  private func usesRows(_ expression: BoundExpression) -> Bool {
    if expression.followsLinksByRow { return true }
    // An expression that does not compile is none that a plan has.
    return (try? VectorExpression(expression, plan.compiler).usesRows) ?? true
  }
}

extension Filter {
  /// Whether some of it is evaluated row by row.
  fileprivate var usesRows: Bool {
    switch self {
    case is RowFilter, is HoistedFilter: true
    case let all as AllFilter: all.parts.contains(where: \.usesRows)
    case let any as AnyFilter: any.parts.contains(where: \.usesRows)
    case let not as NotFilter: not.inner.usesRows
    case let linked as SemijoinFilter: linked.whole.usesRows
    case let vectors as VectorFilter: vectors.left.usesRows || vectors.right.contains(where: \.usesRows)
    default: false
    }
  }
}

extension VectorExpression {
  /// Whether it has a kernel itself.
  var isKernel: Bool { if case .rows = node { false } else { true } }

  /// Whether it or a part of it has no kernel.
  fileprivate var usesRows: Bool {
    switch node {
    case .rows: true
    case .constant, .column, .objectID, .gathered, .elementCount, .structCount: false
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
