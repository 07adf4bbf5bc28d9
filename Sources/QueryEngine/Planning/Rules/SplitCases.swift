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
      let (yes, no) = (fold(split(choice.yes)), fold(split(choice.no)))
      // Two cases that both compute something take as long as TERNARY inside of the computation.
      if !choice.isOperand, !yes.isTruth, !no.isTruth { return .comparison(comparison) }
      return joined(choice.condition, yes: yes, no: no)
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

extension BoundPredicate {
  fileprivate var isTruth: Bool { if case .constant = self { true } else { false } }
}

extension BoundComparison {
  /// A comparison taken apart by the condition of a TERNARY.
  fileprivate struct Choice {
    let condition: BoundPredicate
    let yes: BoundPredicate
    let no: BoundPredicate
    /// Whether TERNARY is an operand of the comparison, and not a part of one.
    let isOperand: Bool
  }

  /// The comparison by the cases of the first TERNARY in its operands; nil for comparisons without one, and where there
  /// would be too many cases.
  fileprivate var choice: Choice? {
    let choices = right.reduce(left.choiceCount) { min($0 * $1.choiceCount, 1_000) }
    guard shape == nil, choices > 1, choices <= Self.mostChoices, choices * right.count <= Self.mostOperands else {
      return nil
    }
    if let cases = left.cases {
      return Choice(
        condition: cases.condition,
        yes: .comparison(with(left: cases.yes, right: right, syntax: syntax(ofLeft: true, isYes: true))),
        no: .comparison(with(left: cases.no, right: right, syntax: syntax(ofLeft: true, isYes: false))),
        isOperand: left.isTernary)
    }
    guard right.count == 1, let cases = right[0].cases else { return nil }
    return Choice(
      condition: cases.condition,
      yes: .comparison(with(left: left, right: [cases.yes], syntax: syntax(ofLeft: false, isYes: true))),
      no: .comparison(with(left: left, right: [cases.no], syntax: syntax(ofLeft: false, isYes: false))),
      isOperand: right[0].isTernary)
  }

  /// The syntax of one case; that of the whole comparison if it has several TERNARYs.
  private func syntax(ofLeft isLeft: Bool, isYes: Bool) -> PredicateSyntax {
    guard case .comparison(var inner) = syntax.kind,
      let operand = (isLeft ? inner.left : inner.right).onlyCase(isYes, of: isLeft ? left : right[0])
    else { return syntax }
    if isLeft { inner.left = operand } else { inner.right = operand }
    return PredicateSyntax(.comparison(inner))
  }

  /// With more cases than this TERNARY itself is evaluated.
  private static let mostChoices = 32
  private static let mostOperands = 1_000
}

extension BoundExpression {
  fileprivate var isTernary: Bool { if case .ternary = self { true } else { false } }

  /// The number of values that the TERNARYs in it choose from.
  fileprivate var choiceCount: Int {
    switch self {
    case .ternary(_, let yes, let no): min(yes.choiceCount + no.choiceCount, 1_000)
    case .negate(let operand), .complement(let operand): operand.choiceCount
    case .arithmetic(let first, let steps):
      steps.reduce(first.choiceCount) { min($0 * $1.operand.choiceCount, 1_000) }
    // Which argument is the result depends on all before it.
    case .call(.coalesce, _): 1
    case .call(_, let operands): operands.reduce(1) { min($0 * $1.choiceCount, 1_000) }
    case .constant, .column, .own, .object, .gathered, .computed, .now, .element, .reduced, .item, .entry, .property,
      .assembled:
      1
    }
  }

  /// The condition of the first TERNARY that stands in it, or in an operand of its operators and functions, and the
  /// expression in either case.
  fileprivate var cases: (condition: BoundPredicate, yes: BoundExpression, no: BoundExpression)? {
    /// Both cases in the place of an operand; nil makes nil.
    func placed(
      _ operand: BoundExpression, _ place: (BoundExpression) -> BoundExpression
    ) -> (condition: BoundPredicate, yes: BoundExpression, no: BoundExpression)? {
      guard let cases = operand.cases, cases.yes.type == cases.no.type || cases.yes.isNil || cases.no.isNil else {
        return nil
      }
      func whole(_ value: BoundExpression) -> BoundExpression { value.isNil ? .constant(.null) : place(value) }
      return (cases.condition, whole(cases.yes), whole(cases.no))
    }
    switch self {
    case .ternary(let condition, let yes, let no): return (condition, yes, no)
    case .negate(let operand): return placed(operand) { .negate($0) }
    case .complement(let operand): return placed(operand) { .complement($0) }
    case .arithmetic(let first, let steps):
      if let cases = placed(first, { .arithmetic($0, steps) }) { return cases }
      return steps.indices.lazy.compactMap { index in
        placed(steps[index].operand) { operand in
          var changed = steps
          changed[index] = Step(operation: steps[index].operation, operand: operand, type: steps[index].type)
          return .arithmetic(first, changed)
        }
      }.first
    case .call(.coalesce, _): return nil
    case .call(let function, let operands):
      return operands.indices.lazy.compactMap { index in
        placed(operands[index]) { operand in
          var changed = operands
          changed[index] = operand
          return .call(function, changed)
        }
      }.first
    case .constant, .column, .own, .object, .gathered, .computed, .now, .element, .reduced, .item, .entry, .property,
      .assembled:
      return nil
    }
  }
}

extension ExpressionSyntax {
  /// The syntax of one case of an expression with exactly one TERNARY; nil for others.
  fileprivate func onlyCase(_ isYes: Bool, of expression: BoundExpression) -> ExpressionSyntax? {
    if case .ternary(_, let yes, let no) = kind { return isYes ? yes : no }
    guard expression.choiceCount == 2 else { return nil }
    var found = 0
    let changed = replacingTernaries { yes, no in
      found += 1
      return isYes ? yes : no
    }
    return found == 1 ? changed : nil
  }

  /// The same with each TERNARY in an operand of operators and functions replaced.
  private func replacingTernaries(
    _ replacement: (ExpressionSyntax, ExpressionSyntax) -> ExpressionSyntax
  ) -> ExpressionSyntax {
    var changed = self
    switch kind {
    case .ternary(_, let yes, let no): return replacement(yes, no)
    case .unary(let operation, let operand):
      changed.kind = .unary(operation, operand.replacingTernaries(replacement))
    case .arithmetic(let first, let steps):
      changed.kind = .arithmetic(
        first.replacingTernaries(replacement),
        steps.map { ArithmeticStep($0.operation, range: $0.range, $0.operand.replacingTernaries(replacement)) })
    case .call(let name, let arguments):
      changed.kind = .call(name, arguments.map { $0.replacingTernaries(replacement) })
    case .literal, .placeholder, .path, .list, .subquery, .point, .shape: break
    }
    return changed
  }
}
