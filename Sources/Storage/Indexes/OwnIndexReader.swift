internal import LMDB

/// Reads one index that has a layout of its own, so that `IndexReader` cannot read it.
///
/// `EntityReader` makes it when it is first asked for. Used by one thread at a time, and not after the snapshot has
/// ended.
protocol OwnIndexReader: AnyObject {
  init(_ index: StoredIndex, database: Database, transaction: Transaction, path: String)
}
