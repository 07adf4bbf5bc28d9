package import Schema
internal import Values

extension Snapshot {
  /// What would go with these names, the type of each property, and how many objects have something in it: all of an
  /// entity, those with a value that is not the default of a property. Throws as removing them would.
  package func parts(
    removing names: [String], wait: WriteWait
  ) throws -> [(part: SchemaPart, type: String?, count: Int?)] {
    let removal = SchemaRemoval(of: names, from: catalog.record.schema)
    if !removal.problems.isEmpty { throw StoreError.migrationNeeded(removal.problems) }
    return try removal.parts.map { part in
      switch part {
      case .entity(let name):
        guard let entity = schema.entity(named: name) else { return (part, nil, 0) }
        return (part, nil, try objectCount(entity))
      case .property(let name, let path):
        let property = catalog.record.schema.properties(along: path, of: name).last?.property
        guard let entity = schema.entity(named: name), let property else { return (part, nil, 0) }
        return (part, property.typeText, try count(at: path, of: entity, wait))
      case .index: return (part, nil, nil)
      }
    }
  }

  /// How many objects have a value that is not the default, in some column at or below a path.
  private func count(at path: String, of entity: StoredEntity, _ wait: WriteWait) throws -> Int {
    let columns = entity.columns.indices.filter {
      entity.columns[$0].path == path || entity.columns[$0].path.hasPrefix(path + ".")
    }
    var count = 0
    try forEachCluster(entity) { cluster in
      if wait.isOver { throw StoreError.cancelled }
      let views = try columns.map { (view: try cluster.column($0), empty: entity.columns[$0].column.defaultValue) }
      for slot in 0..<cluster.slotCount where cluster.present[slot] {
        if try views.contains(where: { try !$0.view.value(at: slot).isIdentical(to: $0.empty) }) { count += 1 }
      }
      return true
    }
    return count
  }
}
