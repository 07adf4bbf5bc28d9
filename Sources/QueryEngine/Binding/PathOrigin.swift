internal import PredicateLanguage
internal import Schema
internal import Storage
internal import Values

/// The start of a path: the row's object, another object, or a struct of a list.
indirect enum PathOrigin {
  case root
  case object(BoundObject)
  case part(BoundPart)

  /// The entity of the start; `root` is the entity of the rows.
  func entity(or root: StoredEntity) -> StoredEntity {
    switch self {
    case .root: root
    case .object(let object): object.entity.stored
    case .part(let part): part.owner.origin.entity(or: root)
    }
  }

  /// The list that contains the struct; nil if the start is an object.
  var list: StructList? {
    if case .part(let part) = self { part.owner.list } else { nil }
  }

  /// The value of a column.
  func value(_ column: Int, _ type: ExpressionType) -> BoundExpression {
    switch self {
    case .root: .column(column, type)
    case .object(let object): .property(object, column, type)
    case .part(let part): part.value(column, type)
    }
  }

  /// The elements of a column.
  func collection(_ column: Int, _ type: ExpressionType) -> BoundCollection {
    if case .object(let object) = self { .property(object, column, type) } else { .column(column, type) }
  }

  /// The ID of the object, or the position of the struct.
  func number(of entity: StoredEntity) -> BoundExpression {
    switch self {
    case .root: .own(.object(entity.name))
    case .object(let object): object.number
    case .part(let part): part.asStructure
    }
  }

  /// The value of `@type`; nil if the object is nil.
  func name(of entity: StoredEntity) -> BoundExpression {
    let name = BoundExpression.constant(.string(entity.name))
    guard case .object(let object) = self else { return name }
    let isNothing = BoundComparison(
      comparator: .equal, folding: .none, left: object.number, right: [.constant(.null)], test: nil,
      syntax: PredicateSyntax(.constant(false)))
    return .ternary(.comparison(isNothing), .constant(.null), name)
  }
}
