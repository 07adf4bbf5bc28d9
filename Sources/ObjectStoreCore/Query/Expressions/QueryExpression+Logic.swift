internal import PredicateLanguage

extension QueryExpression where Value == Bool {
  /// Both hold.
  public static func && (left: QueryExpression<Bool>, right: QueryExpression<Bool>) -> QueryExpression<Bool> {
    QueryExpression(QueryTerm(.conjunction([left.term.predicate, right.term.predicate]), of: [left.term, right.term]))
  }

  /// Whether at least one side holds.
  public static func || (left: QueryExpression<Bool>, right: QueryExpression<Bool>) -> QueryExpression<Bool> {
    QueryExpression(QueryTerm(.disjunction([left.term.predicate, right.term.predicate]), of: [left.term, right.term]))
  }

  /// The plain opposite.
  public static prefix func ! (operand: QueryExpression<Bool>) -> QueryExpression<Bool> {
    QueryExpression(QueryTerm(operand.term.predicate.negated, of: [operand.term]))
  }

  /// The number of objects in the condition's collection that satisfy it: a `SUBQUERY`.
  ///
  /// ```swift
  /// let busy = projects.where { ($0.tasks.isComplete == false && $0.tasks.assignee == "Alex").count > 0 }
  /// ```
  ///
  /// All paths of the condition that lead through a collection must lead through the same one; other conditions throw
  /// when the query is used.
  public var count: QueryExpression<Int> { QueryExpression<Int>(term.countingMatches) }
}

extension QueryTerm {
  fileprivate var countingMatches: QueryTerm {
    if failure != nil { return self }
    guard let first = collections.first else {
      return QueryTerm(
        failing: "'(\(predicate.predicateFormat)).count' counts the objects of a collection, and there is none in it",
        notes: ["compare properties of a list, as in '($0.tasks.isComplete == false).count > 0'"])
    }
    guard let shared = first.last(where: { path in collections.allSatisfy { $0.contains(path) } }) else {
      let names = Set(collections.compactMap(\.first).map(\.description)).sorted().joined(separator: ", ")
      return QueryTerm(
        failing: "'(\(predicate.predicateFormat)).count' counts the objects of one collection, and it has several: "
          + names,
        notes: ["count each on its own, and join the comparisons"])
    }
    var rewriter = RelativePaths(collection: shared, variable: predicate.freshVariable)
    let condition = rewriter.rewrite(predicate)
    var result = QueryTerm(
      ExpressionSyntax(
        .subquery(
          shared, variable: rewriter.variable, condition,
          tail: PathSyntax(steps: [PathSyntax.Step(.operation("count"))]))))
    // A nested count ranges over the same objects as the expression around it.
    result.collections = [first.prefix { $0 != shared }].filter { !$0.isEmpty }.map { Array($0) }
    return result
  }
}

/// Rewrites paths that lead through a collection to start at a variable, its element.
private struct RelativePaths: SyntaxRewriter {
  let collection: PathSyntax
  let variable: String

  mutating func rewrite(_ path: PathSyntax) -> PathSyntax {
    let path = rewriteChildren(of: path)
    guard path.variable == collection.variable, path.steps.starts(with: collection.steps) else { return path }
    return PathSyntax(variable: variable, steps: Array(path.steps.dropFirst(collection.steps.count)))
  }
}

extension PredicateSyntax {
  /// A variable name that nothing in the expression uses, neither a SUBQUERY nor a path.
  fileprivate var freshVariable: String {
    var taken: Set<String> = []
    walk { node in
      guard case .expression(let expression) = node else { return true }
      switch expression.kind {
      case .path(let path): taken.formUnion(path.variable.map { [$0] } ?? [])
      case .subquery(let path, let variable, _, _): taken.formUnion([variable] + (path.variable.map { [$0] } ?? []))
      case .literal, .placeholder, .unary, .arithmetic, .call, .list, .point, .ternary, .shape: break
      }
      return true
    }
    var name = "t"
    var number = 1
    while taken.contains(name) {
      number += 1
      name = "t\(number)"
    }
    return name
  }
}
