internal import PredicateLanguage
internal import Values

/// One side of a comparison: a single value or a collection, with its syntax.
struct BoundOperand {
  /// Its value or values.
  enum Content {
    case single(BoundExpression)
    case many(BoundCollection)

    /// The collection, or nil for a single value.
    var collection: BoundCollection? { if case .many(let collection) = self { collection } else { nil } }
  }

  let syntax: ExpressionSyntax
  var content: Content
  /// The elements of a written list or of a list argument.
  var elements: [ExpressionSyntax]?

  /// The single value, or nil for a collection.
  var single: BoundExpression? {
    if case .single(let expression) = content { return expression }
    return nil
  }

  /// The collection, or nil for a single value.
  var collection: BoundCollection? { content.collection }

  /// The values of a written list; nil for other operands.
  var list: [BoundExpression]? {
    if elements != nil, case .many(.list(let values)) = content { return values }
    return nil
  }

  /// Whether the operand is a written nil.
  var isNil: Bool { single?.constant?.isNull ?? false }
}
