package import PredicateLanguage
internal import Storage
internal import Values

/// A predicate whose names are columns and whose types fit. The binder makes comparisons; the planner turns those of a
/// column with constants into tests. It is either true or false of an object, never unknown.
package enum BoundPredicate: Hashable, Sendable {
  case constant(Bool)
  case and([BoundPredicate])
  case or([BoundPredicate])
  indirect case not(BoundPredicate)
  /// Values compared, as the language says.
  case comparison(BoundComparison)
  /// A column asked for something that an index or a kernel can answer.
  case test(SargablePredicate)
  /// A predicate over the elements of a collection.
  indirect case quantified(BoundQuantifier)
  /// Two collections compared in order.
  indirect case lists(BoundListComparison)
  /// A predicate whose answers are kept. It is made of others where rows are asked one by one.
  case remembered(RememberedPredicate)

  /// Whether there is nothing to work out in it: it compares columns with constants.
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

  /// As the language prints it.
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
  /// `x != 5` for the `x == 5` of one value, of which it is the plain opposite.
  fileprivate var unequal: PredicateSyntax? {
    guard case .comparison(var comparison) = kind, comparison.comparator == .equal, comparison.quantifier == nil,
      comparison.rightQuantifier == nil
    else { return nil }
    comparison.comparator = .notEqual
    return PredicateSyntax(.comparison(comparison), range: range)
  }
}
