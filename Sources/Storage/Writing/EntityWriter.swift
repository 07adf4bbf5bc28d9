internal import LMDB
internal import Schema
internal import Values

/// Changes the objects of one entity within one write: clusters, counters and indexes together.
///
/// It does not depend on other entities. It refuses invalid changes before it changes anything, so the write can
/// continue.
final class EntityWriter {
  let entity: StoredEntity
  let clusters: ClusterCache
  private(set) var state: EntityState
  /// The counters in the catalog.
  private var writtenState: EntityState
  /// The writers of the entity's indexes, in the same order, without those of damaged ones: they are left alone until they
  /// are built anew.
  private(set) var indexes: [any IndexWriter]
  let transaction: WriteTransaction
  private let catalog: Catalog
  private let changes: ChangeLog.Entity
  private var isChanged = false
  private var lost = DanglingLinks()
  /// The number of lists that were written because they had lost targets.
  private(set) var listsShortened = 0

  init(
    _ tables: EntityTables, catalog: Catalog, transaction: WriteTransaction, changes: ChangeLog.Entity
  ) throws(StoreError) {
    entity = tables.entity
    self.changes = changes
    self.catalog = catalog
    self.transaction = transaction
    let state = try catalog.state(of: tables.entity, in: transaction)
    self.state = state
    writtenState = state
    clusters = ClusterCache(tables, transaction: transaction, path: catalog.path)
    indexes = zip(tables.entity.indexes, tables.indexes).filter(\.0.isComplete).map { index, database in
      index.index.kind.writer.init(
        index, database: database, hasLongKeys: state.indexesWithLongKeys.contains(index.number), path: catalog.path)
    }
  }

  // MARK: Changing

  func insert(_ row: UnsafeBufferPointer<Value>) throws(StoreError) -> ObjectNumber {
    if !entity.structLists.isEmpty { try refuseUnevenLists(row) }
    let object = ObjectNumber(state.nextObject)
    let (next, overflows) = state.nextObject.addingReportingOverflow(1)
    if overflows { throw .corrupted(location: "the catalog has no number left for another object of \(entity.name)") }
    let builder = try clusters.existingOrNew(object.cluster)
    try builder.append(row, at: object.slot)
    clusters.noteChange(of: object.cluster)
    changes.noteInsertion(object.rawValue)
    state.nextObject = next
    state.objectCount += 1
    isChanged = true
    for index in indexes { index.note(row: row, object: object.rawValue) }
    if object.slot == 255 {
      try clusters.finish(object.cluster)
      try makeRoom()
    } else if entity.hasLinkLists {
      // A single object may be many times in an index.
      try makeRoom()
    }
    return object
  }

  /// Skips object IDs, as if their objects had been added and deleted: the next object gets at least `number`.
  func skipNumbers(before number: UInt64) { state.nextObject = max(state.nextObject, number) }

  /// Gives the numbers from the first one on, to an entity that has no objects.
  func restartNumbers() { if state.objectCount == 0 { state.nextObject = 1 } }

  func update(_ object: ObjectNumber, _ new: [(column: Int, value: Value)]) throws(StoreError) {
    try writeLists(of: object)
    guard let builder = try clusters.existing(object.cluster), builder.present[object.slot] else {
      throw .unknownObject(entity: entity.name, object)
    }
    for change in new { try builder.check(change.value, change.column) }
    if !entity.structLists.isEmpty { try refuseUnevenLists(new, builder, object.slot) }
    var touched: [(position: Int, old: [Value])] = []
    for (position, writer) in indexes.enumerated() {
      guard new.contains(where: { writer.index.columns.contains($0.column) }) else { continue }
      touched.append((position, try values(of: writer.index, builder, object.slot)))
    }
    var isOther = false
    for change in new where try set(change.column, of: object, change.value, builder) { isOther = true }
    guard isOther else { return }
    clusters.noteChange(of: object.cluster)
    isChanged = true
    for (position, old) in touched {
      let new = try values(of: indexes[position].index, builder, object.slot)
      indexes[position].note(from: old, to: new, object: object.rawValue)
    }
    try makeRoom()
  }

  /// Sets values of a cluster's objects in columns that are not in any index or change log, because they are new.
  func convert(_ cluster: UInt64, _ new: [(slot: Int, column: Int, value: Value)]) throws(StoreError) {
    guard let builder = try clusters.existing(cluster) else { return }
    for change in new { try builder.set(change.slot, change.column, change.value) }
    clusters.noteChange(of: cluster)
    isChanged = true
  }

  /// Sets a value, and returns whether it is another one.
  private func set(
    _ column: Int, of object: ObjectNumber, _ new: Value, _ builder: ClusterBuilder
  ) throws(StoreError) -> Bool {
    let old = try builder.value(object.slot, column)
    if old.isIdentical(to: new) { return false }
    try builder.set(object.slot, column, new)
    changes.noteUpdate(object.rawValue, entity.columns[column].number, from: old)
    return true
  }

  func delete(_ object: ObjectNumber) throws(StoreError) -> Bool {
    try writeLists(of: object)
    guard let builder = try clusters.existing(object.cluster), builder.present[object.slot] else { return false }
    guard state.objectCount > 0 else {
      throw .corrupted(
        location: "the catalog counts no object of \(entity.name), but there is number \(object.rawValue)")
    }
    var old: [[Value]] = []
    for writer in indexes { old.append(try values(of: writer.index, builder, object.slot)) }
    try builder.remove(object.slot)
    state.objectCount -= 1
    clusters.noteChange(of: object.cluster)
    changes.noteDeletion(object.rawValue)
    isChanged = true
    for (index, old) in zip(indexes, old) { index.note(old, object: object.rawValue, isRemoval: true) }
    try makeRoom()
    return true
  }

  /// Records that a list has lost targets, which are deleted and no longer in the inverse.
  func lose(_ targets: some Collection<UInt64>, _ object: ObjectNumber, _ column: Int) throws(StoreError) {
    lost.add(targets, object: object.rawValue, column: column)
    isChanged = true
    if lost.isFull { try writeLists() }
    try makeRoom()
  }

  /// Writes the lists of an object that lost something.
  @inline(__always)
  func writeLists(of object: ObjectNumber) throws(StoreError) {
    if !lost.isEmpty { try shortenLists(of: object) }
  }

  private func writeLists() throws(StoreError) {
    for object in lost.objects { try shortenLists(of: ObjectNumber(object)) }
  }

  private func shortenLists(of object: ObjectNumber) throws(StoreError) {
    guard let lists = lost.lists(of: object.rawValue) else { return }
    guard let builder = try clusters.existing(object.cluster), builder.present[object.slot] else {
      throw .corrupted(location: "object \(object.rawValue) of \(entity.name) has lists and is not there")
    }
    for (column, targets) in lists.sorted(by: { $0.key < $1.key }) {
      let list = try list(try builder.value(object.slot, column), without: targets, object, column)
      _ = try set(column, of: object, list, builder)
      listsShortened += 1
    }
    clusters.noteChange(of: object.cluster)
    lost.remove(object.rawValue)
  }

  // MARK: Looking

  func row(_ object: ObjectNumber) throws(StoreError) -> [Value]? {
    try writeLists(of: object)
    guard let builder = try clusters.existing(object.cluster), builder.present[object.slot] else { return nil }
    return try builder.row(object.slot)
  }

  /// The object with a value of a single-column unique index.
  func find(_ index: StoredIndex, _ value: Value) throws(StoreError) -> ObjectNumber? {
    guard !value.isNull else { return nil }
    guard let writer = indexes.first(where: { $0.index.number == index.number }) as? KeyIndexWriter,
      index.columns.count == 1
    else {
      throw .unsupported("\(entity.name) has no unique property '\(index.index.name)' to look objects up by")
    }
    guard let type = writer.index.types.first, type.accepts(value) else { return nil }
    return try holder(of: [value], writer)
  }

  /// Throws if an object other than `object` has the values that `row` has in a unique index. nil is exempt.
  func refuseDuplicate(
    _ row: UnsafeBufferPointer<Value>, except object: ObjectNumber? = nil,
    by isAsked: (StoredIndex) -> Bool = { _ in true }
  ) throws(StoreError) {
    for case let writer as KeyIndexWriter in indexes where writer.index.isUnique && isAsked(writer.index) {
      let values = writer.index.columns.map { row.indices.contains($0) ? row[$0] : .null }
      let fits = zip(values, writer.index.types).allSatisfy { $1.accepts($0) && !$0.isNull }
      guard fits, let holder = try holder(of: values, writer), holder != object else { continue }
      throw .constraintViolated(
        UniquenessViolation(
          entity: entity.name, path: writer.index.index.name, value: values.count == 1 ? values[0] : .list(values),
          objects: [holder]))
    }
  }

  private func holder(of wanted: [Value], _ writer: KeyIndexWriter) throws(StoreError) -> ObjectNumber? {
    let holder = try writer.holder(of: wanted, in: transaction) { (object) throws(StoreError) in
      try self.values(ofNamed: object, by: writer.index)
    }
    guard let object = holder.map({ ObjectNumber($0) }) else { return nil }
    guard try contains(object) else { throw lost(object.rawValue, writer.index) }
    return object
  }

  /// The values of an object that an index names.
  private func values(ofNamed object: UInt64, by index: StoredIndex) throws(StoreError) -> [Value] {
    guard let row = try row(ObjectNumber(object)) else { throw lost(object, index) }
    return index.columns.map { row[$0] }
  }

  /// The error for an object that an index names and that does not exist: an object and its keys change together.
  private func lost(_ object: UInt64, _ index: StoredIndex) -> StoreError {
    .corrupted(
      location: "the index \(index.index.name) leads to object \(object) of \(entity.name), which does not exist")
  }

  private func values(
    of index: StoredIndex, _ builder: ClusterBuilder, _ slot: Int
  ) throws(StoreError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(index.columns.count)
    for column in index.columns { values.append(try builder.value(slot, column)) }
    return values
  }

  // MARK: Writing

  /// Writes all pending changes, so that a reader of the transaction sees them.
  func flush() throws(StoreError) {
    guard isChanged else { return }
    try writeLists()
    try clusters.flush()
    for index in indexes { try write(index) }
    try writeState()
    isChanged = false
  }

  /// Writes the counters, if they have changed: most updates do not change them.
  func writeState() throws(StoreError) {
    state.indexesWithLongKeys = indexes.filter(\.hasLongKeys).map(\.index.number)
    if state == writtenState { return }
    try catalog.write(state, of: entity.number, in: transaction)
    writtenState = state
  }

  /// Throws when objects share a value that must be unique. Everything is written by now.
  func judge() throws(StoreError) {
    guard let first = try violations(atMost: 1).first else { return }
    throw .constraintViolated(first)
  }

  /// The first value that several objects share, for each unique index that has one.
  func violations(atMost limit: Int = .max) throws(StoreError) -> [UniquenessViolation] {
    var violations: [UniquenessViolation] = []
    for case let index as KeyIndexWriter in indexes where index.index.isUnique && violations.count < limit {
      let holders = try index.violation(transaction) { (object) throws(StoreError) in
        try self.values(ofNamed: object, by: index.index)
      }
      guard let holders, let first = holders.first else { continue }
      let values = try values(ofNamed: first, by: index.index)
      for other in holders.dropFirst() where !(try contains(ObjectNumber(other))) { throw lost(other, index.index) }
      violations.append(
        UniquenessViolation(
          entity: entity.name, path: index.index.index.name, value: values.count == 1 ? values[0] : .list(values),
          objects: holders.map { ObjectNumber($0) }))
    }
    return violations
  }

  /// A writer that has written nothing, and that judges the values written by this one as they are in the end.
  func successor(_ tables: EntityTables) throws(StoreError) -> EntityWriter {
    let successor = try EntityWriter(tables, catalog: catalog, transaction: transaction, changes: changes)
    for case let index as KeyIndexWriter in successor.indexes {
      let own = indexes.first { $0.index.number == index.index.number } as? KeyIndexWriter
      index.suspects = own?.suspects ?? []
    }
    return successor
  }

  private func makeRoom() throws(StoreError) {
    for index in indexes where index.isFull { try write(index) }
  }

  /// Writes the gathered changes of an index. One in which damage is met is set aside, like those in which it was met
  /// before, unless nothing can be written without it.
  private func write(_ index: any IndexWriter) throws(StoreError) {
    do throws(StoreError) { try index.flush(transaction) } catch {
      guard !index.index.index.kind.isNeededByWrites, transaction.hasDamage(in: index.index.database) else {
        throw error
      }
      indexes = indexes.filter { $0 !== index }
    }
  }
}
