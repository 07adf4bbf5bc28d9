internal import Diagnostics
internal import PredicateLanguage
internal import Values

extension Binder {
  /// `sum(…)`, `average(…)` and the like: over one collection, over several values, or over both.
  mutating func reduction(
    _ reduction: Reduction, _ name: String, _ syntaxes: [ExpressionSyntax], range: SourceRange
  ) -> BoundExpression? {
    guard !syntaxes.isEmpty else {
      report(.wrongArgumentCount, "'\(name)' takes one argument or more", range)
      return nil
    }
    var parts: [BoundCollection] = []
    var failed = false
    for syntax in syntaxes {
      guard let operand = asOne({ $0.operand(syntax) }) else {
        failed = true
        continue
      }
      let part = operand.collection ?? .list(operand.single.map { [$0] } ?? [])
      if reduction.type(of: part.elementType ?? .null) == nil {
        report(.typeMismatch, "'\(name)' takes \(reduction.parameter), but \(described(operand))", syntax.range)
        failed = true
      }
      parts.append(part)
    }
    if failed { return nil }
    let collection = parts.count == 1 ? parts[0] : .joined(parts)
    if collection.elementType == nil, reduction != .count {
      report(.typeMismatch, "'\(name)' takes values of one type, and these are of several", range)
      return nil
    }
    return .reduced(reduction, collection)
  }
}
