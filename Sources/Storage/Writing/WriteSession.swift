internal import LMDB
internal import Schema
package import Values

/// One write in progress. Its changes are visible in `snapshot()`, and to others after it has committed.
///
/// Rows have one value for each column of the file's schema, regardless of the columns of a model. It is used by one
/// thread, the one that runs the write. It does not depend on models or queries.
package final class WriteSession {
  /// The schema of the file.
  package var schema: StoredSchema { catalog.schema }

  let transaction: WriteTransaction
  /// The changes of the write.
  let log = ChangeLog()
  let catalog: LoadedCatalog
  let path: String
  /// The limits on the values that are stored. Set by a method: a property that other modules may set is guarded at each
  /// use.
  private var limits = ValueLimits()
  /// Moves with every change; a snapshot of an earlier generation is of no use any more.
  package private(set) var generation = 0
  private var writers: [UInt32: EntityWriter] = [:]
  private var latest: (entity: StoredEntity, writer: EntityWriter)?
  private var view: SessionSnapshot?
  private var isEnded = false
  /// An error in the middle of a change. A partial change must not be committed, even if the caller has caught the
  /// error.
  private var failure: StoreError?

  init(transaction: WriteTransaction, catalog: LoadedCatalog, path: String) {
    self.transaction = transaction
    self.catalog = catalog
    self.path = path
  }

  /// Limits the values that are stored from now on.
  package func limit(to limits: ValueLimits) { self.limits = limits }

  /// Adds an object with the values of `row`, in column order, and returns its ID.
  ///
  /// Throws `wrongType` and `missingValue` for invalid values; the write can then continue without the object.
  ///
  /// - Parameter refusingDuplicates: Whether an object whose unique value another one has is refused now, with
  ///   `constraintViolated`, and not when the write ends.
  @discardableResult
  package func insert(
    _ row: [Value], into entity: StoredEntity, refusingDuplicates: Bool = false
  ) throws(StoreError) -> ObjectNumber {
    try row.withUnsafeBufferPointer { row throws(StoreError) in
      if refusingDuplicates { try writer(of: entity).refuseDuplicate(row) }
      return try insert(row, into: entity)
    }
  }

  /// Adds an object with values in the caller's memory.
  @discardableResult
  package func insert(
    _ row: UnsafeBufferPointer<Value>, into entity: StoredEntity
  ) throws(StoreError) -> ObjectNumber {
    for column in row.indices { try limits.check(row[column], column, of: entity) }
    return try change(entity) { (writer) throws(StoreError) in try writer.insert(row) }
  }

  /// Sets columns of an object. Throws `unknownObject` if it does not exist.
  package func update(
    _ object: ObjectNumber, of entity: StoredEntity, _ changes: [(column: Int, value: Value)]
  ) throws(StoreError) {
    for change in changes { try limits.check(change.value, change.column, of: entity) }
    try change(entity) { (writer) throws(StoreError) in try writer.update(object, changes) }
  }

  /// Sets values of a cluster's objects in columns that are new and not in any index.
  func convert(
    _ cluster: UInt64, of entity: StoredEntity, _ new: [(slot: Int, column: Int, value: Value)]
  ) throws(StoreError) {
    try change(entity) { (writer) throws(StoreError) in try writer.convert(cluster, new) }
  }

  /// Deletes an object, with those that its delete rules include. Returns false if it did not exist.
  ///
  /// Links to deleted objects are removed. Throws `deleteDenied` if a rule forbids the deletion; the write can then
  /// continue.
  @discardableResult
  package func delete(_ object: ObjectNumber, of entity: StoredEntity) throws(StoreError) -> Bool {
    try delete(CollectionOfOne(object), of: entity) == 1
  }

  /// Deletes objects together, so that the rule `deny` considers only those that remain. Returns how many of them
  /// existed.
  @discardableResult
  package func delete(
    _ objects: some Sequence<ObjectNumber>, of entity: StoredEntity
  ) throws(StoreError) -> Int { try deletion(of: objects, entity, goesOn: { true })?.asked ?? 0 }

  /// Deletes objects. Returns how many of them existed, and how many of each entity were deleted, including those of
  /// the rule `cascade`. `goesOn` is called regularly; after it has returned false, the result is nil, and the write
  /// must be rolled back, since it may be partly done.
  package func deletion(
    of objects: some Sequence<ObjectNumber>, _ entity: StoredEntity, goesOn: @escaping () -> Bool
  ) throws(StoreError) -> (asked: Int, counts: [(entity: StoredEntity, count: Int)])? {
    let links = schema.links
    return try change(entity) {
      (writer) throws(StoreError) -> (asked: Int, counts: [(entity: StoredEntity, count: Int)])? in
      if links.links(to: entity.name).isEmpty, links.ruledEnds(of: entity.name).isEmpty {
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

  /// The object with a value of a single-column unique index, considering the changes of this write.
  package func find(
    unique index: StoredIndex, _ value: Value, of entity: StoredEntity
  ) throws(StoreError) -> ObjectNumber? {
    try writer(of: entity).find(index, value)
  }

  /// Throws `constraintViolated` if an object other than `object` has the values that a row has in one of some unique
  /// indexes. nil is exempt.
  package func refuseDuplicate(
    _ row: UnsafeBufferPointer<Value>, of entity: StoredEntity, except object: ObjectNumber?, by indexes: [StoredIndex]
  ) throws(StoreError) {
    try writer(of: entity).refuseDuplicate(row, except: object) { index in
      indexes.contains { $0.number == index.number }
    }
  }

  /// All values of an object in column order; nil if it does not exist.
  package func row(_ object: ObjectNumber, of entity: StoredEntity) throws(StoreError) -> [Value]? {
    try writer(of: entity).row(object)
  }

  /// The number of lists that were written because targets were deleted. A list that loses many targets one after the
  /// other counts once, as long as it is not read in between.
  package var listsShortened: Int { writers.values.reduce(0) { $0 + $1.listsShortened } }

  /// The store with all changes of this write. It can be used until the next change, and so can everything read from
  /// it.
  package func snapshot() throws(StoreError) -> Snapshot {
    if isEnded { throw .finished }
    if let view { return view }
    try flush()
    let made = SessionSnapshot(of: self)
    view = made
    return made
  }

  /// Writes pending changes and checks the constraints. If it throws, the write must be rolled back. If several writes
  /// form one transaction, each is finished.
  package func finish() throws(StoreError) {
    if let failure { throw failure }
    try flush()
    for number in writers.keys.sorted() {
      guard let writer = writers[number] else { continue }
      try writer.judge()
      try judgeLinks(of: writer)
    }
    try noteDamage()
    if transaction.hasChanges { try Catalog(database: catalog.catalog, path: path).renewHeader(in: transaction) }
  }

  /// Writes into the catalog which indexes were found to be damaged meanwhile: they do not have the changes of this write.
  private func noteDamage() throws(StoreError) {
    guard transaction.hasChanges, transaction.environment.damaged.generation != catalog.damage else { return }
    var record = catalog.record
    guard record.setAside(transaction.environment.damaged.all) else { return }
    record.version += 1
    try Catalog(database: catalog.catalog, path: path).write(record, in: transaction)
  }

  /// The values written here that several objects share although they must be unique: one for each index.
  func violations() throws(StoreError) -> [UniquenessViolation] {
    try flush()
    view = nil
    var found: [UniquenessViolation] = []
    for number in writers.keys.sorted() { found += try writers[number]?.violations() ?? [] }
    return found
  }

  /// Writers that have written nothing, and that find the values written here which objects share even after others have
  /// written.
  func successors() throws(StoreError) -> [EntityWriter] {
    var successors: [EntityWriter] = []
    for number in writers.keys.sorted() {
      guard let writer = writers[number] else { continue }
      successors.append(try writer.successor(try catalog.tables(of: writer.entity)))
    }
    return successors
  }

  /// Whether nothing was changed since then, not even partly, so that there is nothing to roll back.
  package func isUnchanged(since generation: Int) -> Bool { failure == nil && self.generation == generation }

  /// Writes the log of its changes with the commit, also one of no object: a commit without a log may have changed any.
  func writeLog() throws(StoreError) {
    guard transaction.hasChanges else { return }
    let changes = log.record
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

  /// Makes the session unusable for all references to it.
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
    // Links lead back and forth between entities.
    if let known = writers[entity.number], known.entity === entity {
      latest = (entity, known)
      return known
    }
    let tables = try catalog.tables(of: entity)
    // Rows are in column order: with the columns of another schema version, values would be stored in the wrong
    // columns.
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

/// A snapshot within a write, with the changes so far. It ends with the next change.
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
  /// Whether the error was thrown because of invalid arguments, before anything was changed.
  fileprivate var isRefusal: Bool {
    switch self {
    case .wrongType, .missingValue, .unseenProperties, .unknownObject, .unknownEntity, .unknownProperty, .unsupported,
      .deleteDenied, .alreadyStored, .notStored, .modelNotOpened, .changedSince:
      true
    // A unique value is refused before a change, or when the write ends.
    case .busy, .cancelled, .full, .readOnly, .notFound, .notAStore, .locksApart, .permissionDenied, .newerFormat,
      .unknownFeature, .corrupted, .indexesDamaged, .constraintViolated, .danglingLink, .migrationNeeded,
      .unreadableValue, .readersFull,
      .forked, .nestedWrite, .finished, .closed, .io, .limitExceeded:
      false
    }
  }
}
