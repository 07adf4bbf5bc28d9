internal import PredicateLanguage

extension PlannerRule {
  /// Splits a comparison with TERNARY into its cases: `TERNARY(q, a, 1) > 5` becomes
  /// `(q AND a > 5) OR (NOT q AND 1 > 5)`, whose parts columns and indexes can answer.
  static let splitCases = PlannerRule(name: "split cases", concerns: { !$0.isPlain }) { predicate, _ in
    split(predicate)
  }

  private static func split(_ predicate: BoundPredicate) -> BoundPredicate {
    predicate.mapComparisons { comparison in
      guard let choice = comparison.choice else { return .comparison(comparison) }
      return joined(choice.condition, yes: fold(split(choice.yes)), no: fold(split(choice.no)))
    }
  }

  private static func joined(
    _ condition: BoundPredicate, yes: BoundPredicate, no: BoundPredicate
  ) -> BoundPredicate {
    switch (yes, no) {
    case (.constant(let yes), .constant(let no)) where yes == no: .constant(yes)
    case (.constant(true), .constant): split(condition)
    case (.constant, .constant): .not(split(condition))
    case (.constant(true), _): .or([split(condition), no])
    case (.constant(false), _): .and([.not(split(condition)), no])
    case (_, .constant(true)): .or([.not(split(condition)), yes])
    case (_, .constant(false)): .and([split(condition), yes])
    // The condition is now duplicated. Its own cases are not split, or nested conditions would double at each level.
    case (_, _): .or([.and([condition, yes]), .and([.not(condition), no])])
    }
  }
}

extension BoundComparison {
  /// The condition of the TERNARY in the comparison, and the comparison in either case. nil for other comparisons, and
  /// if there would be too many cases.
  fileprivate var choice: (condition: BoundPredicate, yes: BoundPredicate, no: BoundPredicate)? {
    let choices = right.reduce(left.choiceCount) { min($0 * $1.choiceCount, 1_000) }
    guard shape == nil, choices > 1, choices <= Self.mostChoices, choices * right.count <= Self.mostOperands else {
      return nil
    }
    if case .ternary(let condition, let yes, let no) = left {
      return (
        condition, .comparison(with(left: yes, right: right, syntax: syntax(ofLeft: true, isYes: true))),
        .comparison(with(left: no, right: right, syntax: syntax(ofLeft: true, isYes: false)))
      )
    }
    if right.count == 1, case .ternary(let condition, let yes, let no) = right[0] {
      return (
        condition, .comparison(with(left: left, right: [yes], syntax: syntax(ofLeft: false, isYes: true))),
        .comparison(with(left: left, right: [no], syntax: syntax(ofLeft: false, isYes: false)))
      )
    }
    return nil
  }

  /// The syntax of one case.
  private func syntax(ofLeft isLeft: Bool, isYes: Bool) -> PredicateSyntax {
    guard case .comparison(var inner) = syntax.kind,
      case .ternary(_, let yes, let no) = (isLeft ? inner.left : inner.right).kind
    else { return syntax }
    if isLeft { inner.left = isYes ? yes : no } else { inner.right = isYes ? yes : no }
    return PredicateSyntax(.comparison(inner))
  }

  /// With more cases than this TERNARY itself is evaluated.
  private static let mostChoices = 32
  private static let mostOperands = 1_000
}

extension BoundExpression {
  /// The number of values that TERNARY chooses from.
  fileprivate var choiceCount: Int {
    if case .ternary(_, let yes, let no) = self { min(yes.choiceCount + no.choiceCount, 1_000) } else { 1 }
  }
}
