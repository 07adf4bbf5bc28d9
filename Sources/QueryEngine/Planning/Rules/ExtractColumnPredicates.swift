internal import PredicateLanguage
internal import Storage
internal import Values

extension PlannerRule {
  /// Extracts sargable predicates: turns comparisons of a column with constants into tests of the column, which
  /// indexes, kernels and zone maps can evaluate.
  static let extractColumnPredicates = PlannerRule(name: "extract column predicates") { predicate, _ in
    predicate.mapComparisons { ColumnQuestions($0)?.predicate ?? .comparison($0) }
  }
}

/// Extracts the test of one comparison between a column and constants.
private struct ColumnQuestions {
  let column: Int
  let type: ExpressionType
  let comparison: BoundComparison
  let comparator: Comparator
  /// The constant on the other side; the first of several.
  private let constant: Value?

  /// nil for any other comparison.
  init?(_ comparison: BoundComparison) {
    self.comparison = comparison
    if case .column(let column, let type) = comparison.left {
      self.column = column
      self.type = type
      comparator = comparison.comparator
      for operand in comparison.right where operand.constant == nil { return nil }
      constant = comparison.right.first?.constant
    } else if case .column(let column, let type)? = comparison.right.first, comparison.right.count == 1,
      let constant = comparison.left.constant, let mirrored = comparison.comparator.mirrored
    {
      self.column = column
      self.type = type
      comparator = mirrored
      self.constant = constant
    } else {
      return nil
    }
  }

  /// The constants of BETWEEN and IN, from the right side.
  private var constants: [Value] { comparison.right.compactMap(\.constant) }

  var predicate: BoundPredicate? {
    switch comparator.family {
    case .range:
      let constants = constants
      guard constants.count == 2 else { return nil }
      if constants.contains(where: \.isNull) { return .constant(false) }
      if !comparison.folding.isNone {
        guard let low = folded(.greaterOrEqual, constants[0]), let high = folded(.lessOrEqual, constants[1]) else {
          return nil
        }
        return .and([test(.text(low)), test(.text(high))])
      }
      guard let low = ColumnInterval.of(.greaterOrEqual, constants[0], type),
        let high = ColumnInterval.of(.lessOrEqual, constants[1], type)
      else { return .constant(false) }
      let both = low.intersection(high)
      return both.isEmpty ? .constant(false) : test(.interval(both))
    case .membership: return membership
    case .relation, .string, .place, .fullText:
      guard let constant else { return nil }
      return constant.isNull ? comparedWithNil : compared(comparator, with: constant)
    }
  }

  /// Only nil is equal to nil; no other comparison with nil holds.
  private var comparedWithNil: BoundPredicate {
    switch comparator.family {
    case .relation(.equal), .relation(.lessOrEqual), .relation(.greaterOrEqual): test(.isNil)
    case .relation(.notEqual):
      .not(.test(SargablePredicate(column: column, question: .isNil, syntax: comparison.equalSyntax)))
    case .relation(.less), .relation(.greater), .string, .range, .membership, .place, .fullText: .constant(false)
    }
  }

  private func compared(_ comparator: Comparator, with constant: Value) -> BoundPredicate? {
    if comparator == .notEqual {
      guard let equal = compared(.equal, with: constant) else { return nil }
      if case .constant(let value) = equal { return .constant(!value) }
      guard case .test(let test) = equal else { return nil }
      return .not(.test(SargablePredicate(column: column, question: test.question, syntax: comparison.equalSyntax)))
    }
    switch comparator.family {
    case .relation:
      if !comparison.folding.isNone { return folded(comparator, constant).map { test(.text($0)) } }
      guard let interval = ColumnInterval.of(comparator, constant, type) else { return .constant(false) }
      return test(.interval(interval))
    case .string:
      guard let text = comparison.test else { return nil }
      if case .relation(.equals, let bytes) = text.question, text.folding.isNone {
        let value: Value = type == .data ? .data(bytes) : .string(String(decoding: bytes, as: UTF8.self))
        return test(.interval(.exactly(value)))
      }
      return test(.text(text))
    case .range, .membership, .place, .fullText: return nil
    }
  }

  private var membership: BoundPredicate? {
    let constants = constants
    let hasNil = constants.contains(where: \.isNull)
    let isNil = BoundPredicate.test(
      SargablePredicate(column: column, question: .isNil, syntax: syntax(.equal, .literal(.null))))
    let others = constants.filter { !$0.isNull }
    guard comparison.folding.isNone else {
      var parts: [BoundPredicate] = hasNil ? [isNil] : []
      for constant in others {
        guard let text = folded(.equal, constant) else { return nil }
        parts.append(
          .test(
            SargablePredicate(column: column, question: .text(text), syntax: syntax(.equal, .literal(constant)))))
      }
      return parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(false) : .or(parts)
    }
    let exact = SortedValues.sorted(others.compactMap { ColumnInterval.of(.equal, $0, type)?.single })
    let oneOf: BoundPredicate =
      switch exact.count {
      case 0: .constant(false)
      case 1 where !hasNil: test(.interval(.exactly(exact[0])))
      default: test(.oneOf(exact))
      }
    guard hasNil else { return oneOf }
    return exact.isEmpty ? isNil : .or([oneOf, isNil])
  }

  private func folded(_ comparator: Comparator, _ constant: Value) -> TextTest? {
    guard case .string(let text) = constant else { return nil }
    return try? TextTest(comparator, text, folding: comparison.folding)
  }

  private func test(_ question: SargablePredicate.Question) -> BoundPredicate {
    .test(SargablePredicate(column: column, question: question, syntax: comparison.syntax))
  }

  private func syntax(_ comparator: Comparator, _ right: ExpressionSyntax.Kind) -> PredicateSyntax {
    guard case .comparison(var inner) = comparison.syntax.kind else { return comparison.syntax }
    if Binder.elements(of: inner.left) != nil { swap(&inner.left, &inner.right) }
    inner.comparator = comparator
    inner.rightQuantifier = nil
    inner.right = ExpressionSyntax(right)
    return PredicateSyntax(.comparison(inner))
  }
}
