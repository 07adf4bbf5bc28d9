/// One rewriting of a predicate into another that says the same of every object. It knows neither data nor costs.
struct PlannerRule: Sendable {
  /// What it is called in tests and traces.
  let name: String
  /// Whether there may be something for it to do. Most predicates are plain, and most rules leave them as they are.
  var concerns: @Sendable (BoundPredicate) -> Bool = { _ in true }
  /// The rewriting.
  let apply: @Sendable (BoundPredicate, RuleContext) -> BoundPredicate

  /// All rules in the order in which they are applied. Each finds what those before it left.
  static let all: [PlannerRule] = [
    .fixMoment, .foldConstants, .askColumns, .pushNegations, .flatten, .mergeRanges, .joinEqualities, .flatten,
  ]

  /// The predicate after all rules.
  static func simplified(_ predicate: BoundPredicate, _ context: RuleContext) -> BoundPredicate {
    all.reduce(predicate) { $1.concerns($0) ? $1.apply($0, context) : $0 }
  }
}
