internal import Schema
internal import Storage
internal import Values

/// Splits a collection into the links that lead to its elements, the predicates on the objects along the path, and the
/// value of each object at the end: `SUBQUERY(projects.tasks, $t, $t.isComplete).priority`.
///
/// It does no planning.
struct LinkPathBuilder {
  /// A link, with the predicates on the objects it leads to.
  struct Hop {
    let link: LinkPath.Link
    let entity: LinkedEntity
    /// The predicates, over the target entity.
    var conditions: [BoundPredicate] = []
  }

  private(set) var hops: [Hop] = []
  /// The value of an object at the end, over its entity; nil for the object itself.
  private(set) var value: BoundExpression?
  /// The collection of each object at the end, over its entity, whose elements are requested.
  private(set) var elements: BoundCollection?
  /// A predicate on the objects at the end that also reads the row's object, and the level of its variable.
  private(set) var correlated: (level: Int, predicate: BoundPredicate)?
  /// Whether nil elements are already removed.
  private(set) var skipsNil = false
  private let schema: StoredSchema

  /// nil for a collection that is not a path of links.
  init?(_ collection: BoundCollection, of entity: StoredEntity, _ schema: StoredSchema) {
    self.schema = schema
    guard take(collection, of: entity), !hops.isEmpty else { return nil }
  }

  private var isObjects: Bool { value == nil && elements == nil }

  private mutating func take(_ collection: BoundCollection, of entity: StoredEntity) -> Bool {
    switch collection {
    case .column(let column, _):
      return follow(column, of: entity)
    case .property(let object, let column, _):
      return take(object.number, of: entity) && follow(column, of: object.entity.stored)
    case .sources(let source, let number):
      guard take(number, of: entity), correlated == nil else { return false }
      let link = LinkPath.Link(source: source.entity, column: source.column, isBackward: true)
      hops.append(Hop(link: link, entity: source.entity))
      return true
    case .chosen(let base, let level, let condition):
      guard take(base, of: entity), isObjects, let last = hops.indices.last else { return false }
      for part in condition.conjuncts {
        if let own = RebaseToTarget.predicate(part, .element(level)) {
          hops[last].conditions.append(own)
        } else if correlated == nil {
          correlated = (level, part)
        } else {
          return false
        }
      }
      return true
    case .each(let base, let level, let expression):
      guard take(base, of: entity), elements == nil, let own = RebaseToTarget.expression(expression, .element(level))
      else {
        return false
      }
      if let link = value {
        skipsNil = true
        guard followValue(link) else { return false }
      }
      value = own
      return true
    case .flattened(let base, let level, let inner):
      guard take(base, of: entity), elements == nil, correlated == nil else { return false }
      // A link that is nil has no elements.
      if let link = value, !followValue(link) { return false }
      guard let end = hops.last?.entity, let own = RebaseToTarget.collection(inner, .element(level)) else {
        return false
      }
      return take(own, of: end.stored)
    case .keys, .propertyKeys, .list, .distinct, .joined, .among, .positions, .computed: return false
    }
  }

  /// Appends a link after the last one.
  private mutating func followValue(_ link: BoundExpression) -> Bool {
    value = nil
    guard let end = hops.last?.entity else { return false }
    return take(link, of: end.stored)
  }

  /// Appends the links of a path to one object; none for the row's own.
  private mutating func take(_ object: BoundExpression, of entity: StoredEntity) -> Bool {
    switch object {
    case .own: true
    case .column(let column, _): entity.columns[column].target != nil && follow(column, of: entity)
    case .property(let inner, let column, _):
      inner.entity.stored.columns[column].target != nil && take(inner.number, of: entity)
        && follow(column, of: inner.entity.stored)
    case .constant, .computed, .now, .negate, .complement, .arithmetic, .call, .ternary, .element, .reduced, .item,
      .entry, .object, .assembled, .gathered:
      false
    }
  }

  /// A predicate that reads the row's object applies to the objects at the end, so no link may follow.
  private mutating func follow(_ column: Int, of entity: StoredEntity) -> Bool {
    guard correlated == nil, entity.columns.indices.contains(column) else { return false }
    guard let name = entity.columns[column].target, let target = schema.entity(named: name) else {
      guard !hops.isEmpty, entity.columns[column].collectionKind != nil else { return false }
      elements = .column(column, entity.columns[column].elementType)
      return true
    }
    let link = LinkPath.Link(source: LinkedEntity(stored: entity), column: column, isBackward: false)
    hops.append(Hop(link: link, entity: LinkedEntity(stored: target)))
    return true
  }
}

extension BoundPredicate {
  /// The predicates whose conjunction this is.
  var conjuncts: [BoundPredicate] {
    if case .and(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
  }
}

extension BoundCollection {
  /// The objects that the elements are values of, with a predicate on the value rewritten to one on the object: for
  /// elements of `tasks.priority` above a number, the tasks whose priority is above it.
  func objects(for level: Int, _ predicate: BoundPredicate) -> (BoundCollection, level: Int, BoundPredicate) {
    switch self {
    case .each(let base, let inner, let value): return base.objects(for: inner, predicate.replacing(level, by: value))
    case .flattened(let base, let outer, let inner):
      let (objects, level, predicate) = inner.objects(for: level, predicate)
      return (.flattened(base, level: outer, objects), level, predicate)
    case .column, .keys, .list, .property, .propertyKeys, .sources, .positions, .computed, .joined, .chosen, .distinct,
      .among:
      return (self, level, predicate)
    }
  }
}
