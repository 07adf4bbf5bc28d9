internal import Schema
internal import Storage

/// Many values whose types are known: what ANY, ALL, SUBQUERY, IN and the aggregates range over. In every row it has
/// elements in an order, or is nil. It does not know who asks for them.
package indirect enum BoundCollection: Hashable, Sendable {
  /// A column of the entity by position: the elements of an array or a set, the values of a dictionary.
  case column(Int, ExpressionType)
  /// The keys of a column of dictionaries.
  case keys(Int)
  /// Values written one by one.
  case list([BoundExpression])
  /// The elements for which a predicate holds; the element is the variable of `level`.
  case chosen(BoundCollection, level: Int, BoundPredicate)
  /// Each value once, nil left out.
  case distinct(BoundCollection)
  /// The elements of several, one after the other.
  case joined([BoundCollection])
  /// A column of another object: as `column`.
  case property(BoundObject, Int, ExpressionType)
  /// The keys of a column of dictionaries of another object.
  case propertyKeys(BoundObject, Int)
  /// The objects that link to the one of a number, ascending, each once.
  case sources(LinkSource, of: BoundExpression)
  /// The places of the structs in a list, from 0: as many as an expression says. A struct is known by its place, and its
  /// leaves are those of the list's other columns there.
  case positions(of: BoundExpression)
  /// A value for every element: `tasks.priority`. The element is the variable of `level`.
  case each(BoundCollection, level: Int, BoundExpression)
  /// The elements that each element has in turn, one after the other: `projects.tasks`.
  case flattened(BoundCollection, level: Int, BoundCollection)
  /// The elements of a list worked out before: of the key of a group, by position.
  case computed(Int, ExpressionType)
  /// The objects that are in a set found once for all. The planner makes it of what `chosen` asks.
  case among(BoundCollection, ElementSet)

  /// The type of every element; nil when they are of several kinds.
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

  private static func common(_ types: [ExpressionType?]) -> ExpressionType? {
    var result = ExpressionType.null
    for type in types {
      guard let type, let both = BoundExpression.common(result, type) else { return nil }
      result = both
    }
    return result
  }

  /// Whether it is a value of each of several objects: `projects.lead`, which is no collection of its own.
  var isOfEach: Bool {
    switch self {
    case .each: true
    case .flattened(_, _, let inner): inner.isOfEach
    default: false
    }
  }

  /// Whether it is a text of each of several objects: `projects.name`.
  var isTextOfEach: Bool { isOfEach && elementType == .string }

  /// The column that it is nil with; nil for what is always there.
  var column: Int? { whole?.column }

  /// What is nil where the collection is; nil for what is always there.
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
    // Nothing links to an object that is not there.
    case .sources(_, of: let number): number.isOwn ? nil : number
    case .list, .joined, .positions: nil
    }
  }

  /// Whether elements may be nil: those of a property that is a collection never are.
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
