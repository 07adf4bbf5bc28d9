internal import PredicateLanguage
internal import Values

/// One side of a comparison: a single value or many, with what it was bound from.
struct BoundOperand {
  /// Its value or values.
  enum Content {
    case single(BoundExpression)
    case many(BoundCollection)

    /// The collection, when it is one.
    var collection: BoundCollection? { if case .many(let collection) = self { collection } else { nil } }
  }

  let syntax: ExpressionSyntax
  var content: Content
  /// The elements of a written list or of a list argument.
  var elements: [ExpressionSyntax]?

  /// The single value, when it is one.
  var single: BoundExpression? {
    if case .single(let expression) = content { return expression }
    return nil
  }

  /// The collection, when it is one.
  var collection: BoundCollection? { content.collection }

  /// The values of a written list.
  var list: [BoundExpression]? {
    if elements != nil, case .many(.list(let values)) = content { return values }
    return nil
  }

  /// Whether it is nil itself, as written.
  var isNil: Bool { single?.constant?.isNull ?? false }
}
