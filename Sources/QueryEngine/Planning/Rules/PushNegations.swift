internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

extension PlannerRule {
  /// De Morgan: moves NOT inwards through AND and OR, and removes double negations.
  ///
  /// A comparison under NOT stays unchanged, and so does a test of a value that may be nil or NaN: for these,
  /// `NOT a > 5` is not `a <= 5`. For all other values it is, and an index can answer it.
  static let pushNegations = PlannerRule(
    name: "push negations", concerns: { $0.hasPart { if case .not = $0 { true } else { false } } }
  ) { predicate, context in push(predicate, negated: false, context.entity) }

  private static func push(_ predicate: BoundPredicate, negated: Bool, _ entity: StoredEntity) -> BoundPredicate {
    switch predicate {
    case .constant(let value): .constant(value != negated)
    case .not(let inner): push(inner, negated: !negated, entity)
    case .and(let parts):
      negated
        ? .or(parts.map { push($0, negated: true, entity) }) : .and(parts.map { push($0, negated: false, entity) })
    case .or(let parts):
      negated
        ? .and(parts.map { push($0, negated: true, entity) }) : .or(parts.map { push($0, negated: false, entity) })
    case .test(let test) where negated: opposite(of: test, entity).map(BoundPredicate.test) ?? .not(predicate)
    case .comparison, .test, .quantified, .lists, .remembered: negated ? .not(predicate) : predicate
    }
  }

  /// The negated test; nil if it is not a single interval.
  private static func opposite(of test: SargablePredicate, _ entity: StoredEntity) -> SargablePredicate? {
    guard case .interval(let interval) = test.question, entity.columns.indices.contains(test.column) else { return nil }
    let column = entity.columns[test.column].column
    guard !column.isOptional, case .scalar(let type) = column.kind, type.isInteger || type == .string else {
      return nil
    }
    let opposite: ValueInterval
    switch (interval.lower, interval.upper) {
    case (.unbounded, .included(let value)): opposite = ValueInterval(lower: .excluded(value))
    case (.unbounded, .excluded(let value)): opposite = ValueInterval(lower: .included(value))
    case (.included(let value), .unbounded): opposite = ValueInterval(upper: .excluded(value))
    case (.excluded(let value), .unbounded): opposite = ValueInterval(upper: .included(value))
    default: return nil
    }
    return SargablePredicate(
      column: test.column, question: .interval(opposite), syntax: PredicateSyntax(.not(test.syntax)))
  }
}
