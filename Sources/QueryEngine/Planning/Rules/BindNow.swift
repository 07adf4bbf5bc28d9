internal import Values

extension PlannerRule {
  /// Puts the moment of evaluation in the place of every `now()`, so that all of them are one.
  static let bindNow = PlannerRule(name: "fix moment", concerns: { !$0.isPlain }) { predicate, context in
    predicate.mapExpressions { expression in
      if case .now = expression { .constant(.date(context.now)) } else { expression }
    }
  }
}
