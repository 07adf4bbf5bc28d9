package import Schema
internal import Values

extension Snapshot {
  /// The parts that removing these names would remove, with the type of each property and the number of objects with
  /// data: all objects of an entity, or those with a value of a property. Includes indexes on removed
  /// properties and inverses of removed links. Throws as the removal would.
  package func parts(
    removing names: [String], wait: WriteWait
  ) throws -> [(part: SchemaPart, type: String?, count: Int?)] {
    let removal = SchemaRemoval(of: names, from: catalog.record.schema)
    if !removal.problems.isEmpty { throw StoreError.migrationNeeded(removal.problems) }
    return try (removal.parts + partsAlong(removal)).map { part in
      switch part {
      case .entity(let name):
        guard let entity = schema.entity(named: name) else { return (part, nil, 0) }
        return (part, nil, try objectCount(entity))
      case .property(let name, let path):
        let property = catalog.record.schema.properties(along: path, of: name).last?.property
        guard let entity = schema.entity(named: name), let property else { return (part, nil, 0) }
        if case .linkingObjects = property.type { return (part, property.typeText, nil) }
        return (part, property.typeText, try count(at: path, of: entity, wait))
      case .index: return (part, nil, nil)
      }
    }
  }

  /// The parts that are removed in addition, from remaining entities.
  private func partsAlong(_ removal: SchemaRemoval) -> [SchemaPart] {
    let after = SchemaUnion(of: Schema(), into: removal.schema).schema
    var parts: [SchemaPart] = []
    for entity in catalog.record.schema.entities {
      guard let left = after.entity(named: entity.name) else { continue }
      parts += entity.indexes.filter { !left.indexes.contains($0) }.map { .index(entity: entity.name, $0) }
      for property in entity.properties where left.property(named: property.name) == nil {
        if case .linkingObjects = property.type { parts.append(.property(entity: entity.name, path: property.name)) }
      }
    }
    return parts.filter { !removal.parts.contains($0) }
  }

  /// The number of objects with a value in some column at or below a path; an empty collection is none.
  func count(at path: String, of entity: StoredEntity, _ wait: WriteWait) throws -> Int {
    let columns = entity.columns.indices.filter {
      entity.columns[$0].path == path || entity.columns[$0].path.hasPrefix(path + ".")
    }
    var count = 0
    try forEachCluster(entity) { cluster in
      if wait.isOver { throw StoreError.cancelled }
      let views = try columns.map { (view: try cluster.column($0), kind: entity.columns[$0].column.kind) }
      for slot in 0..<cluster.slotCount where cluster.present[slot] {
        if try views.contains(where: { $0.kind.holdsData(try $0.view.value(at: slot)) }) { count += 1 }
      }
      return true
    }
    return count
  }
}

extension Column.Kind {
  /// Whether a value of a column is more than nil or an empty collection.
  fileprivate func holdsData(_ value: Value) -> Bool {
    switch value {
    case .null: false
    case .list(let elements): !elements.isEmpty
    case .embedded(let fields): !fields.isEmpty
    case .int(let number):
      if case .structs = self { number != 0 } else { true }
    case .bool, .float, .double, .decimal, .string, .date, .uuid, .data, .object: true
    }
  }
}
