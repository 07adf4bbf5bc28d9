internal import Values

extension PlannerRule {
  /// Replaces every `now()` by the time of evaluation, so that all have the same value.
  static let bindNow = PlannerRule(name: "bind now()", concerns: { !$0.isPlain }) { predicate, context in
    predicate.mapExpressions { expression in
      if case .now = expression { .constant(.date(context.now)) } else { expression }
    }
  }
}
