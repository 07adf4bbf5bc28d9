internal import Diagnostics
internal import PredicateLanguage
internal import Values

/// Numbers beside a Decimal, where they mean their digits.
extension Binder {
  /// A literal or argument with a point as the Decimal of its digits; any other expression as it is. Returns nil after
  /// an error.
  mutating func decimal(_ expression: BoundExpression, _ syntax: ExpressionSyntax) -> BoundExpression? {
    guard case .literal = syntax.kind, case .constant(.double(let number)) = expression,
      let exact = DecimalValue(shortest: number)
    else { return expression }
    return reportsLostDigits(in: syntax) ? nil : .constant(.decimal(exact))
  }

  /// Reports each number of an expression whose Double lacks some of the digits written; returns whether there is one.
  /// Arguments are not concerned: an argument is a value, not digits.
  mutating func reportsLostDigits(in syntax: ExpressionSyntax) -> Bool {
    var lost: [(text: String, range: SourceRange)] = []
    SyntaxNode.expression(syntax).walk { node in
      if case .expression(let expression) = node, case .literal(.double(let number)) = expression.kind,
        let text = written(expression.range)?.filter({ $0 != "_" && !$0.isWhitespace }), Double(text) == number,
        number.isFinite, DecimalValue(text) != DecimalValue(shortest: number)
      {
        lost.append((text, expression.range))
      }
      return true
    }
    for (text, range) in lost {
      // A Decimal has 38 digits.
      let fits = DecimalValue(text) != nil
      report(
        .typeMismatch, "a number with a point has the 17 digits of a Double, and these are more", range,
        notes: fits ? [] : ["a Decimal has 38 digits"],
        fixes: fits ? [Fix(message: "write decimal('\(text)')", range: range, replacement: "decimal('\(text)')")] : [])
    }
    return !lost.isEmpty
  }
}
