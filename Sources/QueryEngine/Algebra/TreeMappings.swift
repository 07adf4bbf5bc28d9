/// Mappings that replace every node of a kind in a tree.
extension BoundExpression {
  /// The expression with every subexpression replaced, innermost first.
  func mapped(_ transform: (BoundExpression) -> BoundExpression) -> BoundExpression {
    transform(
      mapChildren({ $0.mapExpressions(transform) }, { $0.mapped(transform) }, { $0.mapExpressions(transform) }))
  }

  /// The expression with every collection in it replaced, outermost first.
  func mapCollections(_ transform: BoundMapping<BoundCollection>) rethrows -> BoundExpression {
    try mapChildren(
      { try $0.mapCollections(transform) }, { try $0.mapCollections(transform) }, { try $0.mapCollections(transform) })
  }
}

extension BoundPredicate {
  /// The predicate with every comparison under its AND, OR and NOT replaced. Expressions, quantifiers and cached
  /// predicates are left as they are.
  func mapComparisons(_ transform: (BoundComparison) -> BoundPredicate) -> BoundPredicate {
    switch self {
    case .constant, .test, .quantified, .lists, .remembered: self
    case .and(let parts): .and(parts.map { $0.mapComparisons(transform) })
    case .or(let parts): .or(parts.map { $0.mapComparisons(transform) })
    case .not(let inner): .not(inner.mapComparisons(transform))
    case .comparison(let comparison): transform(comparison)
    }
  }

  /// The predicate with every expression in it replaced, innermost first.
  func mapExpressions(_ transform: (BoundExpression) -> BoundExpression) -> BoundPredicate {
    // With other expressions the predicate may depend on other values, so the result is not cached.
    if case .remembered(let remembered) = self { return remembered.predicate.mapExpressions(transform) }
    return mapChildren({ $0.mapExpressions(transform) }, { $0.mapped(transform) }, { $0.mapExpressions(transform) })
  }

  /// The predicate with the element of a level replaced by an expression.
  func replacing(_ level: Int, by value: BoundExpression) -> BoundPredicate {
    mapExpressions { expression in
      if case .element(level, _) = expression { value } else { expression }
    }
  }

  /// The predicate with every collection in it replaced, outermost first.
  func mapCollections(_ transform: BoundMapping<BoundCollection>) rethrows -> BoundPredicate {
    try mapChildren(
      { try $0.mapCollections(transform) }, { try $0.mapCollections(transform) }, { try $0.mapCollections(transform) })
  }
}

extension BoundCollection {
  /// The collection with every expression in it replaced, innermost first.
  func mapExpressions(_ transform: (BoundExpression) -> BoundExpression) -> BoundCollection {
    mapChildren({ $0.mapExpressions(transform) }, { $0.mapped(transform) }, { $0.mapExpressions(transform) })
  }

  /// Replaces the collection, then every collection within the replacement.
  func mapCollections(_ transform: BoundMapping<BoundCollection>) rethrows -> BoundCollection {
    try transform(self).mapChildren(
      { try $0.mapCollections(transform) }, { try $0.mapCollections(transform) }, { try $0.mapCollections(transform) })
  }
}
