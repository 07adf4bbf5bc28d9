internal import Storage
internal import Values

extension BoundPredicate {
  /// The to-one link that is the only column it reads; nil if there is none.
  func onlyLink(of entity: StoredEntity) -> Int? {
    var columns: Set<Int> = []
    collectColumns(into: &columns)
    guard columns.count == 1, let column = columns.first, entity.columns.indices.contains(column),
      entity.columns[column].collectionKind == nil, entity.columns[column].target != nil
    else { return nil }
    return column
  }
}

extension BoundExpression {
  /// The to-one link of the row's object at which a path of links begins.
  var firstLink: (column: Int, entity: LinkedEntity)? {
    guard case .property(let object, _, _) = self else { return nil }
    if case .column(let column, _) = object.number { return (column, object.entity) }
    return object.number.firstLink
  }
}
