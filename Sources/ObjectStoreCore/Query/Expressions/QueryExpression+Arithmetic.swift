internal import PredicateLanguage

extension QueryExpression where Value: QueryOperand, Value.QueryBase: QueryNumber {
  /// The sum.
  public static func + (left: Self, right: Value.QueryBase) -> Self { left.computed(.add, right) }
  /// The sum.
  public static func + (left: Value.QueryBase, right: Self) -> Self { right.computed(left, .add) }
  /// The sum.
  public static func + <Other: QueryOperand>(left: Self, right: QueryExpression<Other>) -> Self
  where Other.QueryBase == Value.QueryBase { left.computed(.add, right.term) }

  /// The difference.
  public static func - (left: Self, right: Value.QueryBase) -> Self { left.computed(.subtract, right) }
  /// The difference.
  public static func - (left: Value.QueryBase, right: Self) -> Self { right.computed(left, .subtract) }
  /// The difference.
  public static func - <Other: QueryOperand>(left: Self, right: QueryExpression<Other>) -> Self
  where Other.QueryBase == Value.QueryBase { left.computed(.subtract, right.term) }

  /// The product.
  public static func * (left: Self, right: Value.QueryBase) -> Self { left.computed(.multiply, right) }
  /// The product.
  public static func * (left: Value.QueryBase, right: Self) -> Self { right.computed(left, .multiply) }
  /// The product.
  public static func * <Other: QueryOperand>(left: Self, right: QueryExpression<Other>) -> Self
  where Other.QueryBase == Value.QueryBase { left.computed(.multiply, right.term) }

  /// The quotient; truncated for integers, nil for a division by zero.
  public static func / (left: Self, right: Value.QueryBase) -> Self { left.computed(.divide, right) }
  /// The quotient; truncated for integers, nil for a division by zero.
  public static func / (left: Value.QueryBase, right: Self) -> Self { right.computed(left, .divide) }
  /// The quotient; truncated for integers, nil for a division by zero.
  public static func / <Other: QueryOperand>(left: Self, right: QueryExpression<Other>) -> Self
  where Other.QueryBase == Value.QueryBase { left.computed(.divide, right.term) }

  /// The negative.
  public static prefix func - (operand: Self) -> Self {
    Self(QueryTerm(ExpressionSyntax(.unary(.negate, operand.term.expression)), of: [operand.term]))
  }

  private func computed(_ operation: BinaryOperator, _ right: QueryTerm) -> Self {
    Self(QueryTerm(.binary(operation, term.expression, right.expression), of: [term, right]))
  }

  private func computed(_ operation: BinaryOperator, _ value: Value.QueryBase) -> Self {
    computed(operation, QueryTerm(value.queryValue))
  }

  private func computed(_ value: Value.QueryBase, _ operation: BinaryOperator) -> Self {
    let left = QueryTerm(value.queryValue)
    return Self(QueryTerm(.binary(operation, left.expression, term.expression), of: [left, term]))
  }
}

extension QueryExpression where Value: QueryOperand, Value.QueryBase == Int {
  /// The remainder, with the sign of the left side; nil for a division by zero.
  public static func % (left: Self, right: Int) -> Self {
    Self(
      QueryTerm(
        ExpressionSyntax(.call("modulus:by:", [left.term.expression, ExpressionSyntax(.literal(.int(Int64(right))))])),
        of: [left.term]))
  }
}
