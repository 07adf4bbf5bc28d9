extension PlannerRule {
  /// Evaluates constant expressions: `2 * 3`, `1 < 2`, the constant start of a sum.
  static let foldConstants = PlannerRule(name: "fold constants", concerns: { !$0.isPlain }) { predicate, _ in
    fold(predicate.mapExpressions { $0.folded })
  }

  static func fold(_ predicate: BoundPredicate) -> BoundPredicate {
    switch predicate {
    case .constant, .test: return predicate
    case .and(let parts): return .and(parts.map(fold))
    case .or(let parts): return .or(parts.map(fold))
    case .not(let inner): return .not(fold(inner))
    case .comparison, .quantified, .lists, .remembered:
      guard predicate.isConstant, let value = try? predicate.holds(for: NoRow()) else { return predicate }
      return .constant(value)
    }
  }
}

extension BoundExpression {
  /// The constant it evaluates to, or the expression with its constant start folded.
  var folded: BoundExpression {
    if case .constant = self { return self }
    // An operand whose evaluation threw is not evaluated again at every call around it.
    if case .call(_, let operands) = self, !operands.allSatisfy({ $0.constant != nil }) { return self }
    if isConstant, let value = try? value(in: NoRow()) { return .constant(value) }
    // A chain that begins with constants: `1 + 2 + x` is `3 + x`.
    guard case .arithmetic(let first, let steps) = self, first.isConstant else { return self }
    let constant = steps.prefix { $0.operand.isConstant }
    guard !constant.isEmpty, let value = try? BoundExpression.arithmetic(first, Array(constant)).value(in: NoRow())
    else { return self }
    return .arithmetic(.constant(value), Array(steps.dropFirst(constant.count)))
  }
}
