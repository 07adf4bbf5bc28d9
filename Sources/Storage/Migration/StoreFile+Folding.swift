internal import LMDB
internal import Schema

extension StoreFile {
  /// The catalog for a write. Keys of two folding versions must not mix in one index, so a folded index made with
  /// another version is rebuilt in the same commit.
  func catalogForWriting(
    in transaction: WriteTransaction, wait: WriteWait = WriteWait()
  ) throws -> LoadedCatalog {
    let catalog = try catalog(in: transaction)
    guard catalog.record.hasForeignFolding else { return catalog }
    let migration = try migration(of: catalog, SchemaDeclaration(catalog.record.schema))
    return try carryOut(migration, from: catalog, in: transaction, wait: wait)
  }

  /// Rebuilds folded indexes made with another version of the folding, so that queries can use them.
  func renewFoldedIndexes(_ wait: WriteWait = WriteWait()) throws(StoreError) {
    try StoreError.only(path) {
      let isForeign = try read { $0.catalog.record.hasForeignFolding }
      guard isForeign else { return }
      try writeEngine(wait: wait) { _ = try self.catalogForWriting(in: $0, wait: wait) }
    }
  }
}
