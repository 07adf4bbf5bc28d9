internal import PredicateLanguage

/// An aggregate of a group's objects: `@count`, `@avg.magnitude`.
struct GroupAggregate: Hashable, Sendable {
  let function: AggregateFunction
  /// The argument for each object: a value, or several as a list. nil for `@count`.
  let argument: BoundExpression?

  /// The argument, if each object has several values.
  var elements: BoundCollection? {
    if case .reduced(.list, let collection)? = argument { collection } else { nil }
  }

  /// The type of the argument's values; nil if they have several types.
  var elementType: ExpressionType? { elements.map(\.elementType) ?? argument?.type }

  /// The type of its value.
  var type: ExpressionType { function.type(of: elementType ?? .int) ?? .null }
}
