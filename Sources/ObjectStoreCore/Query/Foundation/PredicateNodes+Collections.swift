internal import FoundationEssentials
internal import PredicateLanguage

extension PredicateExpressions.SequenceContains: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let sequence = try translation.term(self.sequence)
    let element = try translation.term(self.element)
    if sequence.path != nil { return .comparison(sequence, .contains, element) }
    return .comparison(element, .isIn, sequence.asList)
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let matching = try translation.matching(sequence, variable.key, test, self)
    return matching.quantified(.any, by: test) ?? .comparison(matching.counted { $0 }, .greater, .int(0))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let matching = try translation.matching(sequence, variable.key, test, self)
    return matching.quantified(.all, by: test) ?? .comparison(matching.counted(\.negated), .equal, .int(0))
  }
}

extension PredicateExpressions.Filter: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    try translation.matching(sequence, variable.key, filter, self).subquery { $0 }
  }
}

extension PredicateExpressions.SequenceMinimum: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    try translation.term(elements).reduced("min")
  }
}

extension PredicateExpressions.SequenceMaximum: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    try translation.term(elements).reduced("max")
  }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let place = try translation.term(index)
    return try translation.term(wrapped).adding([PathSyntax.Step(.index(place.expression))])
  }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let key = try translation.term(self.key)
    return try translation.term(wrapped).adding([PathSyntax.Step(.index(key.expression))])
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let key = try translation.term(self.key)
    let entry = try translation.term(wrapped).adding([PathSyntax.Step(.index(key.expression))])
    let value = try translation.term(`default`)
    return QueryTerm(
      ExpressionSyntax(
        .ternary(QueryTerm.comparison(entry, .notEqual, .null).predicate, entry.expression, value.expression)))
  }
}

// MARK: Ranges

extension PredicateExpressions.ClosedRange: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    QueryTerm(
      ExpressionSyntax(.list([try translation.term(lower).expression, try translation.term(upper).expression])))
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let element = try translation.term(self.element)
    if let range = range as? any HalfOpenRangeNode {
      if let known = range.constant?.bounds {
        return .comparison(element, .between, .list([known.lower, known.upper]))
      }
      let (lower, upper) = try range.bounds(&translation)
      return QueryTerm(
        .conjunction([
          QueryTerm.comparison(element, .greaterOrEqual, lower).predicate,
          QueryTerm.comparison(element, .less, upper).predicate,
        ]))
    }
    let bounds = try translation.term(range)
    if case .expression(let expression) = bounds.node, case .literal(let value) = expression.kind,
      let known = value.bounds
    {
      return .comparison(element, .between, .list([known.lower, known.upper]))
    }
    return .comparison(element, .between, bounds.asList)
  }
}

/// `lower..<upper`, whose bounds may be properties.
private protocol HalfOpenRangeNode {
  /// The range as an argument of BETWEEN, if both bounds are constants.
  var constant: Value? { get }
  func bounds(_ translation: inout PredicateTranslation) throws(QueryError) -> (QueryTerm, QueryTerm)
}

extension PredicateExpressions.Range: HalfOpenRangeNode {
  fileprivate var constant: StoredValue? {
    guard let lower = lower as? PredicateExpressions.Value<LHS.Output>,
      let upper = upper as? PredicateExpressions.Value<LHS.Output>, let first = lower.value as? any QueryRangeBound
    else { return nil }
    return first.range(to: upper.value)
  }

  fileprivate func bounds(
    _ translation: inout PredicateTranslation
  ) throws(QueryError) -> (QueryTerm, QueryTerm) {
    (try translation.term(lower), try translation.term(upper))
  }
}

extension QueryRangeBound {
  /// The half-open range from the value to another of its type; nil for any other end, and for one before the value.
  fileprivate func range(to end: Any) -> Value? {
    guard let end = end as? Self, self <= end else { return nil }
    return (self..<end).queryValue
  }
}

// MARK: Elements that satisfy a condition

/// A collection, and a condition on each of its elements.
private struct MatchingElements {
  let path: PathSyntax
  /// The variable that stands for the element.
  let variable: String
  let condition: PredicateSyntax

  /// The elements that satisfy the condition, or a rewritten one.
  func subquery(_ change: (PredicateSyntax) -> PredicateSyntax) -> QueryTerm {
    QueryTerm(
      ExpressionSyntax(.subquery(path, variable: variable, change(condition), tail: PathSyntax(steps: []))))
  }

  /// The number of elements that satisfy the condition, or a rewritten one.
  func counted(_ change: (PredicateSyntax) -> PredicateSyntax) -> QueryTerm { subquery(change).reduced("count") }

  /// The condition with a quantifier before it, as in `ANY tasks.priority > 5`; nil unless it compares the element, or
  /// one of its properties, with something that is the same for all elements.
  ///
  /// - Parameter test: The node that the condition was made from.
  func quantified(_ quantifier: Quantifier, by test: any PredicateExpression) -> QueryTerm? {
    // After a quantifier, CONTAINS is about each element of the element's collection, and not about the collection.
    guard !(test is any MembershipNode), var comparison = condition.comparison(of: variable, in: path) else {
      return nil
    }
    comparison.quantifier = quantifier
    return QueryTerm(PredicateSyntax(.comparison(comparison)))
  }
}

/// A node that tests whether a value is an element of a collection.
private protocol MembershipNode {}

extension PredicateExpressions.SequenceContains: MembershipNode {}

extension PredicateTranslation {
  /// The elements of a collection, and a condition on them.
  fileprivate mutating func matching(
    _ sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID, _ test: any PredicateExpression,
    _ node: Any
  ) throws(QueryError) -> MatchingElements {
    guard let path = try term(sequence).path else {
      throw Self.unsupported(node, " of something that is not a property")
    }
    let name = nextElement()
    variables[variable] = QueryTerm(ExpressionSyntax(.path(PathSyntax(variable: name, steps: []))))
    return MatchingElements(path: path, variable: name, condition: try term(test).predicate)
  }
}

extension QueryTerm {
  /// A constant list as a list of constants.
  fileprivate var asList: QueryTerm {
    guard case .expression(let expression) = node, case .literal(.list(let elements)) = expression.kind else {
      return self
    }
    return QueryTerm(ExpressionSyntax(.list(elements.map { ExpressionSyntax(.literal($0)) })))
  }
}
