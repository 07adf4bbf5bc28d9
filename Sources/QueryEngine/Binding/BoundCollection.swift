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

  /// The type of every element; nil when they are of several kinds.
  var elementType: ExpressionType? {
    switch self {
    case .column(_, let type): return type
    case .keys: return .string
    case .list(let elements): return Self.common(elements.map(\.type))
    case .chosen(let base, _, _), .distinct(let base): return base.elementType
    case .joined(let parts): return Self.common(parts.map(\.elementType))
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

  /// The column that it is nil with; nil for what is always there.
  var column: Int? {
    switch self {
    case .column(let column, _), .keys(let column): column
    case .chosen(let base, _, _), .distinct(let base): base.column
    case .list, .joined: nil
    }
  }

  /// Whether elements may be nil: a property's never are.
  var mayHoldNil: Bool {
    switch self {
    case .column, .keys, .distinct: false
    case .chosen(let base, _, _): base.mayHoldNil
    case .list: true
    case .joined(let parts): parts.contains(where: \.mayHoldNil)
    }
  }

  /// Whether it is the same for every object and every evaluation.
  var isConstant: Bool {
    switch self {
    case .column, .keys: false
    case .list(let elements): elements.allSatisfy(\.isConstant)
    case .chosen: false
    case .distinct(let base): base.isConstant
    case .joined(let parts): parts.allSatisfy(\.isConstant)
    }
  }

  /// Adds the columns it reads.
  func collectColumns(into columns: inout Set<Int>) {
    switch self {
    case .column(let column, _), .keys(let column): columns.insert(column)
    case .list(let elements): for element in elements { element.collectColumns(into: &columns) }
    case .chosen(let base, _, let predicate):
      base.collectColumns(into: &columns)
      predicate.collectColumns(into: &columns)
    case .distinct(let base): base.collectColumns(into: &columns)
    case .joined(let parts): for part in parts { part.collectColumns(into: &columns) }
    }
  }

  /// The collection with every expression in it replaced.
  func mapExpressions(_ transform: (BoundExpression) -> BoundExpression) -> BoundCollection {
    switch self {
    case .column, .keys: self
    case .list(let elements): .list(elements.map { $0.mapped(transform) })
    case .chosen(let base, let level, let predicate):
      .chosen(base.mapExpressions(transform), level: level, predicate.mapExpressions(transform))
    case .distinct(let base): .distinct(base.mapExpressions(transform))
    case .joined(let parts): .joined(parts.map { $0.mapExpressions(transform) })
    }
  }
}
