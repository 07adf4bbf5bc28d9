internal import PredicateLanguage

/// One bound stage of a query.
enum BoundStage: Hashable, Sendable {
  case filter(BoundPredicate)
  case sort([BoundSortKey])
  case distinct([BoundExpression], syntax: [ExpressionSyntax])
  case window(offset: Int, limit: Int?)
}

extension BoundStage {
  /// Whether it is a window.
  var isWindow: Bool { if case .window = self { true } else { false } }

  /// Whether it contains `now()`.
  var readsMoment: Bool {
    switch self {
    case .filter(let predicate): !predicate.isPlain && predicate.readsMoment
    case .sort(let keys): keys.contains(where: \.expression.readsMoment)
    case .distinct(let expressions, _): expressions.contains(where: \.readsMoment)
    case .window: false
    }
  }
}

/// One key of a sort, bound.
package struct BoundSortKey: Hashable, Sendable {
  let expression: BoundExpression
  let ascending: Bool
  let syntax: SortKeySyntax

  /// Applies `change` to the expression.
  func mapped(_ change: (BoundExpression) throws -> BoundExpression) rethrows -> BoundSortKey {
    BoundSortKey(expression: try change(expression), ascending: ascending, syntax: syntax)
  }
}
