internal import Storage
internal import Values

extension BoundExpression {
  /// The entity of the objects that the expression's values are, alone or in lists; nil for other values. `groups`
  /// resolves computed values if rows are groups.
  func objects(of entity: StoredEntity, _ groups: CompiledRows.Grouping? = nil) -> String? {
    if let name = type.objectEntity { return name }
    switch self {
    case .column(let column, .list): return entity.columns[column].target
    case .reduced(.list, let collection): return collection.elementType?.objectEntity
    case .property(let object, let column, .list): return object.entity.stored.columns[column].target
    case .computed(let place, .list):
      guard let groups else { return nil }
      if place < groups.keys.count { return groups.keys[place].objects(of: entity) }
      let aggregate = place - groups.keys.count
      return groups.aggregates.indices.contains(aggregate)
        ? groups.aggregates[aggregate].elementType?.objectEntity : nil
    default: return nil
    }
  }
}

extension Value {
  /// Replaces object IDs by references with their entity, since an ID alone does not identify an object in a result.
  func objects(of entity: String) -> Value {
    switch self {
    case .int(let number): .object(ObjectReference(entity: entity, number: ObjectNumber(UInt64(bitPattern: number))))
    case .list(let elements): .list(elements.map { $0.objects(of: entity) })
    default: self
    }
  }
}
