internal import PredicateLanguage
internal import Storage
internal import Values

extension BoundPredicate {
  /// How many values a list has before looking them up pays.
  private static let listLimit = 8

  /// The same predicate made ready to be asked of many rows: long constant lists are hashed.
  var prepared: BoundPredicate {
    switch self {
    case .and(let parts): return .and(parts.map(\.prepared))
    case .or(let parts): return .or(parts.map(\.prepared))
    case .not(let inner): return .not(inner.prepared)
    case .comparison(var comparison):
      guard comparison.comparator == .isIn, comparison.folding.isNone, comparison.right.count > Self.listLimit,
        comparison.right.allSatisfy({ $0.constant != nil })
      else { return self }
      // NaN is equal to nothing, nil to nil.
      let values = comparison.right.compactMap(\.constant).filter { $0.isNull || ValueOrder.isComparable($0) }
      comparison.members = Set(values.map(DistinctKey.of))
      return .comparison(comparison)
    case .quantified(let quantified):
      return .quantified(
        BoundQuantifier(
          quantifier: quantified.quantifier, collection: quantified.collection, level: quantified.level,
          predicate: quantified.predicate.prepared, syntax: quantified.syntax))
    default: return self
    }
  }
}
