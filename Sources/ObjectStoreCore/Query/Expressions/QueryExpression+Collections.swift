internal import PredicateLanguage

extension QueryExpression where Value: QueryCollection {
  /// The number of elements.
  ///
  /// ```swift
  /// let large = projects.where { $0.tasks.count > 5 }
  /// ```
  public var count: QueryExpression<Int> { QueryExpression<Int>(term.reduced("count")) }

  /// Whether there are no elements.
  ///
  /// ```swift
  /// let empty = projects.where { $0.tasks.isEmpty }
  /// ```
  public var isEmpty: QueryExpression<Bool> {
    QueryExpression<Bool>(.comparison(term.reduced("count"), .equal, .int(0)))
  }
}

extension QueryExpression where Value: QueryCollection & QueryOperand {
  /// Has the value as an element.
  ///
  /// ```swift
  /// let rated = tasks.where { $0.ratings.contains(3) }
  /// ```
  @_disfavoredOverload
  public func contains(_ element: Value.QueryBase) -> QueryExpression<Bool> {
    QueryExpression<Bool>(.comparison(term, .contains, element.queryValue))
  }

  /// Has the object among its objects.
  public func contains<Target>(_ object: some Linkable<Target>) -> QueryExpression<Bool>
  where Value.QueryBase == Link<Target> {
    QueryExpression<Bool>(.comparison(term, .contains, object.asLink.queryValue))
  }

  /// Has any of the values as an element.
  ///
  /// ```swift
  /// let urgent = tasks.where { $0.labels.containsAny(in: ["urgent", "bug"]) }
  /// ```
  public func containsAny(in values: [Value.QueryBase]) -> QueryExpression<Bool> {
    QueryExpression<Bool>(.comparison(term, .isIn, .list(values.map(\.queryValue)), quantifier: .any))
  }

  /// The smallest element; nil without elements.
  ///
  /// ```swift
  /// let pressing = projects.where { $0.tasks.priority.min > 5 }
  /// ```
  public var min: QueryExpression<Value.QueryBase?> { QueryExpression<Value.QueryBase?>(term.reduced("min")) }

  /// The largest element; nil without elements.
  ///
  /// ```swift
  /// let calm = projects.where { $0.tasks.priority.max < 5 }
  /// ```
  public var max: QueryExpression<Value.QueryBase?> { QueryExpression<Value.QueryBase?>(term.reduced("max")) }
}

extension QueryExpression where Value: QueryCollection & QueryOperand, Value.QueryBase: QueryNumber {
  /// The sum of the elements; 0 without elements.
  ///
  /// ```swift
  /// let pressing = projects.where { $0.tasks.priority.sum > 100 }
  /// ```
  public var sum: QueryExpression<Value.QueryBase> { QueryExpression<Value.QueryBase>(term.reduced("sum")) }

  /// The mean of the elements; nil without elements.
  ///
  /// ```swift
  /// let pressing = projects.where { $0.tasks.priority.avg > 5 }
  /// ```
  public var avg: QueryExpression<Double?> { QueryExpression<Double?>(term.reduced("avg")) }
}

extension QueryTerm {
  /// A collection aggregated to one value: `tasks.@avg.priority`, `ratings.@max`.
  func reduced(_ operation: String) -> QueryTerm {
    if case .expression(let expression) = node,
      case .subquery(let path, let variable, let condition, var tail) = expression.kind
    {
      tail.steps.append(PathSyntax.Step(.operation(operation)))
      return QueryTerm(ExpressionSyntax(.subquery(path, variable: variable, condition, tail: tail)))
    }
    guard var path else {
      return QueryTerm(failing: "'@\(operation)' of '\(expression.predicateFormat)', which is not a collection")
    }
    let step = PathSyntax.Step(.operation(operation))
    let place = operation == "count" ? path.steps.count : collections.first?.last?.steps.count ?? path.steps.count
    path.steps.insert(step, at: min(place, path.steps.count))
    var result = self
    result.node = .expression(ExpressionSyntax(.path(path)))
    // The result is a single value, so its collections are no longer ranged over.
    result.collections = []
    result.endsAtMany = false
    return result
  }
}
