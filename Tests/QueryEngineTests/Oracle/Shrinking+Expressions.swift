import PredicateLanguage
import Values

/// Smaller comparisons and expressions. What comes out may be an error; then it does not fail as before, and is not taken.
extension Shrinking {
  static func smaller(_ comparison: ComparisonSyntax) -> [PredicateSyntax] {
    var candidates: [ComparisonSyntax] = []
    func add(_ change: (inout ComparisonSyntax) -> Void) {
      var candidate = comparison
      change(&candidate)
      candidates.append(candidate)
    }
    if !comparison.options.isEmpty { add { $0.options = [] } }
    if comparison.rightQuantifier != nil { add { $0.rightQuantifier = nil } }
    if comparison.quantifier != nil { add { $0.quantifier = nil } }
    for left in smaller(comparison.left) { add { $0.left = left } }
    for right in smaller(comparison.right) { add { $0.right = right } }
    return candidates.map { PredicateSyntax(.comparison($0)) }
  }

  /// The parts of an expression, and the expression with one part smaller.
  static func smaller(_ expression: ExpressionSyntax) -> [ExpressionSyntax] {
    switch expression.kind {
    case .literal(.string(let text)) where text.unicodeScalars.count > 1:
      let scalars = Array(text.unicodeScalars)
      return [scalars.prefix(scalars.count / 2), scalars.suffix(scalars.count / 2), scalars.dropLast()].map {
        ExpressionSyntax(.literal(.string(String(String.UnicodeScalarView($0)))))
      }
    case .literal(.int(let number)) where number != 0 && number != 1:
      return [0, 1].map { ExpressionSyntax(.literal(.int($0))) }
    case .unary(let operation, let operand):
      return [operand] + smaller(operand).map { ExpressionSyntax(.unary(operation, $0)) }
    case .arithmetic(let first, let steps):
      var candidates = [first] + steps.map(\.operand)
      if steps.count > 1 { candidates.append(ExpressionSyntax(.arithmetic(first, steps.dropLast()))) }
      if let step = steps.first, steps.count == 1 {
        candidates += smaller(first).map { .binary(step.operation, $0, step.operand) }
        candidates += smaller(step.operand).map { .binary(step.operation, first, $0) }
      }
      return candidates
    case .call(let name, let operands):
      var candidates = operands
      if operands.count > 1, !name.contains(":"), name != "distance" {
        candidates += operands.indices.map { ExpressionSyntax(.call(name, without($0, operands))) }
      }
      return candidates + each(operands) { ExpressionSyntax(.call(name, $0)) }
    case .list(let elements):
      return elements.indices.map { ExpressionSyntax(.list(without($0, elements))) }
        + each(elements) { ExpressionSyntax(.list($0)) }
    case .ternary(let condition, let yes, let no):
      return [yes, no] + smaller(condition).map { ExpressionSyntax(.ternary($0, yes, no)) }
        + each([yes, no]) { ExpressionSyntax(.ternary(condition, $0[0], $0[1])) }
    case .subquery(let path, let variable, let condition, let tail):
      var whole = path
      whole.steps += tail.steps
      return [ExpressionSyntax(.path(whole))]
        + smaller(condition).map { ExpressionSyntax(.subquery(path, variable: variable, $0, tail: tail)) }
    default: return []
    }
  }

  private static func without<T>(_ place: Int, _ elements: [T]) -> [T] {
    var rest = elements
    rest.remove(at: place)
    return rest
  }

  private static func each(
    _ elements: [ExpressionSyntax], _ make: ([ExpressionSyntax]) -> ExpressionSyntax
  ) -> [ExpressionSyntax] {
    elements.indices.flatMap { place in
      smaller(elements[place]).map { candidate in
        var changed = elements
        changed[place] = candidate
        return make(changed)
      }
    }
  }
}
