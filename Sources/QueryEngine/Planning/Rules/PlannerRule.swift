/// A rewriting of a predicate into an equivalent one. It depends neither on data nor on costs.
struct PlannerRule: Sendable {
  /// Its name in tests and traces.
  let name: String
  /// Whether the rule may change the predicate. Most predicates are plain, and most rules do not change them.
  var concerns: @Sendable (BoundPredicate) -> Bool = { _ in true }
  /// The rewriting.
  let apply: @Sendable (BoundPredicate, RuleContext) -> BoundPredicate

  /// All rules, in the order in which they run. Each is applied to the result of the rules before it.
  static let all: [PlannerRule] = [
    .bindNow, .foldConstants, .splitCases, .extractColumnPredicates, .invertArithmetic, .pushNegations, .flatten,
    .mergeRanges, .equalitiesToIn, .flatten,
  ]

  /// The rules that leave every comparison of a column as it is written, for a query that must be evaluated so.
  private static let keepingComparisons: [PlannerRule] = [.bindNow, .foldConstants, .pushNegations, .flatten]

  /// The predicate after all rules.
  static func simplified(_ predicate: BoundPredicate, _ context: RuleContext) throws -> BoundPredicate {
    if context.evaluation != .cheapest { return keepingComparisons.reduce(predicate) { $1.apply($0, context) } }
    // Most predicates are an AND of columns compared with constants; for these only one rule matters.
    if predicate.isPlain {
      let asked = extractColumnPredicates.apply(predicate, context)
      if asked.isFewTests { return asked }
    }
    return try all.reduce(predicate) { predicate, rule in
      try context.check()
      return rule.concerns(predicate) ? rule.apply(predicate, context) : predicate
    }
  }
}

extension BoundPredicate {
  /// Whether the predicate is a test of a column, or an AND of tests of a few different columns, which no rule
  /// simplifies.
  fileprivate var isFewTests: Bool {
    switch self {
    case .test: return true
    case .and(let parts):
      guard (2...8).contains(parts.count) else { return false }
      for place in parts.indices {
        guard case .test(let test) = parts[place] else { return false }
        for earlier in parts[..<place] {
          if case .test(let other) = earlier, other.column == test.column { return false }
        }
      }
      return true
    case .constant, .or, .not, .comparison, .quantified, .lists, .remembered: return false
    }
  }
}
