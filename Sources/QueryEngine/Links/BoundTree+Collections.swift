internal import PredicateLanguage

extension BoundPredicate {
  /// The predicate with every collection in it replaced, the outer ones first.
  func mapCollections(_ transform: (BoundCollection) throws -> BoundCollection) rethrows -> BoundPredicate {
    switch self {
    case .constant, .test: return self
    case .and(let parts): return .and(try parts.map { try $0.mapCollections(transform) })
    case .or(let parts): return .or(try parts.map { try $0.mapCollections(transform) })
    case .not(let inner): return .not(try inner.mapCollections(transform))
    case .comparison(let comparison):
      return .comparison(
        BoundComparison(
          comparator: comparison.comparator, folding: comparison.folding,
          left: try comparison.left.mapCollections(transform),
          right: try comparison.right.map { try $0.mapCollections(transform) }, test: comparison.test,
          syntax: comparison.syntax, shape: comparison.shape, members: comparison.members))
    case .quantified(let quantified):
      return .quantified(
        BoundQuantifier(
          quantifier: quantified.quantifier, collection: try quantified.collection.mapCollections(transform),
          level: quantified.level, predicate: try quantified.predicate.mapCollections(transform),
          syntax: quantified.syntax))
    case .lists(let lists):
      return .lists(
        BoundListComparison(
          comparator: lists.comparator, folding: lists.folding, left: try lists.left.mapCollections(transform),
          right: try lists.right.mapCollections(transform), syntax: lists.syntax))
    case .remembered(let remembered):
      return .remembered(
        RememberedPredicate(try remembered.predicate.mapCollections(transform), as: remembered))
    }
  }
}

extension BoundExpression {
  /// The expression with every collection in it replaced, the outer ones first.
  func mapCollections(_ transform: (BoundCollection) throws -> BoundCollection) rethrows -> BoundExpression {
    switch self {
    case .constant, .column, .computed, .now, .element, .own, .object, .gathered: return self
    case .negate(let operand): return .negate(try operand.mapCollections(transform))
    case .complement(let operand): return .complement(try operand.mapCollections(transform))
    case .arithmetic(let first, let steps):
      return .arithmetic(
        try first.mapCollections(transform),
        try steps.map {
          Step(operation: $0.operation, operand: try $0.operand.mapCollections(transform), type: $0.type)
        })
    case .call(let function, let operands):
      return .call(function, try operands.map { try $0.mapCollections(transform) })
    case .ternary(let condition, let yes, let no):
      return .ternary(
        try condition.mapCollections(transform), try yes.mapCollections(transform), try no.mapCollections(transform))
    case .reduced(let reduction, let collection): return .reduced(reduction, try collection.mapCollections(transform))
    case .item(let collection, let place):
      return .item(try collection.mapCollections(transform), try place.mapCollections(transform))
    case .assembled(let structure): return .assembled(try structure.mapParts { try $0.mapCollections(transform) })
    case .entry(let column, let key, let type): return .entry(column, key: try key.mapCollections(transform), type)
    case .property(let object, let column, let type):
      return .property(try object.mapCollections(transform), column, type)
    }
  }
}

extension BoundPlace {
  fileprivate func mapCollections(
    _ transform: (BoundCollection) throws -> BoundCollection
  ) rethrows -> BoundPlace {
    switch self {
    case .first, .last: return self
    case .index(let expression): return .index(try expression.mapCollections(transform))
    case .key(let expression): return .key(try expression.mapCollections(transform))
    }
  }
}

extension BoundObject {
  fileprivate func mapCollections(
    _ transform: (BoundCollection) throws -> BoundCollection
  ) rethrows -> BoundObject {
    BoundObject(entity: entity, number: try number.mapCollections(transform))
  }
}

extension BoundCollection {
  /// The collection replaced, and then every one in what it was replaced by.
  func mapCollections(_ transform: (BoundCollection) throws -> BoundCollection) rethrows -> BoundCollection {
    switch try transform(self) {
    case .column(let column, let type): return .column(column, type)
    case .keys(let column): return .keys(column)
    case .computed(let place, let type): return .computed(place, type)
    case .list(let elements): return .list(try elements.map { try $0.mapCollections(transform) })
    case .chosen(let base, let level, let predicate):
      return .chosen(try base.mapCollections(transform), level: level, try predicate.mapCollections(transform))
    case .among(let base, let set): return .among(try base.mapCollections(transform), set)
    case .distinct(let base): return .distinct(try base.mapCollections(transform))
    case .joined(let parts): return .joined(try parts.map { try $0.mapCollections(transform) })
    case .property(let object, let column, let type):
      return .property(try object.mapCollections(transform), column, type)
    case .propertyKeys(let object, let column): return .propertyKeys(try object.mapCollections(transform), column)
    case .sources(let source, let number): return .sources(source, of: try number.mapCollections(transform))
    case .positions(let count): return .positions(of: try count.mapCollections(transform))
    case .each(let base, let level, let value):
      return .each(try base.mapCollections(transform), level: level, try value.mapCollections(transform))
    case .flattened(let base, let level, let inner):
      return .flattened(try base.mapCollections(transform), level: level, try inner.mapCollections(transform))
    }
  }
}
