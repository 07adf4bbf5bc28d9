internal import PredicateLanguage
package import Values

/// An expression whose names are columns and whose types are known. It evaluates in every row to a value of its type,
/// or nil. It contains no source text or ranges.
package indirect enum BoundExpression: Hashable, Sendable {
  case constant(Value)
  /// A column of the entity by position.
  case column(Int, ExpressionType)
  /// A value computed earlier: a group key or an aggregate, by position.
  case computed(Int, ExpressionType)
  /// The time at which the query is planned.
  case now
  case negate(BoundExpression)
  case complement(BoundExpression)
  /// Operators applied left to right.
  case arithmetic(BoundExpression, [Step])
  case call(ScalarFunction, [BoundExpression])
  case ternary(BoundPredicate, BoundExpression, BoundExpression)
  /// The element of an enclosing quantifier or SUBQUERY.
  case element(level: Int, ExpressionType)
  /// An aggregate of a collection.
  case reduced(AggregateFunction, BoundCollection)
  /// An element by its position.
  case item(BoundCollection, BoundPlace)
  /// The value of a key in a column of dictionaries.
  case entry(Int, key: BoundExpression, ExpressionType)
  /// The ID of the row's object; the type names the entity.
  case own(ExpressionType)
  /// An object written as a literal or given as an argument.
  case object(ObjectReference)
  /// A column of another object.
  case property(BoundObject, Int, ExpressionType)
  /// A struct assembled from its properties, for output.
  case assembled(BoundStructure)
  /// IDs of linked objects, gathered for all objects of a cluster at once. The planner makes it from other expressions.
  case gathered(LinkedColumn)

  /// One operator of a chain with its right operand, and the type of the chain so far.
  package struct Step: Hashable, Sendable {
    let operation: BinaryOperator
    let operand: BoundExpression
    let type: ExpressionType
  }

  /// The type of its values that are not nil.
  package var type: ExpressionType {
    switch self {
    case .constant(let value): ExpressionType(value)
    case .column(_, let type), .computed(_, let type): type
    case .now: .date
    case .negate(let operand): operand.type.negated
    case .complement: .int
    case .arithmetic(let first, let steps): steps.last?.type ?? first.type
    case .call(let function, let operands): function.type(of: operands.map(\.type)) ?? .null
    case .ternary(_, let yes, let no): Self.common(yes.type, no.type) ?? .null
    case .element(_, let type), .entry(_, _, let type): type
    case .reduced(let reduction, let collection):
      reduction.type(of: collection.elementType(for: reduction) ?? .null) ?? .null
    case .item(let collection, _): collection.elementType ?? .null
    case .own(let type), .property(_, _, let type): type
    case .object(let reference): .object(reference.entity)
    case .assembled: .structure
    case .gathered(let gathering): gathering.original.type
    }
  }

  /// The type that holds values of both types; nil if the two cannot be compared.
  static func common(_ left: ExpressionType, _ right: ExpressionType) -> ExpressionType? {
    if left == right { return left }
    if left == .null { return right }
    if right == .null { return left }
    return left.isNumeric && right.isNumeric ? .number : nil
  }

  /// The value, if the expression is a constant.
  var constant: Value? {
    if case .constant(let value) = self { return value }
    return nil
  }

  /// The column, if the expression is one.
  var column: Int? {
    if case .column(let column, _) = self { return column }
    return nil
  }

  /// Whether the expression is the row's own object.
  var isOwn: Bool { if case .own = self { true } else { false } }
}

/// The position of an element in a collection.
package indirect enum BoundPlace: Hashable, Sendable {
  case first
  case last
  /// Counted from 0; nil before the first and after the last element.
  case index(BoundExpression)
  /// The value of a key, in a dictionary of another object.
  case key(BoundExpression)

  /// The expression of the index or key; nil for `first` and `last`.
  var expression: BoundExpression? {
    switch self {
    case .first, .last: nil
    case .index(let expression), .key(let expression): expression
    }
  }
}
