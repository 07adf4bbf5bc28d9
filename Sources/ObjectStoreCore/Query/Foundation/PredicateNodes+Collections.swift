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
    let matching = try translation.matching(sequence, variable.key, test, self) { $0 }
    return .comparison(matching.counted, .greater, .int(0))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let failing = try translation.matching(sequence, variable.key, test, self) { $0.negated }
    return .comparison(failing.counted, .equal, .int(0))
  }
}

extension PredicateExpressions.Filter: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    try translation.matching(sequence, variable.key, filter, self) { $0 }
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
  func bounds(_ translation: inout PredicateTranslation) throws(QueryError) -> (QueryTerm, QueryTerm)
}

extension PredicateExpressions.Range: HalfOpenRangeNode {
  fileprivate func bounds(
    _ translation: inout PredicateTranslation
  ) throws(QueryError) -> (QueryTerm, QueryTerm) {
    (try translation.term(lower), try translation.term(upper))
  }
}

extension PredicateTranslation {
  /// The elements of a collection that satisfy a condition, or a rewritten condition.
  fileprivate mutating func matching(
    _ sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID, _ test: any PredicateExpression,
    _ node: Any, _ change: (PredicateSyntax) -> PredicateSyntax
  ) throws(QueryError) -> QueryTerm {
    guard let path = try term(sequence).path else {
      throw Self.unsupported(node, " of something that is not a property")
    }
    let name = nextElement()
    variables[variable] = QueryTerm(ExpressionSyntax(.path(PathSyntax(variable: name, steps: []))))
    let condition = change(try term(test).predicate)
    return QueryTerm(
      ExpressionSyntax(.subquery(path, variable: name, condition, tail: PathSyntax(steps: []))))
  }
}

extension QueryTerm {
  /// The number of elements of a SUBQUERY.
  fileprivate var counted: QueryTerm { reduced("count") }

  /// A constant list as a list of constants.
  fileprivate var asList: QueryTerm {
    guard case .expression(let expression) = node, case .literal(.list(let elements)) = expression.kind else {
      return self
    }
    return QueryTerm(ExpressionSyntax(.list(elements.map { ExpressionSyntax(.literal($0)) })))
  }
}
