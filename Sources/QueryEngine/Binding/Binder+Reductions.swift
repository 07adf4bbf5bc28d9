internal import Diagnostics
internal import PredicateLanguage
internal import Storage
internal import Values

extension Binder {
  /// Binds `sum(…)`, `average(…)` and similar functions over one collection, over several values, or over both.
  mutating func reduction(
    _ reduction: AggregateFunction, _ name: String, _ syntaxes: [ExpressionSyntax], range: SourceRange
  ) -> BoundExpression? {
    guard !syntaxes.isEmpty else {
      report(.wrongArgumentCount, "'\(name)' takes one argument or more", range)
      return nil
    }
    var parts: [BoundCollection] = []
    var failed = false
    let isOfOne = syntaxes.count == 1
    for syntax in syntaxes {
      if isOfOne { meantAggregate = reduction }
      defer { meantAggregate = nil }
      guard let operand = asOne({ $0.operand(syntax) }) else {
        failed = true
        continue
      }
      let part = operand.collection ?? .list(operand.single.map { [$0] } ?? [])
      if reduction.type(of: part.elementType ?? .null) == nil {
        report(.typeMismatch, "'\(name)' takes \(reduction.parameter), but \(described(operand))", syntax.range)
        failed = true
      } else if isOfOne, operand.single.map({ $0.type != .list && $0.type != .null }) == true {
        warnOfOneValue(reduction, name, syntax, range)
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

  /// Warns about `SELECT count(magnitude)`: the function applies to the one value of each object, but an aggregate over
  /// all objects is probably meant.
  private mutating func warnOfOneValue(
    _ reduction: AggregateFunction, _ name: String, _ syntax: ExpressionSyntax, _ range: SourceRange
  ) {
    var notes: [String] = []
    if groups == nil, variables.isEmpty, case .path(let path) = syntax.kind, path.variable == nil {
      let aggregate = reduction == .count ? "@count" : "@\(reduction.rawValue).\(syntax.predicateFormat)"
      notes = ["over all objects it is '\(aggregate)', as in '\(entity.name) SELECT \(aggregate)'"]
    }
    warn(
      .aggregateOfSingleValue,
      "'\(name)(\(syntax.predicateFormat))' is of the one value that each object has, not of all objects", range,
      notes: notes)
  }
}
