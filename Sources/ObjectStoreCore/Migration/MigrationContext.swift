internal import Storage

/// The context of migration steps: the store before the migration, and the write that changes it. It lives as long as
/// both.
final class MigrationContext {
  /// The store before the migration.
  let old: StoreSnapshot
  /// The write, to the file as the models declare it.
  let transaction: WriteTransaction
  private let oldSchema: StoredSchema
  private let session: WriteSession
  private let cancellation: Cancellation?
  /// The name of the current step.
  private var step = ""

  private init(
    old: StoreSnapshot, _ oldSchema: StoredSchema, _ session: WriteSession, _ transaction: WriteTransaction,
    _ cancellation: Cancellation?
  ) {
    self.old = old
    self.oldSchema = oldSchema
    self.session = session
    self.transaction = transaction
    self.cancellation = cancellation
  }

  /// Runs the steps with the given names, in order.
  ///
  /// - Returns: The objects that must be notified of the outcome of the write.
  static func perform(
    _ steps: [MigrationStep], _ names: [String], in session: WriteSession, of file: StoreFile, _ snapshot: Snapshot,
    _ cancellation: Cancellation?
  ) throws -> WriteOutcome {
    // A separate store, so that links of an old object lead to old objects.
    let scope = SnapshotScope(snapshot, store: Store(file, isPast: true))
    defer { scope.end() }
    let transaction = WriteTransaction(session, store: Store(file))
    do {
      try ThreadState.current.reading(in: .snapshot(scope)) {
        try transaction.run { transaction in
          let context = MigrationContext(
            old: StoreSnapshot(scope: scope), snapshot.schema, session, transaction, cancellation)
          for step in steps where names.contains(step.name) { try context.perform(step) }
        }
      }
    } catch {
      transaction.outcome.end()
      throw error
    }
    return transaction.outcome
  }

  private func perform(_ step: MigrationStep) throws {
    self.step = step.name
    try wrapping(nil) { try step.perform(self) }
  }

  /// Runs `body`; an error gets the step and the object.
  private func wrapping(_ object: DynamicObject?, _ body: () throws -> Void) throws {
    do { try body() } catch let error as MigrationError { throw error } catch {
      if cancellation?.isCancelled == true { throw StoreError.cancelled }
      throw MigrationError(
        step: step, object: object.map { ObjectReference(entity: $0.entity, number: $0.id) }, reason: error)
    }
  }

  /// The old name of a model's entity; nil for a new one.
  private func formerName(_ definition: ModelDefinition) throws -> String? {
    let entity = try transaction.entity(named: definition.entity.name)
    return oldSchema.entities.first { $0.number == entity.number }?.name
  }

  /// Calls `body` with each object of a model before the migration.
  func forEach(_ definition: ModelDefinition, _ body: (DynamicObject) throws -> Void) throws {
    guard let name = try formerName(definition) else { return }
    try old.objects(name).forEach { object in
      if cancellation?.isCancelled == true { throw StoreError.cancelled }
      try wrapping(object) { try body(object) }
    }
  }

  /// Sets the property at a path of each object to the values that `make` appends to a row.
  func convert(
    _ definition: ModelDefinition, _ oldPath: String, to path: String, columnCount: Int,
    _ make: (DynamicObject, inout RowEncoder) throws -> Void
  ) throws {
    let entity = try transaction.entity(named: definition.entity.name)
    guard let name = try formerName(definition), let former = oldSchema.entity(named: name),
      former.columns.contains(where: { $0.path == oldPath || $0.path.hasPrefix(oldPath + ".") })
    else { return }
    guard let first = definition.columns.firstIndex(where: { $0.path == path || $0.path.hasPrefix(path + ".") }) else {
      return
    }
    var columns: [Int] = []
    for column in definition.columns.dropFirst(first).prefix(columnCount) {
      guard let position = entity.column(at: column.path) else { throw entity.unknownProperty(column.path) }
      columns.append(position)
    }
    try forEach(definition) { old in
      // An earlier step may have deleted it.
      guard try session.row(old.id, of: entity) != nil else { return }
      var row = RowEncoder()
      try make(old, &row)
      if let refusal = row.refusal { throw StoreError.unsupported("the value can't be stored: \(refusal.reason)") }
      guard row.newObjects.isEmpty else {
        throw StoreError.unsupported("the value links to a new object: add it in a step before")
      }
      try session.update(old.id, of: entity, zip(columns, row.row).map { ($0, $1) })
    }
  }

  /// Deletes those of the objects that still exist.
  func delete(_ objects: [ObjectNumber], _ definition: ModelDefinition) throws {
    _ = try transaction.delete(objects, of: try transaction.entity(named: definition.entity.name))
  }
}
