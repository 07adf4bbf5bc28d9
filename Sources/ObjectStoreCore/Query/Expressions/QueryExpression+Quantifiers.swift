internal import PredicateLanguage

extension QueryExpression where Value: QueryCollection {
  /// The condition holds for every element; true of an empty collection.
  ///
  /// ```swift
  /// let done = projects.where { $0.tasks.all { $0.isComplete == true } }
  /// let liked = tasks.where { $0.ratings.all { $0 > 2 } }
  /// ```
  ///
  /// - Parameter condition: Makes a condition of an element. A comparison becomes `ALL`; a condition of several, which
  ///   only objects and structs take, becomes a `SUBQUERY`.
  public func all(_ condition: (QueryExpression) -> QueryExpression<Bool>) -> QueryExpression<Bool> {
    quantified(.all, condition(self))
  }

  /// The condition holds for some element; false of an empty collection. See ``all(_:)``.
  ///
  /// ```swift
  /// let some = projects.where { $0.tasks.any { $0.isComplete == true && $0.priority > 5 } }
  /// ```
  public func any(_ condition: (QueryExpression) -> QueryExpression<Bool>) -> QueryExpression<Bool> {
    quantified(.any, condition(self))
  }

  /// The condition holds for no element; true of an empty collection. See ``all(_:)``.
  ///
  /// ```swift
  /// let calm = projects.where { $0.tasks.none { $0.priority > 5 } }
  /// ```
  public func none(_ condition: (QueryExpression) -> QueryExpression<Bool>) -> QueryExpression<Bool> {
    quantified(.none, condition(self))
  }

  private func quantified(_ quantifier: Quantifier, _ condition: QueryExpression<Bool>) -> QueryExpression<Bool> {
    if let term = condition.term.quantified(quantifier) { return QueryExpression<Bool>(term) }
    switch quantifier {
    case .all: return (!condition).count == 0
    case .any: return condition.count > 0
    case .none: return condition.count == 0
    }
  }
}

extension QueryTerm {
  /// A single comparison with a quantifier before it; nil for any other condition.
  fileprivate func quantified(_ quantifier: Quantifier) -> QueryTerm? {
    var comparison: ComparisonSyntax
    switch predicate.kind {
    case .comparison(let made) where made.quantifier == nil && made.rightQuantifier == nil: comparison = made
    case .truth(let value):
      comparison = ComparisonSyntax(left: value, comparator: .equal, right: ExpressionSyntax(.literal(.bool(true))))
    case .comparison, .and, .or, .not, .constant, .named: return nil
    }
    guard case .path = comparison.left.kind else { return nil }
    comparison.quantifier = quantifier == .none ? .any : quantifier
    comparison.isWrittenAsNone = quantifier == .none
    let quantified = PredicateSyntax(.comparison(comparison))
    return QueryTerm(quantifier == .none ? PredicateSyntax(.not(quantified)) : quantified, of: [self])
  }
}
