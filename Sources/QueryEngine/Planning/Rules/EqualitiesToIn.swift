internal import PredicateLanguage
internal import Values

extension PlannerRule {
  /// Joins the equalities and memberships of one column in an OR into one membership: `a == 1 OR a == 2` is `a IN {1,
  /// 2}`.
  static let equalitiesToIn = PlannerRule(
    name: "equalities to IN", concerns: { $0.hasPart { if case .or = $0 { true } else { false } } }
  ) { predicate, _ in joined(predicate) }

  private static func joined(_ predicate: BoundPredicate) -> BoundPredicate {
    switch predicate {
    case .constant, .comparison, .test, .quantified, .lists, .remembered: return predicate
    case .not(let inner): return .not(joined(inner))
    case .and(let parts): return .and(parts.map(joined))
    case .or(let parts):
      let parts = parts.map(joined)
      var values: [Int: [Value]] = [:]
      var counts: [Int: Int] = [:]
      for part in parts {
        guard case .test(let test) = part, let members = test.question.members else { continue }
        values[test.column, default: []] += members
        counts[test.column, default: 0] += 1
      }
      var result: [BoundPredicate] = []
      var done: Set<Int> = []
      for part in parts {
        guard case .test(let test) = part, test.question.members != nil, counts[test.column, default: 0] > 1,
          let all = values[test.column]
        else {
          result.append(part)
          continue
        }
        // Sorts the values once, at the column's first test, which absorbs the others.
        guard done.insert(test.column).inserted else { continue }
        guard let question = SargablePredicate.Question.members(SortedValues.sorted(all)) else { continue }
        result.append(
          .test(SargablePredicate(column: test.column, question: question, syntax: syntax(test.syntax, question))))
      }
      return result.count > 1 ? .or(result) : result.first ?? .constant(false)
    }
  }

  /// The test printed as `column IN {…}`.
  private static func syntax(_ one: PredicateSyntax, _ question: SargablePredicate.Question) -> PredicateSyntax {
    guard case .comparison(var comparison) = one.kind, let members = question.members else { return one }
    if case .path = comparison.left.kind {} else { swap(&comparison.left, &comparison.right) }
    comparison.comparator = .isIn
    comparison.rightQuantifier = nil
    comparison.right = ExpressionSyntax(.list(members.map { ExpressionSyntax(.literal($0)) }))
    return PredicateSyntax(.comparison(comparison))
  }
}

extension SargablePredicate.Question {
  /// The values of an equality or membership test; nil for another test.
  var members: [Value]? {
    switch self {
    case .interval(let interval): interval.single.map { [$0] }
    case .oneOf(let values): values
    case .isNil, .text: nil
    }
  }
}
