internal import Schema
internal import Storage
internal import Values

/// An entity that is the target of links, in the schema version of the query.
package struct LinkedEntity: Hashable, Sendable {
  let stored: StoredEntity

  /// The type of its objects.
  var type: ExpressionType { .object(stored.name) }

  package static func == (left: LinkedEntity, right: LinkedEntity) -> Bool { left.stored === right.stored }

  package func hash(into hasher: inout Hasher) { hasher.combine(stored.number) }
}

/// An object other than the row's: the target of a link, the element of a quantifier, SUBQUERY or aggregate, or an item
/// of a list. Its columns are read by `BoundExpression.property`.
package struct BoundObject: Hashable, Sendable {
  /// Its entity.
  let entity: LinkedEntity
  /// Its object ID; if nil there is no object, and all its columns are nil.
  let number: BoundExpression
}

/// The objects of an entity that link to an object through one of the entity's link columns.
package struct LinkSource: Hashable, Sendable {
  let entity: LinkedEntity
  let column: Int
}

extension StoredColumn {
  /// The type of the column's values, or of the elements of its collections.
  var elementType: ExpressionType { column.target.map(ExpressionType.object) ?? ExpressionType(scalarType) }
}
