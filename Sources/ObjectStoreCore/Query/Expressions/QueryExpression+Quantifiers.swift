internal import PredicateLanguage

extension QueryExpression where Value: QueryCollection {
  /// The condition holds for every element; true of an empty collection.
  ///
  /// ```swift
  /// let done = projects.where { $0.tasks.all { $0.isComplete == true } }
  /// let liked = tasks.where { $0.ratings.all { $0 > 2 } }
  /// ```
  ///
  /// - Parameter condition: Makes a condition of an element. A comparison of the element, or of a property that is
  ///   one value, becomes `ALL`; any other becomes a `SUBQUERY`. Either way it is about one element at a time.
  public func all(_ condition: (QueryExpression) -> QueryExpression<Bool>) -> QueryExpression<Bool> {
    quantified(.all, condition)
  }

  /// The condition holds for some element; false of an empty collection. See ``all(_:)``.
  ///
  /// ```swift
  /// let some = projects.where { $0.tasks.any { $0.isComplete == true && $0.priority > 5 } }
  /// ```
  public func any(_ condition: (QueryExpression) -> QueryExpression<Bool>) -> QueryExpression<Bool> {
    quantified(.any, condition)
  }

  /// The condition holds for no element; true of an empty collection. See ``all(_:)``.
  ///
  /// ```swift
  /// let calm = projects.where { $0.tasks.none { $0.priority > 5 } }
  /// ```
  public func none(_ condition: (QueryExpression) -> QueryExpression<Bool>) -> QueryExpression<Bool> {
    quantified(.none, condition)
  }

  private func quantified(
    _ quantifier: Quantifier, _ condition: (QueryExpression) -> QueryExpression<Bool>
  ) -> QueryExpression<Bool> {
    let outer = ElementVariable.depth
    return QueryExpression<Bool>(
      ElementVariable.$depth.withValue(outer + 1) {
        guard let elements = QuantifiedElements(of: term, variable: ElementVariable.name(outer)) else {
          return QueryTerm(
            failing: "'\(quantifier.rawValue)' of '\(term.expression.predicateFormat)', which is no path")
        }
        return elements.term(quantifier, condition(QueryExpression(elements.element)).term)
      })
  }
}

/// The variables that stand for elements while conditions on them are written.
private enum ElementVariable {
  /// How many conditions, one within another, are being written.
  @TaskLocal static var depth = 0

  /// `t`, and `t2` within it: a condition may also be about the elements around its own.
  static func name(_ depth: Int) -> String { depth == 0 ? "t" : "t\(depth + 1)" }
}

/// The elements at the end of a path, and the variable that stands for one of them in a condition.
private struct QuantifiedElements {
  private let path: QueryTerm
  private let end: PathSyntax
  /// What the variable ranges over: the last collection on the path.
  private let collection: PathSyntax
  private let variable: String
  /// An element, as a condition is written about it: `$t`, or `$t.owner` of `tasks.owner`.
  let element: QueryTerm

  init?(of path: QueryTerm, variable: String) {
    guard let end = path.path else { return nil }
    self.path = path
    self.end = end
    self.variable = variable
    collection = path.endsAtMany ? end : path.collections.first?.last ?? end
    let rest = Array(end.steps.dropFirst(collection.steps.count))
    element = QueryTerm(ExpressionSyntax(.path(PathSyntax(variable: variable, steps: rest))))
  }

  /// The condition of some, all or no elements.
  func term(_ quantifier: Quantifier, _ condition: QueryTerm) -> QueryTerm {
    let quantified = quantified(quantifier, condition)
    var term = quantified ?? counted(quantifier, condition)
    // What the condition ranges over is no longer ranged over around it; anything else still is.
    let ranged = quantified == nil ? collection : end
    let around = (path.collections.first ?? []).filter { $0 != ranged }
    term.collections =
      (around.isEmpty ? [] : [around]) + condition.collections.filter { $0.first?.variable != variable }
    term.failure = path.failure ?? condition.failure ?? term.failure
    return term
  }

  /// A single comparison with a quantifier before it; nil for any other condition. After a quantifier all paths range on
  /// their own, so the element, or a property of it that is one value, may be mentioned on the left alone.
  private func quantified(_ quantifier: Quantifier, _ condition: QueryTerm) -> QueryTerm? {
    guard !condition.endsAtMany, condition.collections.allSatisfy({ $0.first?.variable != variable }),
      var comparison = condition.predicate.comparison(of: variable, in: collection)
    else { return nil }
    comparison.quantifier = quantifier == .none ? .any : quantifier
    comparison.isWrittenAsNone = quantifier == .none
    let quantified = PredicateSyntax(.comparison(comparison))
    return QueryTerm(quantifier == .none ? PredicateSyntax(.not(quantified)) : quantified)
  }

  /// The number of elements with the condition, or without it, compared with 0.
  private func counted(_ quantifier: Quantifier, _ condition: QueryTerm) -> QueryTerm {
    let condition = quantifier == .all ? condition.predicate.negated : condition.predicate
    let matching = ExpressionSyntax(
      .subquery(
        collection, variable: variable, condition, tail: PathSyntax(steps: [PathSyntax.Step(.operation("count"))])))
    return .comparison(QueryTerm(matching), quantifier == .any ? .greater : .equal, .int(0))
  }
}
