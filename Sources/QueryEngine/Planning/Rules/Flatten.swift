extension PlannerRule {
  /// How many parts of a chain are looked through for repetitions: more would cost the square of a long chain.
  private static let looksBack = 50

  /// Makes one AND of nested ones and one OR of nested ones, and takes out what is always true or always false.
  static let flatten = PlannerRule(name: "flatten") { predicate, _ in flattened(predicate) }

  private static func flattened(_ predicate: BoundPredicate) -> BoundPredicate {
    switch predicate {
    case .constant, .comparison, .test, .quantified, .lists, .remembered: return predicate
    case .not(let inner):
      let inner = flattened(inner)
      if case .constant(let value) = inner { return .constant(!value) }
      return .not(inner)
    case .and(let parts):
      var result: [BoundPredicate] = []
      for part in parts {
        switch flattened(part) {
        case .constant(true): break
        case .constant(false): return .constant(false)
        case .and(let inner): result += inner
        case let other: if result.count > looksBack || !result.contains(other) { result.append(other) }
        }
      }
      return result.count > 1 ? .and(result) : result.first ?? .constant(true)
    case .or(let parts):
      var result: [BoundPredicate] = []
      for part in parts {
        switch flattened(part) {
        case .constant(false): break
        case .constant(true): return .constant(true)
        case .or(let inner): result += inner
        case let other: if result.count > looksBack || !result.contains(other) { result.append(other) }
        }
      }
      return result.count > 1 ? .or(result) : result.first ?? .constant(false)
    }
  }
}
