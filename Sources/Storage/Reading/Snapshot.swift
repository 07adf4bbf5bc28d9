internal import LMDB
internal import Schema
package import Values

/// One version of the store, unchanging however long it is used: objects, columns and indexes as of a commit.
///
/// What it gives out (views, runs) is valid until it ends. A snapshot is used by one thread at a time. It does not
/// know queries.
///
/// A snapshot taken within a write shows what was written so far, and ends with the next change made there.
package class Snapshot {
  /// The schema of that version.
  package var schema: StoredSchema { catalog.schema }
  /// The number of the commit it shows.
  package var version: Int { transaction.id }

  final let transaction: Transaction
  final let catalog: LoadedCatalog
  final let path: String
  /// What is known of its commit already; nil within a write.
  private final let facts: CommitFacts?
  private final var contexts = MostlyOne<EntityContext>()
  private final var key: [UInt8] = []

  /// What is needed to read the clusters of an entity.
  final class EntityContext {
    let entity: StoredEntity
    let tables: EntityTables
    /// Made when the first cluster is read: an index is often all that is needed.
    private(set) lazy var cluster = tables.makeClusterContext(for: entity, in: transaction, path: path)
    private let transaction: Transaction
    private let path: String
    var state: EntityState?
    /// Those that were asked for, by number.
    var readers = MostlyOne<IndexReader>()
    var trigramReaders = MostlyOne<TrigramReader>()

    init(_ entity: StoredEntity, _ tables: EntityTables, in transaction: Transaction, path: String) {
      self.entity = entity
      self.tables = tables
      self.transaction = transaction
      self.path = path
    }
  }

  init(transaction: Transaction, catalog: LoadedCatalog, path: String, facts: CommitFacts? = nil) {
    self.transaction = transaction
    self.catalog = catalog
    self.path = path
    self.facts = facts
  }

  /// Whether it shows a commit, which is the same whoever looks at it. Within a write it does not.
  package final var isCommitted: Bool { facts != nil }

  /// Whether it may still be used.
  func validate() throws(StoreError) {
    if !transaction.isOpen { throw .finished }
  }

  /// Ends it; doing so twice is harmless. A snapshot nobody holds any more ends by itself.
  package func end() {
    (transaction as? ReadTransaction)?.end()
  }

  /// How many objects the entity has. Takes no time.
  package final func objectCount(_ entity: StoredEntity) throws(StoreError) -> Int {
    Int(clamping: try state(of: entity).objectCount)
  }

  /// The number that the entity's next object will have: all its objects have lower ones. Takes no time.
  package final func objectLimit(_ entity: StoredEntity) throws(StoreError) -> UInt64 {
    try state(of: entity).nextObject
  }

  /// How many clusters the entity's objects are in. Takes no time.
  package final func clusterCount(_ entity: StoredEntity) throws(StoreError) -> Int {
    let context = try context(of: entity)
    return try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.entryCount(context.tables.objects)
    }
  }

  /// Calls `body` with every cluster from number `first` on, ascending, until it returns false.
  package final func forEachCluster(
    _ entity: StoredEntity, from first: UInt64 = 0, _ body: (ClusterView) throws -> Bool
  ) throws {
    let context = try context(of: entity)
    try StoreError.translating(path) {
      let cursor = try transaction.cursor(context.tables.objects)
      var entry = try first == 0 ? cursor.first() : cursor.seek(first)
      while let found = entry {
        guard found.key.count == 8 else {
          throw StoreError.corrupted(location: "\(entity.name): a cluster without a number")
        }
        let number = found.key.loadUnaligned(as: UInt64.self)
        // The next cluster's directory is fetched from memory while `body` is at work on this one.
        entry = try cursor.next()
        if let next = entry?.value.baseAddress { ClusterDirectory.prefetch(next) }
        guard try body(try ClusterView(found.value, number: number, context: context.cluster)) else { return }
      }
    }
  }

  /// The cluster of that number, nil when none of its objects exists.
  package final func cluster(_ number: UInt64, of entity: StoredEntity) throws(StoreError) -> ClusterView? {
    let context = try context(of: entity)
    let bytes = try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.get(number, context.tables.objects)
    }
    guard let bytes else { return nil }
    return try ClusterView(bytes, number: number, context: context.cluster)
  }

  /// Reads an index. One that is not complete is refused.
  package final func index(_ index: StoredIndex, of entity: StoredEntity) throws(StoreError) -> IndexReader {
    let context = try context(of: entity)
    if let known = context.readers[index.number] { return known }
    let reader = IndexReader(
      index, database: try database(of: index, context),
      hasLongKeys: try state(of: entity).indexesWithLongKeys.contains(index.number), transaction: transaction,
      path: path)
    context.readers[index.number] = reader
    return reader
  }

  /// Reads a trigram index. One that is not complete is refused.
  package final func trigrams(_ index: StoredIndex, of entity: StoredEntity) throws(StoreError) -> TrigramReader {
    let context = try context(of: entity)
    if let known = context.trigramReaders[index.number] { return known }
    let reader = TrigramReader(
      index, database: try database(of: index, context), transaction: transaction, path: path)
    context.trigramReaders[index.number] = reader
    return reader
  }

  private final func database(of index: StoredIndex, _ context: EntityContext) throws(StoreError) -> Database {
    let tables = context.tables
    guard index.isComplete, let position = tables.entity.indexes.firstIndex(where: { $0.number == index.number }) else {
      throw .unsupported(
        "the index \(index.index.name) of \(context.entity.name) is not there in this version of the store")
    }
    return tables.indexes[position]
  }

  /// All values of an object in column order, nil when there is no such object.
  package final func row(_ object: ObjectNumber, of entity: StoredEntity) throws(StoreError) -> [Value]? {
    guard let view = try cluster(object.cluster, of: entity), view.present[object.slot] else { return nil }
    var row: [Value] = []
    row.reserveCapacity(entity.columns.count)
    for column in entity.columns.indices { row.append(try view.column(column).value(at: object.slot)) }
    return row
  }

  /// The object with a value of a single-column unique index, nil when there is none.
  package final func find(
    unique index: StoredIndex, _ value: Value, of entity: StoredEntity
  ) throws(StoreError) -> ObjectNumber? {
    guard !value.isNull else { return nil }
    let reader = try self.index(index, of: entity)
    key.removeAll(keepingCapacity: true)
    IndexKey.append(value, type: index.types.first, to: &key)
    if !reader.hasLongKeys, key.count < IndexKey.shortenedLength {
      return try key.withBytes { key throws(StoreError) in
        try reader.firstObject(of: key).map { ObjectNumber($0) }
      }
    }
    let key = IndexKey.encode([value], types: index.types)
    var candidates: [UInt64] = []
    try StoreError.only(path) {
      try reader.forEachRun(IndexKeyRange(lower: .included(key), upper: .included(key))) {
        candidates += $0
        return true
      }
    }
    for candidate in candidates {
      let object = ObjectNumber(candidate)
      guard let column = index.columns.first, let view = try cluster(object.cluster, of: entity) else { continue }
      let found = try view.column(column).value(at: object.slot)
      if IndexKey.isSame(found, value) { return object }
    }
    return nil
  }

  final func tables(of entity: StoredEntity) throws(StoreError) -> EntityTables { try context(of: entity).tables }

  final func clusterContext(of entity: StoredEntity) throws(StoreError) -> ClusterContext {
    try context(of: entity).cluster
  }

  final func state(of entity: StoredEntity) throws(StoreError) -> EntityState {
    let context = try context(of: entity)
    if let known = context.state { return known }
    let read = { () throws(StoreError) in
      try Catalog(database: self.catalog.catalog, path: self.path).state(of: entity, in: self.transaction)
    }
    let state = if let facts { try facts.state(of: entity.number, read) } else { try read() }
    context.state = state
    return state
  }

  @inline(__always)
  final func context(of entity: StoredEntity) throws(StoreError) -> EntityContext {
    try validate()
    if let known = contexts[entity.number], known.entity === entity { return known }
    let made = EntityContext(entity, try catalog.tables(of: entity), in: transaction, path: path)
    contexts[entity.number] = made
    return made
  }
}
