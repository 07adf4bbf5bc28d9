internal import Schema

extension CatalogSchema {
  /// The schema for the rest of the program. Unchanged entities are taken from `previous`, so that references to them
  /// stay valid.
  func stored(reusing previous: StoredSchema?) throws(RecordDamage) -> StoredSchema {
    var stored: [StoredEntity] = []
    for (entity, record) in zip(schema.entities, entities) {
      let made = try self.stored(entity, record)
      if let known = previous?.entity(named: entity.name), known.isSame(as: made) {
        stored.append(known)
      } else {
        stored.append(made)
      }
    }
    return StoredSchema(version: version, schema: schema, entities: stored)
  }

  private func stored(_ entity: Entity, _ record: EntityRecord) throws(RecordDamage) -> StoredEntity {
    let positions = SortedPositions(record.columns.map(\.path))
    var columns: [StoredColumn] = []
    for column in schema.columns(of: entity) {
      guard let position = positions[column.path] else {
        throw RecordDamage(what: "\(entity.name).\(column.path) has no number")
      }
      let known = record.columns[position]
      columns.append(
        StoredColumn(number: known.number, column: column, defaultAtCreation: known.defaultAtCreation))
    }
    var indexes: [StoredIndex] = []
    for record in record.indexes {
      var positions: [Int] = []
      for path in record.index.paths {
        guard let position = columns.firstIndex(where: { $0.path == path }) else {
          throw RecordDamage(what: "the index \(record.index.name) of \(entity.name) has no column '\(path)'")
        }
        positions.append(position)
      }
      indexes.append(
        StoredIndex(
          number: record.number, index: record.index, columns: positions,
          types: positions.map { columns[$0].scalarType }, isComplete: record.isComplete && record.hasOwnFolding))
    }
    return StoredEntity(number: record.number, entity: entity, columns: columns, indexes: indexes)
  }
}
