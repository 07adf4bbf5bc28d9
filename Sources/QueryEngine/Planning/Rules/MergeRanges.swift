internal import PredicateLanguage
internal import Values

extension PlannerRule {
  /// Merges the ranges of one column in an AND: `a > 1 AND a < 9` is one interval, and `a IN {…}` with an interval is a
  /// shorter list. A contradiction makes the whole AND false.
  static let mergeRanges = PlannerRule(name: "merge ranges", concerns: { $0.hasPart(where: asksTwice) }) {
    predicate, _ in merged(predicate)
  }

  /// Whether the predicate is an AND with two ordered tests of one column.
  private static func asksTwice(_ predicate: BoundPredicate) -> Bool {
    guard case .and(let parts) = predicate else { return false }
    // In a long AND comparing the columns costs more than applying the rule.
    if parts.count > 16 { return true }
    for (place, part) in parts.enumerated() {
      guard let column = part.orderedColumn else { continue }
      for other in parts[..<place] where other.orderedColumn == column { return true }
    }
    return false
  }

  private static func merged(_ predicate: BoundPredicate) -> BoundPredicate {
    switch predicate {
    case .constant, .comparison, .test, .quantified, .lists, .remembered: return predicate
    case .not(let inner): return .not(merged(inner))
    case .or(let parts): return .or(parts.map(merged))
    case .and(let parts):
      var result: [BoundPredicate] = []
      var places: [Int: Int] = [:]
      var syntaxes: [Int: [PredicateSyntax]] = [:]
      for part in parts.map(merged) {
        guard case .test(let test) = part, test.question.isOrdered else {
          result.append(part)
          continue
        }
        guard let place = places[test.column], case .test(let earlier) = result[place] else {
          places[test.column] = result.count
          result.append(part)
          continue
        }
        guard let question = earlier.question.intersection(test.question) else { return .constant(false) }
        result[place] = .test(SargablePredicate(column: test.column, question: question, syntax: earlier.syntax))
        syntaxes[place, default: conjuncts(of: earlier.syntax)] += conjuncts(of: test.syntax)
      }
      for (place, syntaxes) in syntaxes {
        guard case .test(let test) = result[place] else { continue }
        result[place] = .test(
          SargablePredicate(column: test.column, question: test.question, syntax: PredicateSyntax(.and(syntaxes))))
      }
      return result.count > 1 ? .and(result) : result.first ?? .constant(true)
    }
  }

  private static func conjuncts(of syntax: PredicateSyntax) -> [PredicateSyntax] {
    if case .and(let inner) = syntax.kind { inner } else { [syntax] }
  }
}

extension BoundPredicate {
  /// The column of an ordered test.
  fileprivate var orderedColumn: Int? {
    if case .test(let test) = self, test.question.isOrdered { test.column } else { nil }
  }
}

extension SargablePredicate.Question {
  /// Whether the test is an interval or a list of values.
  var isOrdered: Bool {
    switch self {
    case .interval, .oneOf: true
    case .isNil, .text: false
    }
  }

  /// The values that satisfy two ordered tests; nil if there are none.
  func intersection(_ other: Self) -> Self? {
    switch (self, other) {
    case (.interval(let a), .interval(let b)):
      let both = a.intersection(b)
      return both.isEmpty ? nil : .interval(both)
    case (.interval(let interval), .oneOf(let values)), (.oneOf(let values), .interval(let interval)):
      return Self.members(values.filter(interval.contains))
    case (.oneOf(let a), .oneOf(let b)):
      return Self.members(a.filter { SortedValues.contains($0, in: b) })
    default: return nil
    }
  }

  /// A test for membership in ascending distinct values; nil for an empty list.
  static func members(_ values: [Value]) -> Self? {
    switch values.count {
    case 0: nil
    case 1: .interval(.exactly(values[0]))
    default: .oneOf(values)
    }
  }
}
