internal import Schema
internal import Storage

/// A struct of a list, as an expression sees it: whose list, and where in it. Its leaves are items of the list's columns.
struct BoundPart {
  /// The lists that an object has.
  struct Owner {
    /// The object that a row is of, or another.
    let origin: PathOrigin
    let list: StructList

    /// The places of all structs.
    var positions: BoundCollection { .positions(of: origin.value(list.column, .int)) }
  }

  let owner: Owner
  let place: BoundPlace

  /// A leaf, or whether a struct within it is there.
  func value(_ column: Int, _ type: ExpressionType) -> BoundExpression {
    .item(owner.origin.collection(column, type), place)
  }

  /// Its place, as what says whether it is there.
  var asStructure: BoundExpression {
    if case .index(let index) = place, case .element = index { return index }
    return .item(owner.positions, place)
  }

  /// The struct with all its leaves.
  func assembled(_ entity: StoredEntity) -> BoundExpression {
    .assembled(PathOrigin.part(self).structure(at: owner.list.path, of: entity, level: 0))
  }
}

extension BoundCollection {
  /// The collection with its innermost collection replaced: for the elements of many objects, the elements of each.
  func innermost(_ transform: (BoundCollection) -> BoundCollection) -> BoundCollection {
    guard case .flattened(let base, let level, let inner) = self else { return transform(self) }
    return .flattened(base, level: level, inner.innermost(transform))
  }

  /// The owner of the list, if the elements are structs. For the structs of many objects, the owner is inside of what
  /// `innermost` replaces.
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
    default: nil
    }
  }
}
