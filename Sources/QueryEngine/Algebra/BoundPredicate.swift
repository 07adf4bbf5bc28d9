package import PredicateLanguage
internal import Storage
internal import Values

/// A predicate whose names are columns and whose types match. The binder makes comparisons; the planner turns
/// comparisons of a column with constants into sargable predicates. It is true or false for an object, never unknown.
package enum BoundPredicate: Hashable, Sendable {
  case constant(Bool)
  case and([BoundPredicate])
  case or([BoundPredicate])
  indirect case not(BoundPredicate)
  /// A comparison of values with the semantics of the language.
  case comparison(BoundComparison)
  /// A predicate on one column that an index or a kernel can evaluate.
  case test(SargablePredicate)
  /// A predicate over the elements of a collection.
  indirect case quantified(BoundQuantifier)
  /// Two collections compared in order.
  indirect case lists(BoundListComparison)
  /// A predicate whose results are cached. It replaces others where rows are evaluated one by one.
  case remembered(RememberedPredicate)

  /// Whether it only compares columns with constants and computes nothing.
  var isPlain: Bool {
    switch self {
    case .constant, .test: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isPlain)
    case .not(let inner): inner.isPlain
    case .comparison(let comparison):
      comparison.left.column != nil && comparison.right.allSatisfy { $0.constant != nil }
    case .quantified, .lists, .remembered: false
    }
  }

  /// The predicate as query text.
  package var syntax: PredicateSyntax {
    switch self {
    case .constant(let value): PredicateSyntax(.constant(value))
    case .and(let parts): PredicateSyntax(.and(parts.map(\.syntax)))
    case .or(let parts): PredicateSyntax(.or(parts.map(\.syntax)))
    case .not(.test(let test)): test.syntax.unequal ?? PredicateSyntax(.not(test.syntax))
    case .not(let inner): PredicateSyntax(.not(inner.syntax))
    case .comparison(let comparison): comparison.syntax
    case .test(let test): test.syntax
    case .quantified(let quantified): quantified.syntax
    case .lists(let lists): lists.syntax
    case .remembered(let remembered): remembered.predicate.syntax
    }
  }
}

extension PredicateSyntax {
  /// `x != 5` for an `x == 5` of single values, whose exact opposite it is.
  fileprivate var unequal: PredicateSyntax? {
    guard case .comparison(var comparison) = kind, comparison.comparator == .equal, comparison.quantifier == nil,
      comparison.rightQuantifier == nil
    else { return nil }
    comparison.comparator = .notEqual
    return PredicateSyntax(.comparison(comparison), range: range)
  }
}
