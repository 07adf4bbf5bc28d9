internal import Schema
internal import Storage

/// A collection of values with known types: what ANY, ALL, SUBQUERY, IN and the aggregates range over. In each row it
/// has elements in an order, or is nil. It does not depend on the expression that uses it.
package indirect enum BoundCollection: Hashable, Sendable {
  /// A column of the entity by position: the elements of an array or a set, the values of a dictionary.
  case column(Int, ExpressionType)
  /// The keys of a column of dictionaries.
  case keys(Int)
  /// The values of written expressions.
  case list([BoundExpression])
  /// The elements for which a predicate holds; the element is the variable of `level`.
  case chosen(BoundCollection, level: Int, BoundPredicate)
  /// Each value once, without nil.
  case distinct(BoundCollection)
  /// The elements of several collections, one after the other.
  case joined([BoundCollection])
  /// A column of another object, like `column`.
  case property(BoundObject, Int, ExpressionType)
  /// The keys of a column of dictionaries of another object.
  case propertyKeys(BoundObject, Int)
  /// The objects that link to the object with a given ID, ascending, each once.
  case sources(LinkSource, of: BoundExpression)
  /// The positions of the structs in a list, from 0. The expression is the number of structs. A struct is identified by
  /// its position; its properties are the values of the list's other columns at that position.
  case positions(of: BoundExpression)
  /// A value for every element: `tasks.priority`. The element is the variable of `level`.
  case each(BoundCollection, level: Int, BoundExpression)
  /// The elements that each element has in turn, one after the other: `projects.tasks`.
  case flattened(BoundCollection, level: Int, BoundCollection)
  /// The elements of a list computed earlier: of a group key, by position.
  case computed(Int, ExpressionType)
  /// The objects that are in a precomputed set. The planner makes it from the predicate of `chosen`.
  case among(BoundCollection, ElementSet)

  /// The type of every element; nil if the elements have several types.
  var elementType: ExpressionType? {
    switch self {
    case .column(_, let type), .computed(_, let type): return type
    case .keys: return .string
    case .list(let elements): return Self.common(elements.map(\.type))
    case .chosen(let base, _, _), .distinct(let base), .among(let base, _): return base.elementType
    case .joined(let parts): return Self.common(parts.map(\.elementType))
    case .property(_, _, let type): return type
    case .propertyKeys: return .string
    case .sources(let source, _): return source.entity.type
    case .positions: return .structure
    case .each(_, _, let value): return value.type
    case .flattened(_, _, let inner): return inner.elementType
    }
  }

  /// The type of the elements for an aggregate: for one of numbers Ints among Decimals are Decimals.
  func elementType(for function: AggregateFunction) -> ExpressionType? {
    guard function.isOfNumbers, elementType == .number, case .joined(let parts) = self else { return elementType }
    let types = parts.map(\.elementType)
    return types.allSatisfy({ $0 == .decimal || $0 == .int || $0 == .null }) ? .decimal : .number
  }

  private static func common(_ types: [ExpressionType?]) -> ExpressionType? {
    var result = ExpressionType.null
    for type in types {
      guard let type, let both = BoundExpression.common(result, type) else { return nil }
      result = both
    }
    return result
  }

  /// Whether it has one value for each of several objects, such as `projects.lead`, and so is no collection of its own.
  var isOfEach: Bool {
    switch self {
    case .each: true
    case .flattened(_, _, let inner): inner.isOfEach
    case .column, .keys, .list, .property, .propertyKeys, .sources, .positions, .computed, .joined, .chosen, .distinct,
      .among:
      false
    }
  }

  /// Whether it has one string for each of several objects: `projects.name`.
  var isTextOfEach: Bool { isOfEach && elementType == .string }

  /// The expression whose nil makes the collection nil; nil if the collection never is.
  var whole: BoundExpression? {
    switch self {
    case .column(let column, _), .keys(let column): .column(column, .list)
    case .computed(let place, _): .computed(place, .list)
    case .property(let object, let column, _), .propertyKeys(let object, let column): .property(object, column, .list)
    case .chosen(let base, _, _), .distinct(let base), .among(let base, _), .each(let base, _, _),
      .flattened(let base, _, _):
      base.whole
    case .positions(of: .column(let column, _)): .column(column, .structure)
    case .positions(of: .property(let object, let column, _)): .property(object, column, .structure)
    // Nothing links to an object that is nil.
    case .sources(_, of: let number): number.isOwn ? nil : number
    case .list, .joined, .positions: nil
    }
  }

  /// Whether elements may be nil. Those of a property that is a collection never are.
  var mayHoldNil: Bool {
    switch self {
    case .column, .computed, .keys, .distinct, .property, .propertyKeys, .sources, .positions: false
    case .chosen(let base, _, _), .among(let base, _): base.mayHoldNil
    case .flattened(_, _, let inner): inner.mayHoldNil
    case .each(let base, _, .property(let object, let column, _)):
      if case .element = object.number {
        base.mayHoldNil || object.entity.stored.columns[column].column.isOptional
      } else {
        true
      }
    case .list, .each: true
    case .joined(let parts): parts.contains(where: \.mayHoldNil)
    }
  }
}
