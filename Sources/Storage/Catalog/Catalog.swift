internal import LMDB

/// Reads and writes the records of the catalog, each as a whole.
///
/// It does not depend on objects; the type of a record defines its content.
struct Catalog {
  /// The name of its database.
  static let name = "catalog"
  /// The name of the database with another copy of the schema, on a page of its own: without the schema, nothing else
  /// could be read.
  static let spareName = "spare"

  private enum Key {
    static let header = Array("header".utf8)
    static let schema = Array("schema".utf8)

    static func state(_ entity: UInt32) -> [UInt8] {
      Array("state".utf8) + (0..<4).reversed().map { UInt8(truncatingIfNeeded: entity >> (8 * UInt32($0))) }
    }
  }

  let database: Database
  /// For messages.
  let path: String

  /// The header, refused when a newer program wrote it.
  func header(in transaction: Transaction) throws(StoreError) -> CatalogHeader {
    guard let record = try read(Key.header, in: transaction) else {
      throw .notAStore(path: path, reason: "its catalog has no header")
    }
    let header: CatalogHeader
    do { header = try CatalogHeader(record: record) } catch { throw damage("header", error) }
    try header.refuseUnknown(path)
    return header
  }

  func schema(in transaction: Transaction) throws(StoreError) -> CatalogSchema {
    guard let record = try read(Key.schema, in: transaction) else {
      throw .corrupted(location: "the catalog has no schema")
    }
    do { return try CatalogSchema(record: record) } catch { throw damage("schema", error) }
  }

  func state(of entity: StoredEntity, in transaction: Transaction) throws(StoreError) -> EntityState {
    guard let state = try stateIfThere(of: entity, in: transaction) else {
      throw .corrupted(location: "the catalog has no counters for \(entity.name)")
    }
    return state
  }

  /// The counters of an entity, or nil if the entity may have been removed.
  func stateIfThere(of entity: StoredEntity, in transaction: Transaction) throws(StoreError) -> EntityState? {
    guard let record = try read(Key.state(entity.number), in: transaction) else { return nil }
    do { return try EntityState(record: record) } catch { throw damage("counters of \(entity.name)", error) }
  }

  func write(_ schema: CatalogSchema, in transaction: WriteTransaction) throws(StoreError) {
    try write(CatalogHeader(schemaVersion: schema.version).encoded(), at: Key.header, in: transaction)
    let record = schema.encoded()
    try write(record, at: Key.schema, in: transaction)
    let spare = try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.createDatabase(Self.spareName)
    }
    try Catalog(database: spare, path: path).write(record, at: Key.schema, in: transaction)
  }

  /// Gives a file of an earlier format the one of this program. Takes the feature back that says that another file takes
  /// its place: it is written to, so it is a copy of one for which that was so.
  func renewHeader(in transaction: WriteTransaction) throws(StoreError) {
    var header = try header(in: transaction)
    guard header.format < CatalogHeader.knownFormat || header.features.contains(CatalogHeader.superseded) else {
      return
    }
    header.format = CatalogHeader.knownFormat
    header.features.removeAll { $0 == CatalogHeader.superseded }
    try write(header.encoded(), at: Key.header, in: transaction)
  }

  /// Adds the feature that says that another file takes the place of this one.
  func markSuperseded(in transaction: WriteTransaction) throws(StoreError) {
    var header = try header(in: transaction)
    header.format = CatalogHeader.knownFormat
    header.features.append(CatalogHeader.superseded)
    try write(header.encoded(), at: Key.header, in: transaction)
  }

  func write(_ state: EntityState, of entity: UInt32, in transaction: WriteTransaction) throws(StoreError) {
    try write(state.encoded(), at: Key.state(entity), in: transaction)
  }

  func removeState(of entity: UInt32, in transaction: WriteTransaction) throws(StoreError) {
    do {
      try Key.state(entity).withBytes { key throws(LMDBError) in _ = try transaction.delete(key, database) }
    } catch { throw StoreError(error, path: path) }
  }

  private func read(
    _ key: [UInt8], in transaction: Transaction
  ) throws(StoreError) -> UnsafeRawBufferPointer? {
    do {
      return try key.withBytes { key throws(LMDBError) in try transaction.get(key, database) }
    } catch { throw StoreError(error, path: path) }
  }

  private func write(_ record: [UInt8], at key: [UInt8], in transaction: WriteTransaction) throws(StoreError) {
    do {
      try key.withBytes { key throws(LMDBError) in
        try record.withBytes { record throws(LMDBError) in try transaction.put(key, record, database) }
      }
    } catch { throw StoreError(error, path: path) }
  }

  private func damage(_ record: String, _ damage: RecordDamage) -> StoreError {
    .corrupted(location: "the \(record) in the catalog: \(damage.what)")
  }
}
