internal import Schema
internal import Storage

/// A struct of a list in an expression: the list's owner and the struct's position. Its properties are items of the
/// list's columns.
struct BoundPart {
  /// A list of structs and the object it belongs to.
  struct Owner {
    /// The object that has the list.
    let origin: PathOrigin
    let list: StructList

    /// The positions of all structs.
    var positions: BoundCollection { .positions(of: origin.value(list.column, .int)) }
  }

  let owner: Owner
  let place: BoundPlace

  /// The value of a property, or of the column that states whether a nested struct exists.
  func value(_ column: Int, _ type: ExpressionType) -> BoundExpression {
    .item(owner.origin.collection(column, type), place)
  }

  /// The struct's position, which states whether the struct exists.
  var asStructure: BoundExpression {
    if case .index(let index) = place, case .element = index { return index }
    return .item(owner.positions, place)
  }

  /// The struct with all its properties.
  func assembled(_ entity: StoredEntity) -> BoundExpression {
    .assembled(PathOrigin.part(self).structure(at: owner.list.path, of: entity, level: 0))
  }
}

extension BoundCollection {
  /// Replaces the innermost collection: of a collection joined from those of many objects, the part that each object
  /// contributes.
  func innermost(_ transform: (BoundCollection) -> BoundCollection) -> BoundCollection {
    guard case .flattened(let base, let level, let inner) = self else { return transform(self) }
    return .flattened(base, level: level, inner.innermost(transform))
  }

  /// The owner of the list whose structs are the elements; nil if the elements are not structs. For a collection joined
  /// from many objects this is the owner of the innermost collection.
  func owner(root entity: StoredEntity) -> BoundPart.Owner? {
    switch self {
    case .positions(of: .column(let column, _)):
      entity.structLists.first { $0.column == column }.map { BoundPart.Owner(origin: .root, list: $0) }
    case .positions(of: .property(let object, let column, _)):
      object.entity.stored.structLists.first { $0.column == column }.map {
        BoundPart.Owner(origin: .object(object), list: $0)
      }
    case .chosen(let base, _, _): base.owner(root: entity)
    case .flattened(_, _, let inner): inner.owner(root: entity)
    case .column, .keys, .list, .distinct, .joined, .property, .propertyKeys, .sources, .positions, .each, .computed,
      .among:
      nil
    }
  }
}
