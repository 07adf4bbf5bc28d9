internal import LMDB
internal import Schema

extension StoreFile {
  /// The catalog for a write. Keys of two folding versions must not mix in one index, so a folded index made with
  /// another version is rebuilt in the same commit; and so is a damaged one that writes need. Others that are damaged are
  /// noted as such.
  func catalogForWriting(
    in transaction: WriteTransaction, wait: WriteWait = WriteWait()
  ) throws -> LoadedCatalog {
    let catalog = try catalog(in: transaction)
    let needed = catalog.record.indexesNeededDamaged
    if catalog.record.hasForeignFolding || !needed.isEmpty {
      return try rebuild(needed, of: catalog, in: transaction, wait)
    }
    return catalog.hasNewDamage ? try noteDamage(of: catalog, in: transaction) : catalog
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
