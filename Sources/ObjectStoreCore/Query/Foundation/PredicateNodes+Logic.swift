internal import FoundationEssentials
internal import PredicateLanguage

extension PredicateExpressions.Conjunction: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    QueryTerm(.conjunction([try translation.term(lhs).predicate, try translation.term(rhs).predicate]))
  }
}

extension PredicateExpressions.Disjunction: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    QueryTerm(.disjunction([try translation.term(lhs).predicate, try translation.term(rhs).predicate]))
  }
}

extension PredicateExpressions.Negation: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    QueryTerm(try translation.term(wrapped).predicate.negated)
  }
}

extension PredicateExpressions.Equal: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    try translation.term(lhs).equality(try translation.term(rhs), .equal)
  }
}

extension PredicateExpressions.NotEqual: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    try translation.term(lhs).equality(try translation.term(rhs), .notEqual)
  }
}

extension PredicateExpressions.Comparison: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let comparator: Comparator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      }
    return .comparison(try translation.term(lhs), comparator, try translation.term(rhs))
  }
}

extension PredicateExpressions.Conditional: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    QueryTerm.choice(
      try translation.term(test).predicate, try translation.term(trueBranch), try translation.term(falseBranch))
  }
}

// MARK: Optionals

extension PredicateExpressions.NilLiteral: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm { QueryTerm(.null) }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    try translation.term(inner)
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let wrapped = try translation.term(self.wrapped)
    translation.variables[variable.key] = wrapped
    var result = try translation.term(transform)
    // A path through nil is nil anyway; for other values a condition is needed.
    if result.path == nil { result.presences.insert(.comparison(wrapped, .notEqual, .null), at: 0) }
    return result
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    var value = try translation.term(lhs)
    let presence =
      value.presences.isEmpty
      ? QueryTerm.comparison(value, .notEqual, .null).predicate : .conjunction(value.presences.map(\.predicate))
    value.presences = []
    return QueryTerm.choice(presence, value, try translation.term(rhs))
  }
}

extension QueryTerm {
  /// One of two terms, selected by a condition.
  fileprivate static func choice(_ test: PredicateSyntax, _ yes: QueryTerm, _ no: QueryTerm) -> QueryTerm {
    if case .expression(let yes) = yes.node, case .expression(let no) = no.node {
      return QueryTerm(ExpressionSyntax(.ternary(test, yes, no)))
    }
    let second = no.predicate == PredicateSyntax(.constant(false))
    let first = PredicateSyntax.conjunction([test, yes.predicate])
    return QueryTerm(second ? first : .disjunction([first, .conjunction([test.negated, no.predicate])]))
  }

  /// Two values, or two conditions, compared.
  fileprivate func equality(_ other: QueryTerm, _ comparator: Comparator) throws(QueryError) -> QueryTerm {
    let equal: PredicateSyntax
    switch (node, other.node) {
    case (.expression, .expression):
      guard presences.isEmpty, other.presences.isEmpty else { fallthrough }
      return .comparison(self, comparator, other)
    case (.predicate, .expression), (.predicate, .predicate), (.expression, .predicate):
      if case .expression(let value) = other.node, let constant = value.constantCondition {
        equal = equals(constant)
      } else if case .expression(let value) = node, let constant = value.constantCondition {
        equal = other.equals(constant)
      } else if presences.isEmpty, other.presences.isEmpty {
        let (left, right) = (predicate, other.predicate)
        equal = .disjunction([.conjunction([left, right]), .conjunction([left.negated, right.negated])])
      } else {
        throw PredicateTranslation.unsupported(named: "Equal", " that compares conditions which may be nil")
      }
    }
    return QueryTerm(comparator == .equal ? equal : equal.negated)
  }

  /// Whether the condition equals a constant; nil if a value it depends on is nil.
  private func equals(_ constant: ConditionConstant) -> PredicateSyntax {
    let present = presences.map(\.predicate)
    var known = self
    known.presences = []
    return switch constant {
    case .isTrue: .conjunction(present + [known.predicate])
    case .isFalse: .conjunction(present + [known.predicate.negated])
    case .isNil: present.isEmpty ? PredicateSyntax(.constant(false)) : PredicateSyntax.conjunction(present).negated
    }
  }

  fileprivate enum ConditionConstant {
    case isTrue, isFalse, isNil
  }
}

extension ExpressionSyntax {
  /// The constant that a condition may be compared with.
  fileprivate var constantCondition: QueryTerm.ConditionConstant? {
    switch kind {
    case .literal(.bool(true)): .isTrue
    case .literal(.bool(false)): .isFalse
    case .literal(.null): .isNil
    default: nil
    }
  }
}
