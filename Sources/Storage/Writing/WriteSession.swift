internal import LMDB
internal import Schema
package import Values

/// One write in progress: what is changed here is seen by `snapshot()`, and by others once the write has ended well.
///
/// Rows have one value for each column of the file's schema, whatever columns a model knows. It is used by one thread,
/// the one that runs the write. It does not know models or queries.
package final class WriteSession {
  /// The schema of the file.
  package var schema: StoredSchema { catalog.schema }

  let transaction: WriteTransaction
  /// What it has changed.
  let log = ChangeLog()
  let catalog: LoadedCatalog
  let path: String
  /// Moves with every change; a snapshot of an earlier generation is of no use any more.
  package private(set) var generation = 0
  private var writers: [UInt32: EntityWriter] = [:]
  private var latest: (entity: StoredEntity, writer: EntityWriter)?
  private var view: SessionSnapshot?
  private var isEnded = false
  /// What went wrong in the middle of a change. What is half done must not be committed, even if whoever runs the
  /// write has caught the error.
  private var failure: StoreError?

  init(transaction: WriteTransaction, catalog: LoadedCatalog, path: String) {
    self.transaction = transaction
    self.catalog = catalog
    self.path = path
  }

  /// Adds an object with the values of `row`, in column order, and gives its number.
  ///
  /// Throws `wrongType` and `missingValue` for values that do not fit; the write can then go on without the object.
  @discardableResult
  package func insert(_ row: [Value], into entity: StoredEntity) throws(StoreError) -> ObjectNumber {
    try row.withUnsafeBufferPointer { row throws(StoreError) in try insert(row, into: entity) }
  }

  /// The same, for values in memory of the caller.
  @discardableResult
  package func insert(
    _ row: UnsafeBufferPointer<Value>, into entity: StoredEntity
  ) throws(StoreError) -> ObjectNumber {
    try change(entity) { (writer) throws(StoreError) in try writer.insert(row) }
  }

  /// Gives columns of an object new values. Throws `unknownObject` when it is not there.
  package func update(
    _ object: ObjectNumber, of entity: StoredEntity, _ changes: [(column: Int, value: Value)]
  ) throws(StoreError) {
    try change(entity) { (writer) throws(StoreError) in try writer.update(object, changes) }
  }

  /// Gives objects of a cluster values in columns that are new, and in no index.
  func convert(
    _ cluster: UInt64, of entity: StoredEntity, _ new: [(slot: Int, column: Int, value: Value)]
  ) throws(StoreError) {
    try change(entity) { (writer) throws(StoreError) in try writer.convert(cluster, new) }
  }

  /// Removes an object, with what its delete rules take along; false when it was not there.
  ///
  /// Links to what is removed are taken away. Throws `deleteDenied` when a rule forbids it; the write can then go on.
  @discardableResult
  package func delete(_ object: ObjectNumber, of entity: StoredEntity) throws(StoreError) -> Bool {
    try delete(CollectionOfOne(object), of: entity) == 1
  }

  /// Removes objects as one, so that the rule `deny` only counts those that stay; how many of them there were.
  @discardableResult
  package func delete(
    _ objects: some Sequence<ObjectNumber>, of entity: StoredEntity
  ) throws(StoreError) -> Int { try deletion(of: objects, entity, goesOn: { true })?.asked ?? 0 }

  /// The same; how many of the objects there were, and how many of each entity went, with those of the rule `cascade`.
  /// `goesOn` is asked now and then; nil once it said no. Then some of it may have been done, and the write is to be
  /// undone.
  package func deletion(
    of objects: some Sequence<ObjectNumber>, _ entity: StoredEntity, goesOn: @escaping () -> Bool
  ) throws(StoreError) -> (asked: Int, counts: [(entity: StoredEntity, count: Int)])? {
    let table = schema.linkTable
    return try change(entity) {
      (writer) throws(StoreError) -> (asked: Int, counts: [(entity: StoredEntity, count: Int)])? in
      if table.links(to: entity.name).isEmpty, table.ruledEnds(of: entity.name).isEmpty {
        var count = 0
        for (step, object) in objects.enumerated() {
          if step & 255 == 0, !goesOn() { return nil }
          if try writer.delete(object) { count += 1 }
        }
        return (count, [(entity, count)])
      }
      var deletion = Deletion(in: self, goesOn: goesOn)
      let asked = try deletion.add(objects.lazy.map(\.rawValue), of: entity)
      try deletion.cascade()
      try deletion.judge()
      try deletion.carryOut()
      return deletion.wasStopped ? nil : (asked, deletion.counts)
    }
  }

  /// The object that has a value of a unique index of one column, counting what was changed here.
  package func find(
    unique index: StoredIndex, _ value: Value, of entity: StoredEntity
  ) throws(StoreError) -> ObjectNumber? {
    try writer(of: entity).find(index, value)
  }

  /// All values of an object in column order, nil when it is not there.
  package func row(_ object: ObjectNumber, of entity: StoredEntity) throws(StoreError) -> [Value]? {
    try writer(of: entity).row(object)
  }

  /// How many lists were written anew because what they led to was deleted: a list that many objects go out of, one
  /// delete after the other, is one as long as nobody looks at it.
  package var listsShortened: Int { writers.values.reduce(0) { $0 + $1.listsShortened } }

  /// The store with everything changed here. It can be used until the next change, and nothing it gave out after that.
  package func snapshot() throws(StoreError) -> Snapshot {
    if isEnded { throw .finished }
    if let view { return view }
    try flush()
    let made = SessionSnapshot(of: self)
    view = made
    return made
  }

  /// Writes what is left and judges whether it may stay; throws what forbids it, and then it must be undone. Several
  /// writes that are one transaction are each finished.
  package func finish() throws(StoreError) {
    if let failure { throw failure }
    try flush()
    for number in writers.keys.sorted() {
      guard let writer = writers[number] else { continue }
      try writer.judge()
      try judgeLinks(of: writer)
    }
  }

  /// The values that several objects share, of those written here, where they have to be unique: one for each index.
  func violations() throws(StoreError) -> [UniquenessViolation] {
    try flush()
    view = nil
    var found: [UniquenessViolation] = []
    for number in writers.keys.sorted() { found += try writers[number]?.violations() ?? [] }
    return found
  }

  /// Whether nothing was changed since then, nor anything half done: then there is nothing to undo.
  package func isUnchanged(since generation: Int) -> Bool { failure == nil && self.generation == generation }

  /// Writes with the commit what it changed.
  func writeLog() throws(StoreError) {
    guard let changes = log.record else { return }
    if let history = try CommitHistory(in: transaction, path: path) {
      try history.add(changes, transaction)
    } else {
      try CommitHistory(making: transaction, path: path).add(changes, transaction)
    }
  }

  private func flush() throws(StoreError) {
    do throws(StoreError) {
      for number in writers.keys.sorted() { try writers[number]?.flush() }
    } catch {
      failure = error
      throw error
    }
  }

  /// Whatever holds on to the session can do nothing with it any more.
  func invalidate() {
    isEnded = true
    generation += 1
    view = nil
    writers = [:]
    latest = nil
  }

  @inline(__always)
  private func change<R>(
    _ entity: StoredEntity, _ body: (EntityWriter) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let writer = try writer(of: entity)
    generation &+= 1
    log.step = generation
    view = nil
    do throws(StoreError) { return try body(writer) } catch {
      if !error.isRefusal { failure = error }
      throw error
    }
  }

  @inline(__always)
  func writer(of entity: StoredEntity) throws(StoreError) -> EntityWriter {
    if let latest, latest.entity === entity { return latest.writer }
    return try otherWriter(of: entity)
  }

  private func otherWriter(of entity: StoredEntity) throws(StoreError) -> EntityWriter {
    if isEnded { throw .finished }
    // Links lead from one entity to another and back again.
    if let known = writers[entity.number], known.entity === entity {
      latest = (entity, known)
      return known
    }
    let tables = try catalog.tables(of: entity)
    // Rows go by position: columns that are not those of the file would put values where they do not belong.
    guard tables.entity.isSame(as: entity) else {
      throw .unsupported("\(entity.name) was declared anew; take the entity from the schema of this write")
    }
    let writer: EntityWriter
    if let known = writers[entity.number] {
      writer = known
    } else {
      writer = try EntityWriter(
        tables, catalog: Catalog(database: catalog.catalog, path: path), transaction: transaction,
        changes: log.changes(of: entity.number))
      writers[entity.number] = writer
    }
    latest = (entity, writer)
    return writer
  }
}

/// A snapshot within a write, of what was changed so far. It ends with the next change.
private final class SessionSnapshot: Snapshot {
  private weak var session: WriteSession?
  private let generation: Int

  init(of session: WriteSession) {
    self.session = session
    generation = session.generation
    super.init(transaction: session.transaction, catalog: session.catalog, path: session.path)
  }

  override var step: Int { generation }

  override func validate() throws(StoreError) {
    guard let session, session.generation == generation else { throw .finished }
    try super.validate()
  }

  /// It ends with the next change, not before.
  override func end() {}
}

extension StoreError {
  /// Whether it was thrown before anything was changed, because of what was asked for.
  fileprivate var isRefusal: Bool {
    switch self {
    case .wrongType, .missingValue, .unseenProperties, .unknownObject, .unknownEntity, .unknownProperty, .unsupported,
      .deleteDenied, .alreadyStored, .notStored, .modelNotOpened, .changedSince:
      true
    default: false
    }
  }
}
