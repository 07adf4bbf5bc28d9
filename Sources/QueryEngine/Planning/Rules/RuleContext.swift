internal import Storage
internal import Values

/// The context of rules: the columns, the time of evaluation, and whether expressions must be evaluated as written.
struct RuleContext: Sendable {
  let entity: StoredEntity
  let now: Instant
  var evaluation = ExpressionAccess.cheapest
  /// Polled before each rule, since a rule visits the whole predicate.
  var isCancelled: (@Sendable () throws -> Bool)?

  /// Throws `QueryCancelled` if the query was cancelled.
  func check() throws { if let isCancelled, try isCancelled() { throw QueryCancelled() } }
}

extension BoundPredicate {
  /// Whether the predicate, or a part of its AND, OR and NOT, satisfies a condition.
  func hasPart(where isMeant: (BoundPredicate) -> Bool) -> Bool {
    if isMeant(self) { return true }
    switch self {
    case .and(let parts), .or(let parts): return parts.contains { $0.hasPart(where: isMeant) }
    case .not(let inner): return inner.hasPart(where: isMeant)
    case .constant, .comparison, .test, .quantified, .lists, .remembered: return false
    }
  }
}
