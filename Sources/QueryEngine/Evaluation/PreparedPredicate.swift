internal import PredicateLanguage
internal import Storage
internal import Values

extension BoundPredicate {
  /// How many values a list has before looking them up pays.
  private static let listLimit = 8

  /// The same predicate made ready to be asked of many rows: long constant lists are hashed, ANY over several links
  /// becomes one after the other, and what ranges over collections for every element is remembered.
  var prepared: BoundPredicate { outside.mapCollections(\.outside) }

  /// It made ready, but not what is in its collections.
  fileprivate var outside: BoundPredicate {
    switch self {
    case .and(let parts): return .and(parts.map(\.outside))
    case .or(let parts): return .or(parts.map(\.outside))
    case .not(let inner): return .not(inner.outside)
    case .comparison(let comparison):
      guard comparison.comparator == .isIn, comparison.folding.isNone, comparison.right.count > Self.listLimit,
        comparison.right.allSatisfy({ $0.constant != nil })
      else { return self }
      // NaN is equal to nothing, nil to nil.
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

  /// It remembered for the element of a level, where it ranges over linked objects in turn.
  fileprivate func remembered(_ level: Int) -> BoundPredicate {
    let isNested = contains { if case .collection(let collection) = $0 { collection.goesThroughLinks } else { false } }
    return isNested ? .remembered(RememberedPredicate(self, level: level)) : self
  }
}

extension BoundCollection {
  /// It made ready, but not the collections in it.
  fileprivate var outside: BoundCollection {
    guard case .chosen(let base, let level, let predicate) = self else { return self }
    return .chosen(base, level: level, predicate.outside.remembered(level))
  }

  /// Whether its elements are those that other elements have.
  fileprivate var isFlattened: Bool {
    switch self {
    case .flattened: true
    case .each(let base, _, _), .chosen(let base, _, _): base.isFlattened
    default: false
    }
  }
}

extension BoundExpression {
  /// The same expression made ready to be asked of many rows, as predicates are.
  var prepared: BoundExpression { mapCollections(\.outside) }
}

extension BoundQuantifier {
  /// The same said of the elements of the first link only, where it is said over several: whether one of several that
  /// lead to an object has been asked is known then, and an object is asked once.
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
    default:
      return .quantified(
        BoundQuantifier(
          quantifier: .any, collection: collection, level: level, predicate: predicate, syntax: syntax))
    }
  }
}
