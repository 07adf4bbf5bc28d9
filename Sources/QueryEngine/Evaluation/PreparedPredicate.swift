internal import PredicateLanguage
internal import Storage
internal import Values

extension BoundPredicate {
  /// The number of values from which a hash lookup in a list pays off.
  private static let listLimit = 8

  /// The predicate prepared for evaluation on many rows: long constant lists are hashed, ANY over several links becomes
  /// nested quantifiers, and the results of nested quantifiers are cached.
  var prepared: BoundPredicate { outside.mapCollections(\.outside) }

  /// The predicate prepared, except for its collections.
  fileprivate var outside: BoundPredicate {
    switch self {
    case .and(let parts): return .and(parts.map(\.outside))
    case .or(let parts): return .or(parts.map(\.outside))
    case .not(let inner): return .not(inner.outside)
    case .comparison(let comparison):
      guard comparison.comparator == .isIn, comparison.folding.isNone, comparison.right.count > Self.listLimit,
        comparison.right.allSatisfy({ $0.constant != nil })
      else { return self }
      // nil equals nil, but NaN equals nothing.
      let values = comparison.right.compactMap(\.constant).filter { $0.isNull || ValueOrder.isComparable($0) }
      return .comparison(comparison.with(members: Set(values.map(DistinctKey.of))))
    case .quantified(let quantified):
      if let steps = quantified.linkByLink { return steps.outside }
      return .quantified(
        BoundQuantifier(
          quantifier: quantified.quantifier, collection: quantified.collection, level: quantified.level,
          predicate: quantified.predicate.outside.remembered(quantified.level), syntax: quantified.syntax))
    case .constant, .test, .lists, .remembered: return self
    }
  }

  /// The predicate with its results cached for the element of a level, if it contains quantifiers over linked objects.
  fileprivate func remembered(_ level: Int) -> BoundPredicate {
    let isNested = contains { if case .collection(let collection) = $0 { collection.goesThroughLinks } else { false } }
    return isNested ? .remembered(RememberedPredicate(self, level: level)) : self
  }
}

extension BoundCollection {
  /// The collection prepared, except for the collections in it.
  fileprivate var outside: BoundCollection {
    guard case .chosen(let base, let level, let predicate) = self else { return self }
    return .chosen(base, level: level, predicate.outside.remembered(level))
  }

  /// Whether it joins the collections of the elements of another collection.
  fileprivate var isFlattened: Bool {
    switch self {
    case .flattened: true
    case .each(let base, _, _), .chosen(let base, _, _): base.isFlattened
    case .column, .keys, .list, .distinct, .joined, .property, .propertyKeys, .sources, .positions, .computed, .among:
      false
    }
  }
}

extension BoundExpression {
  /// The expression prepared for evaluation on many rows.
  var prepared: BoundExpression { mapCollections(\.outside) }
}

extension BoundQuantifier {
  /// A quantifier over several links rewritten as nested quantifiers over one link each. Each linked object is then
  /// tested once, since its result is cached even if several objects link to it.
  fileprivate var linkByLink: BoundPredicate? {
    guard collection.isFlattened, collection.goesThroughLinks else { return nil }
    switch quantifier {
    case .any: return any(collection, level, predicate)
    case .none: return .not(any(collection, level, predicate))
    case .all: return .not(any(collection, level, .not(predicate)))
    }
  }

  private func any(_ collection: BoundCollection, _ level: Int, _ predicate: BoundPredicate) -> BoundPredicate {
    switch collection {
    case .each(let base, let inner, let value): return any(base, inner, predicate.replacing(level, by: value))
    case .chosen(let base, let inner, let condition) where base.isFlattened:
      let element = BoundExpression.element(level: inner, base.elementType ?? .null)
      return any(base, inner, .and([condition, predicate.replacing(level, by: element)]))
    case .flattened(let base, let outer, let inner): return any(base, outer, any(inner, level, predicate))
    case .column, .keys, .list, .chosen, .distinct, .joined, .property, .propertyKeys, .sources, .positions, .computed,
      .among:
      return .quantified(
        BoundQuantifier(
          quantifier: .any, collection: collection, level: level, predicate: predicate, syntax: syntax))
    }
  }
}
