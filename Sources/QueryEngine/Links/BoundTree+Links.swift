internal import Storage
internal import Values

extension BoundPredicate {
  /// Whether anything in it leads to other objects.
  var goesThroughLinks: Bool {
    switch self {
    case .constant, .test: false
    case .and(let parts), .or(let parts): parts.contains(where: \.goesThroughLinks)
    case .not(let inner): inner.goesThroughLinks
    case .comparison(let comparison): comparison.operands.contains(where: \.goesThroughLinks)
    case .quantified(let quantified):
      quantified.collection.goesThroughLinks || quantified.predicate.goesThroughLinks
    case .lists(let lists): lists.left.goesThroughLinks || lists.right.goesThroughLinks
    case .remembered(let remembered): remembered.predicate.goesThroughLinks
    }
  }

  /// The to-one link that is the only column it reads.
  func onlyLink(of entity: StoredEntity) -> Int? {
    var columns: Set<Int> = []
    collectColumns(into: &columns)
    guard columns.count == 1, let column = columns.first, entity.columns.indices.contains(column),
      entity.columns[column].collectionKind == nil, entity.columns[column].target != nil
    else { return nil }
    return column
  }

  /// The predicate with an expression in the place of the element of a level.
  func replacing(_ level: Int, by value: BoundExpression) -> BoundPredicate {
    mapExpressions { expression in
      if case .element(level, _) = expression { value } else { expression }
    }
  }
}

extension BoundExpression {
  /// Whether anything in it leads to other objects.
  var goesThroughLinks: Bool {
    switch self {
    case .constant, .column, .computed, .now, .element, .entry, .own, .object: false
    case .property, .gathered: true
    case .assembled(let structure): structure.parts.contains(where: \.goesThroughLinks)
    case .negate(let operand), .complement(let operand): operand.goesThroughLinks
    case .arithmetic(let first, let steps):
      first.goesThroughLinks || steps.contains { $0.operand.goesThroughLinks }
    case .call(_, let operands): operands.contains(where: \.goesThroughLinks)
    case .ternary(let condition, let yes, let no):
      condition.goesThroughLinks || yes.goesThroughLinks || no.goesThroughLinks
    case .reduced(_, let collection): collection.goesThroughLinks
    case .item(let collection, let place):
      collection.goesThroughLinks || place.expression?.goesThroughLinks ?? false
    }
  }

  /// The to-one link of the row's object at which a path through links begins.
  var firstLink: (column: Int, entity: LinkedEntity)? {
    guard case .property(let object, _, _) = self else { return nil }
    if case .column(let column, _) = object.number { return (column, object.entity) }
    return object.number.firstLink
  }
}

extension BoundCollection {
  /// Whether anything in it leads to other objects.
  var goesThroughLinks: Bool {
    switch self {
    case .column(_, let type), .computed(_, let type): type.objectEntity != nil
    case .keys: false
    case .list(let elements): elements.contains(where: \.goesThroughLinks)
    case .chosen(let base, _, let predicate): base.goesThroughLinks || predicate.goesThroughLinks
    case .distinct(let base): base.goesThroughLinks
    case .joined(let parts): parts.contains(where: \.goesThroughLinks)
    case .positions(let count): count.goesThroughLinks
    case .each(let base, _, let value): base.goesThroughLinks || value.goesThroughLinks
    case .flattened(let base, _, let inner): base.goesThroughLinks || inner.goesThroughLinks
    case .property, .propertyKeys, .sources, .among: true
    }
  }
}
