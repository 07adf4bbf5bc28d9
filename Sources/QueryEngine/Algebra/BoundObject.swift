internal import Schema
internal import Storage
internal import Values

/// An entity that links lead to, as the query's version of the schema has it.
package struct LinkedEntity: Hashable, Sendable {
  let stored: StoredEntity

  /// The type of its objects.
  var type: ExpressionType { .object(stored.name) }

  package static func == (left: LinkedEntity, right: LinkedEntity) -> Bool { left.stored === right.stored }

  package func hash(into hasher: inout Hasher) { hasher.combine(stored.number) }
}

/// An object other than the one a row is of: what a path has come to through a link, the element that a quantifier,
/// SUBQUERY or aggregate looks at, an item of a list. Its columns are read by `BoundExpression.property`.
package struct BoundObject: Hashable, Sendable {
  /// Its entity.
  let entity: LinkedEntity
  /// Its number; where that is nil there is no object, and all its columns are nil.
  let number: BoundExpression
}

/// The objects that link to an object: those of an entity, through one of its link columns.
package struct LinkSource: Hashable, Sendable {
  let entity: LinkedEntity
  let column: Int
}

extension StoredColumn {
  /// The type of its values, or of the elements of its collections.
  var elementType: ExpressionType { column.target.map(ExpressionType.object) ?? ExpressionType(scalarType) }
}
