extension PlannerRule {
  /// The maximum number of parts that are searched for duplicates, which takes quadratic time.
  private static let looksBack = 50

  /// Flattens nested ANDs and nested ORs, and removes constant parts.
  static let flatten = PlannerRule(name: "flatten", concerns: { $0.hasPart { !isFlat($0) } }) { predicate, _ in
    flattened(predicate)
  }

  /// Whether the predicate itself, regardless of its parts, is already flat.
  private static func isFlat(_ predicate: BoundPredicate) -> Bool {
    switch predicate {
    case .constant, .comparison, .test, .quantified, .lists, .remembered: return true
    case .not(let inner): if case .constant = inner { return false } else { return true }
    case .and(let parts):
      return areFlat(parts) && !parts.contains { if case .and = $0 { true } else { false } }
    case .or(let parts):
      return areFlat(parts) && !parts.contains { if case .or = $0 { true } else { false } }
    }
  }

  private static func areFlat(_ parts: [BoundPredicate]) -> Bool {
    // Comparing all parts of a long chain costs more than flattening it.
    guard parts.count > 1, parts.count <= 16 else { return false }
    for (place, part) in parts.enumerated() {
      if case .constant = part { return false }
      if parts[..<place].contains(part) { return false }
    }
    return true
  }

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
