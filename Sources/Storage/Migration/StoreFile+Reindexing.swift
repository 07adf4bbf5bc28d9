internal import LMDB
package import Schema

extension StoreFile {
  /// The damaged indexes, which are not used.
  package func damagedIndexes() throws(StoreError) -> [(entity: String, index: Index)] {
    try StoreError.only(path) {
      try read { snapshot in
        let record = snapshot.catalog.record
        return zip(record.schema.entities, record.entities).flatMap { entity, stored in
          stored.indexes.filter { !$0.isComplete }.map { (entity.name, $0.index) }
        }
      }
    }
  }

  /// Builds indexes anew from the objects, in one commit: those that `isChosen` says, and the damaged ones among all
  /// without it. Returns which.
  @discardableResult
  package func reindex(
    timeout: Duration? = nil, wait: WriteWait = WriteWait(), _ isChosen: ((StoredEntity, StoredIndex) -> Bool)? = nil
  ) throws(StoreError) -> [(entity: String, index: Index)] {
    defer { commits.noteCommit() }
    return try StoreError.only(path) {
      try writeEngine(timeout: timeout, wait: wait) { transaction in
        let catalog = try self.catalog(in: transaction)
        let damaged = catalog.record.damagedIndexes
        var chosen: [(entity: String, index: Index)] = []
        var numbers: Set<UInt32> = []
        for entity in catalog.schema.entities {
          for index in entity.indexes where isChosen?(entity, index) ?? damaged.contains(index.number) {
            chosen.append((entity.name, index.index))
            numbers.insert(index.number)
          }
        }
        if !numbers.isEmpty { _ = try self.rebuild(numbers, of: catalog, in: transaction, wait) }
        return chosen
      }
    }
  }

  /// Builds indexes anew, and folded ones that were made with another version of the folding.
  func rebuild(
    _ numbers: Set<UInt32>, of catalog: LoadedCatalog, in transaction: WriteTransaction, _ wait: WriteWait
  ) throws -> LoadedCatalog {
    var record = catalog.record
    record.build(numbers)
    let migration = SchemaMigration(from: record, SchemaDeclaration(record.schema))
    guard migration.problems.isEmpty else { throw StoreError.migrationNeeded(migration.problems) }
    return try carryOut(migration, from: catalog, in: transaction, wait: wait)
  }

  /// Writes which indexes are damaged into the catalog.
  func noteDamage(of catalog: LoadedCatalog, in transaction: WriteTransaction) throws(StoreError) -> LoadedCatalog {
    var record = catalog.record
    record.version += 1
    let written = Catalog(database: catalog.catalog, path: path)
    try written.write(record, in: transaction)
    return try Self.load(record, written, in: transaction, after: catalog)
  }
}
