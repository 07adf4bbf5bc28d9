internal import LMDB
internal import Schema
package import Values

/// One entity in one snapshot: its clusters, indexes and counters, each looked up once.
///
/// The rules of its snapshot apply; after the snapshot has ended, reads throw. A reader in a write transaction does not
/// see the next change: the snapshot checks that it is requested again for each use.
package final class EntityReader {
  /// The entity.
  package let entity: StoredEntity
  let tables: EntityTables
  /// The data that views of its clusters share. Created when the first cluster is read: an index often suffices.
  private(set) lazy var context = tables.makeClusterContext(for: entity, in: transaction, path: path)
  private let transaction: Transaction
  private let catalog: LoadedCatalog
  private let facts: CommitFacts?
  private let path: String
  private var knownState: EntityState?
  /// The readers of indexes in use, by number.
  private var readers = MostlyOne<IndexReader>()
  private var ownReaders = MostlyOne<AnyObject>()
  /// The last key that was searched; its memory is reused.
  private var key: [UInt8] = []

  init(
    _ entity: StoredEntity, _ tables: EntityTables, in transaction: Transaction, _ catalog: LoadedCatalog,
    _ facts: CommitFacts?, path: String
  ) {
    self.entity = entity
    self.tables = tables
    self.transaction = transaction
    self.catalog = catalog
    self.facts = facts
    self.path = path
  }

  /// The cluster of that number, nil when none of its objects exists.
  package func cluster(_ number: UInt64) throws(StoreError) -> ClusterView? {
    let bytes = try StoreError.meaning(path) { () throws(LMDBError) in try transaction.get(number, tables.objects) }
    if let bytes { return try ClusterView(bytes, number: number, context: context) }
    try StoreError.only(path) { try context.expectMissing(number, tables.objects, in: transaction) }
    return nil
  }

  /// The cluster of objects that an index or a link of a commit names, all of which exist: a write changes them
  /// together.
  ///
  /// - Parameter source: What names them, for messages.
  package func cluster(
    _ number: UInt64, with objects: Mask, namedBy source: @autoclosure () -> String
  ) throws(StoreError) -> ClusterView {
    let cluster = try cluster(number)
    let lost = objects.andNot(cluster?.present ?? .none)
    guard let cluster, lost.isEmpty else { throw lostObject(number, lost, namedBy: source()) }
    return cluster
  }

  /// Throws if one of some objects that a query found does not exist. Reads each of their clusters.
  package func expect(_ objects: [ObjectNumber]) throws(StoreError) {
    var start = 0
    let objects = objects.sorted()
    while start < objects.count {
      let number = objects[start].cluster
      var mask = Mask.none
      while start < objects.count, objects[start].cluster == number {
        mask[objects[start].slot] = true
        start += 1
      }
      _ = try cluster(number, with: mask, namedBy: "an index")
    }
  }

  /// The error for an object that is named and does not exist.
  package func lostObject(_ cluster: UInt64, _ slots: Mask, namedBy source: String) -> StoreError {
    let object = ObjectNumber(cluster: cluster, slot: slots.first ?? 0)
    return .corrupted(location: "\(source) leads to object \(object.rawValue) of \(entity.name), which does not exist")
  }

  /// The reader of an index. An incomplete index is refused.
  package func index(_ index: StoredIndex) throws(StoreError) -> IndexReader {
    if let known = readers[index.number] { return known }
    let reader = IndexReader(
      index, database: try database(of: index), hasLongKeys: try state.indexesWithLongKeys.contains(index.number),
      objectLimit: try state.nextObject, transaction: transaction, path: path)
    readers[index.number] = reader
    return reader
  }

  /// The reader of an index with a layout of its own. An incomplete index is refused.
  func ownReader<Reader: OwnIndexReader>(of index: StoredIndex) throws(StoreError) -> Reader {
    if let known = ownReaders[index.number] as? Reader { return known }
    let reader = Reader(index, database: try database(of: index), transaction: transaction, path: path)
    ownReaders[index.number] = reader
    return reader
  }

  private func database(of index: StoredIndex) throws(StoreError) -> Database {
    if !index.isComplete, index.isInverse {
      // Nothing else says what links to an object.
      throw .corrupted(
        location: "the index \(index.index.name) of \(entity.name), which is damaged: the next write builds it anew")
    }
    guard index.isComplete, let position = tables.entity.indexes.firstIndex(where: { $0.number == index.number }) else {
      throw .unsupported("the index \(index.index.name) of \(entity.name) is not there in this version of the store")
    }
    // A write may have left it as it was since the damage was met.
    if transaction is WriteTransaction, transaction.hasDamage(in: index.database) {
      throw .corrupted(
        location: "the index \(index.index.name) of \(entity.name), which is not used from the next commit on")
    }
    return tables.indexes[position]
  }

  /// The object with a value in a single-column unique index of the entity; nil if there is none.
  package func object(with value: Value, in index: IndexReader) throws(StoreError) -> ObjectNumber? {
    guard !value.isNull else { return nil }
    var key: [UInt8] = []
    swap(&key, &self.key)
    defer { swap(&key, &self.key) }
    key.removeAll(keepingCapacity: true)
    IndexKey.append(value, type: index.type, to: &key)
    guard index.hasLongKeys || key.count >= IndexKey.shortenedLength else {
      return try key.withBytes { key throws(StoreError) in try index.firstObject(of: key).map { ObjectNumber($0) } }
    }
    return try object(with: value, amongAlikeIn: index.index)
  }

  /// The object with a value, if keys are truncated so that several values may share a key.
  private func object(with value: Value, amongAlikeIn index: StoredIndex) throws(StoreError) -> ObjectNumber? {
    let key = IndexKey.encode([value], types: index.types)
    var candidates: [UInt64] = []
    try StoreError.only(path) {
      try self.index(index).forEachRun(IndexKeyRange(lower: .included(key), upper: .included(key))) {
        candidates += $0
        return true
      }
    }
    for candidate in candidates {
      let object = ObjectNumber(candidate)
      guard let column = index.columns.first else { continue }
      let view = try cluster(object.cluster, with: Mask(slot: object.slot), namedBy: "the index \(index.index.name)")
      let found = try view.column(column).value(at: object.slot)
      if IndexKey.isSame(found, value) { return object }
    }
    return nil
  }

  /// The entity's counters.
  var state: EntityState {
    get throws(StoreError) {
      if let knownState { return knownState }
      let read = { () throws(StoreError) in
        try Catalog(database: self.catalog.catalog, path: self.path).state(of: self.entity, in: self.transaction)
      }
      let state = if let facts { try facts.state(of: entity.number, read) } else { try read() }
      knownState = state
      return state
    }
  }
}
