import PredicateLanguage
import Values

/// Expressions with a quantifier before them: worked out for each element of the one collection in them.
extension NaiveEvaluator {
  /// A variable that nobody can write.
  private static let name = "each element"

  /// The elements, and the expression as one of such an element; nil where there is no collection in it, or several.
  func elementwise(
    _ expression: ExpressionSyntax, _ scope: OracleScope
  ) -> (type: OracleType, expression: ExpressionSyntax, read: (OracleScope) -> [Value]?)? {
    switch expression.kind {
    case .unary, .arithmetic, .call, .ternary: break
    default: return nil
    }
    var found: [(OracleType, (OracleScope) -> [Value]?)] = []
    let replaced = replacing(expression, scope, &found)
    guard found.count == 1 else { return nil }
    return (found[0].0, replaced, found[0].1)
  }

  /// The scope within which the expression is worked out for an element.
  func scope(_ scope: OracleScope, _ element: Value, _ type: OracleType) -> OracleScope {
    var inner = scope
    inner.variables[Self.name] = OracleItem(value: element, type: type)
    return inner
  }

  private func replacing(
    _ expression: ExpressionSyntax, _ scope: OracleScope, _ found: inout [(OracleType, (OracleScope) -> [Value]?)]
  ) -> ExpressionSyntax {
    switch expression.kind {
    case .path, .subquery:
      if case .many(let type, _, let read)? = try? checkedSource(expression, scope) {
        found.append((type, read))
      } else if (try? manyPlaces(expression, scope)) != nil {
        found.append((.point, { (try? manyPlaces(expression, $0)) ?? [] }))
      } else {
        return expression
      }
      return ExpressionSyntax(.path(PathSyntax(variable: Self.name, steps: [])))
    case .unary(let operation, let operand):
      return ExpressionSyntax(.unary(operation, replacing(operand, scope, &found)))
    case .arithmetic(let first, let steps):
      let first = replacing(first, scope, &found)
      let rest = steps.map { ArithmeticStep($0.operation, replacing($0.operand, scope, &found)) }
      return ExpressionSyntax(.arithmetic(first, rest))
    case .call(let name, let operands):
      // Those that make one value of many take them as they are.
      if OracleAggregates.functions.contains(name.lowercased()) { return expression }
      return ExpressionSyntax(.call(name, operands.map { replacing($0, scope, &found) }))
    case .ternary(let condition, let yes, let no):
      let yes = replacing(yes, scope, &found)
      return ExpressionSyntax(.ternary(condition, yes, replacing(no, scope, &found)))
    default: return expression
    }
  }
}
