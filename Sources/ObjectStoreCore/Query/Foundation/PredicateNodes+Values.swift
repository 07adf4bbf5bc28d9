internal import FoundationEssentials
internal import PredicateLanguage

extension PredicateExpressions.Variable: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    guard let known = translation.variables[key] else { throw PredicateTranslation.unsupported(self) }
    return known
  }
}

extension PredicateExpressions.Value: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    guard let argument = value as? any QueryArgument else {
      throw PredicateTranslation.unsupported(self, " of the type \(Output.self)")
    }
    return QueryTerm(argument.queryValue)
  }
}

extension PredicateExpressions.KeyPath: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let root = try translation.term(self.root)
    switch kind {
    case .collectionCount: return Root.Output.self == String.self ? root.length : root.reduced("count")
    case .collectionIsEmpty:
      return Root.Output.self == String.self
        ? .comparison(root, .equal, .string("")) : .comparison(root.reduced("count"), .equal, .int(0))
    case .collectionFirst where root.path != nil: return root.adding([PathSyntax.Step(.first)])
    case .bidirectionalCollectionLast where root.path != nil: return root.adding([PathSyntax.Step(.last)])
    case .collectionFirst, .bidirectionalCollectionLast, nil: break
    }
    guard let model = Root.Output.self as? any Model.Type, root.path != nil else {
      throw PredicateTranslation.unsupported(self, " '\(keyPath)' of the type \(Root.Output.self)")
    }
    guard let path = model.modelDefinition.path(of: keyPath) else { throw model.noPath(keyPath) }
    return root.adding(path.split(separator: ".").map { PathSyntax.Step(.name(String($0))) })
  }
}

// MARK: Arithmetic

extension PredicateExpressions.Arithmetic: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let operation: BinaryOperator =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      }
    return try translation.computed(lhs, operation, rhs)
  }
}

extension PredicateExpressions.IntDivision: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    try translation.computed(lhs, .divide, rhs)
  }
}

extension PredicateExpressions.FloatDivision: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    try translation.computed(lhs, .divide, rhs)
  }
}

extension PredicateExpressions.IntRemainder: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    QueryTerm(
      ExpressionSyntax(
        .call("modulus:by:", [try translation.term(lhs).expression, try translation.term(rhs).expression])))
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableNode {
  func term(_ translation: inout PredicateTranslation) throws(QueryError) -> QueryTerm {
    let operand = try translation.term(wrapped).expression
    // A text has negative numbers, not the negatives of numbers.
    if case .literal(let value) = operand.kind, let negative = value.negative { return QueryTerm(negative) }
    return QueryTerm(ExpressionSyntax(.unary(.negate, operand)))
  }
}

extension PredicateTranslation {
  fileprivate mutating func computed(
    _ left: any PredicateExpression, _ operation: BinaryOperator, _ right: any PredicateExpression
  ) throws(QueryError) -> QueryTerm {
    QueryTerm(.binary(operation, try term(left).expression, try term(right).expression))
  }
}

extension Value {
  /// The negative of a number; nil for other values, and where there is none.
  fileprivate var negative: Value? {
    switch self {
    case .int(let number): number == .min ? nil : .int(-number)
    case .double(let number): .double(-number)
    case .float(let number): .float(-number)
    case .decimal, .null, .bool, .string, .date, .data, .uuid, .list, .embedded, .object: nil
    }
  }
}
