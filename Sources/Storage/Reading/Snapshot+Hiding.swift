extension Snapshot {
  /// The same version as if some of its indexes did not exist, to plan queries without them.
  ///
  /// It belongs to the snapshot it is made from, and ends with it.
  package final func hiding(_ isHidden: (StoredEntity, StoredIndex) -> Bool) -> Snapshot {
    let entities = schema.entities.map { entity in
      let indexes = entity.indexes.filter { !isHidden(entity, $0) }
      if indexes.count == entity.indexes.count { return entity }
      return StoredEntity(
        number: entity.number, entity: entity.entity, columns: entity.columns, indexes: indexes)
    }
    let seen = StoredSchema(version: schema.version, schema: schema.schema, entities: entities)
    return Snapshot(transaction: transaction, catalog: catalog.seen(as: seen), path: path)
  }
}
