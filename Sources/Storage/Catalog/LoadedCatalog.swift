internal import LMDB
internal import Schema

/// The open databases of one entity.
final class EntityTables: Sendable {
  let entity: StoredEntity
  /// Clusters by number.
  let objects: Database
  /// Overflow values.
  let values: Database
  /// In the order of `entity.indexes`.
  let indexes: [Database]

  init(entity: StoredEntity, objects: Database, values: Database, indexes: [Database]) {
    self.entity = entity
    self.objects = objects
    self.values = values
    self.indexes = indexes
  }
}

/// The catalog at one version of the schema: the record, the schema made from it, and its open databases.
///
/// It is immutable and shared by all transactions that find the same version in the file. It holds no counters.
final class LoadedCatalog: Sendable {
  let record: CatalogSchema
  let schema: StoredSchema
  let catalog: Database
  /// Which databases were known to be damaged when it was read: their indexes are set aside in `record`.
  let damage: Int
  /// Whether the file does not say yet that they are.
  let hasNewDamage: Bool
  private let tables: [EntityTables]
  private let positions: SortedPositions<UInt32>

  init(
    record: CatalogSchema, schema: StoredSchema, catalog: Database, tables: [EntityTables], damage: Int,
    hasNewDamage: Bool
  ) {
    self.damage = damage
    self.hasNewDamage = hasNewDamage
    self.record = record
    self.schema = schema
    self.catalog = catalog
    self.tables = tables
    positions = SortedPositions(tables.map(\.entity.number))
  }

  /// The catalog with another view of its entities, whose columns and databases are the same.
  func seen(as schema: StoredSchema) -> LoadedCatalog {
    LoadedCatalog(
      record: record, schema: schema, catalog: catalog, tables: tables, damage: damage, hasNewDamage: hasNewDamage)
  }

  /// The databases of an entity, which may come from another version of the schema.
  @inline(__always)
  func tables(of entity: StoredEntity) throws(StoreError) -> EntityTables {
    guard let position = positions[entity.number] else { throw .unknownEntity(entity.name, suggestion: nil) }
    return tables[position]
  }
}
