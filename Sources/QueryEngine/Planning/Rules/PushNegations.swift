extension PlannerRule {
  /// De Morgan: moves NOT inwards through AND and OR, and takes away double ones.
  ///
  /// A test or comparison under NOT is left as it is: with nil, `NOT a > 5` is not `a <= 5`.
  static let pushNegations = PlannerRule(
    name: "push negations", concerns: { $0.contains { if case .not = $0 { true } else { false } } }
  ) { predicate, _ in push(predicate, negated: false) }

  private static func push(_ predicate: BoundPredicate, negated: Bool) -> BoundPredicate {
    switch predicate {
    case .constant(let value): .constant(value != negated)
    case .not(let inner): push(inner, negated: !negated)
    case .and(let parts):
      negated ? .or(parts.map { push($0, negated: true) }) : .and(parts.map { push($0, negated: false) })
    case .or(let parts):
      negated ? .and(parts.map { push($0, negated: true) }) : .or(parts.map { push($0, negated: false) })
    case .comparison, .test, .quantified, .lists, .remembered: negated ? .not(predicate) : predicate
    }
  }
}
