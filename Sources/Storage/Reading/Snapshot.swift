internal import LMDB
internal import Schema
package import Values

/// One immutable version of the store: objects, columns and indexes as of a commit.
///
/// Its views and runs are valid until it ends. A snapshot is used by one thread at a time. It does not depend on
/// queries.
///
/// A snapshot within a write shows the changes so far, and ends with the next change.
package class Snapshot {
  /// The schema of that version.
  package var schema: StoredSchema { catalog.schema }
  /// The number of the commit it shows.
  package var version: Int { transaction.id }

  final let transaction: Transaction
  final let catalog: LoadedCatalog
  final let path: String
  /// The shared data of its commit; nil within a write.
  private final let facts: CommitFacts?
  private final var readers = MostlyOne<EntityReader>()

  init(transaction: Transaction, catalog: LoadedCatalog, path: String, facts: CommitFacts? = nil) {
    self.transaction = transaction
    self.catalog = catalog
    self.path = path
    self.facts = facts
  }

  /// Whether it shows a commit, which is the same for all readers. False within a write.
  package final var isCommitted: Bool { facts != nil }

  /// The last change of a write in progress that it shows.
  var step: Int { 0 }

  /// Whether it may still be used.
  func validate() throws(StoreError) {
    if !transaction.isOpen { throw .finished }
  }

  /// Ends the snapshot; ending it twice is harmless. It also ends with its last reference.
  package func end() {
    (transaction as? ReadTransaction)?.end()
  }

  /// The number of objects of the entity. Takes constant time.
  package final func objectCount(_ entity: StoredEntity) throws(StoreError) -> Int {
    Int(clamping: try reader(of: entity).state.objectCount)
  }

  /// The ID of the entity's next object, which is higher than all existing ones. Takes constant time.
  package final func objectLimit(_ entity: StoredEntity) throws(StoreError) -> UInt64 {
    try reader(of: entity).state.nextObject
  }

  /// The number of clusters of the entity. Takes constant time.
  package final func clusterCount(_ entity: StoredEntity) throws(StoreError) -> Int {
    let tables = try reader(of: entity).tables
    return try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.entryCount(tables.objects)
    }
  }

  /// Calls `body` with every cluster from number `first` on, ascending, until it returns false.
  package final func forEachCluster(
    _ entity: StoredEntity, from first: UInt64 = 0, _ body: (ClusterView) throws -> Bool
  ) throws {
    let reader = try reader(of: entity)
    let context = reader.context
    try StoreError.translating(path) {
      let cursor = try transaction.cursor(reader.tables.objects)
      var entry = try first == 0 ? cursor.first() : cursor.seek(first)
      while let found = entry {
        guard found.key.count == 8 else {
          throw StoreError.corrupted(location: "\(entity.name): a cluster without a number")
        }
        let number = found.key.loadUnaligned(as: UInt64.self)
        // The next cluster's directory is prefetched while `body` processes this one.
        entry = try cursor.next()
        if let next = entry?.value.baseAddress { ClusterDirectory.prefetch(next) }
        guard try body(try ClusterView(found.value, number: number, context: context)) else { return }
      }
    }
  }

  /// The cluster of that number, nil when none of its objects exists.
  package final func cluster(_ number: UInt64, of entity: StoredEntity) throws(StoreError) -> ClusterView? {
    try reader(of: entity).cluster(number)
  }

  /// The reader of an index. An incomplete index is refused.
  package final func index(_ index: StoredIndex, of entity: StoredEntity) throws(StoreError) -> IndexReader {
    try reader(of: entity).index(index)
  }

  /// All values of an object in column order; nil if it does not exist.
  package final func row(_ object: ObjectNumber, of entity: StoredEntity) throws(StoreError) -> [Value]? {
    guard let view = try cluster(object.cluster, of: entity), view.present[object.slot] else { return nil }
    var row: [Value] = []
    row.reserveCapacity(entity.columns.count)
    for column in entity.columns.indices { row.append(try view.column(column).value(at: object.slot)) }
    return row
  }

  /// The object with a value of a single-column unique index; nil if there is none.
  package final func find(
    unique index: StoredIndex, _ value: Value, of entity: StoredEntity
  ) throws(StoreError) -> ObjectNumber? {
    let reader = try reader(of: entity)
    return try reader.object(with: value, in: try reader.index(index))
  }

  /// The reader of an entity in this snapshot. Many reads with it look the entity up only once.
  @inline(__always)
  package final func reader(of entity: StoredEntity) throws(StoreError) -> EntityReader {
    try validate()
    if let known = readers[entity.number], known.entity === entity { return known }
    return try newReader(of: entity)
  }

  private final func newReader(of entity: StoredEntity) throws(StoreError) -> EntityReader {
    let made = EntityReader(entity, try catalog.tables(of: entity), in: transaction, catalog, facts, path: path)
    readers[entity.number] = made
    return made
  }
}
