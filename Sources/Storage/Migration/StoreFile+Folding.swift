internal import LMDB
internal import Schema

extension StoreFile {
  /// The catalog for a write, with every folded index made by this program's version of the folding: keys of two
  /// versions must not meet in one index, so one that another version made is built anew, in the same commit.
  func catalogForWriting(
    in transaction: WriteTransaction, wait: WriteWait = WriteWait()
  ) throws -> LoadedCatalog {
    let catalog = try catalog(in: transaction)
    guard catalog.record.hasForeignFolding else { return catalog }
    let migration = try migration(of: catalog, SchemaDeclaration(catalog.record.schema))
    return try carryOut(migration, from: catalog, in: transaction, wait: wait)
  }

  /// Builds folded indexes anew that another version of the folding made, so that queries can use them.
  func renewFoldedIndexes(_ wait: WriteWait = WriteWait()) throws(StoreError) {
    try StoreError.only(path) {
      let isForeign = try read { $0.catalog.record.hasForeignFolding }
      guard isForeign else { return }
      try environment.write(wait: wait.ofEngine) { _ = try self.catalogForWriting(in: $0, wait: wait) }
    }
  }
}
