internal import Values

extension PlannerRule {
  /// Replaces every `now()` by the moment of evaluation, so that all of them are equal.
  static let bindNow = PlannerRule(name: "fix moment", concerns: { !$0.isPlain }) { predicate, context in
    predicate.mapExpressions { expression in
      if case .now = expression { .constant(.date(context.now)) } else { expression }
    }
  }
}
