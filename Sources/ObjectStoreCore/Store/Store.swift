internal import Diagnostics
internal import QueryEngine
internal import Storage
internal import Synchronization

/// An embedded object store: a folder with objects of one or several entities, queried in place.
///
/// ```swift
/// let store = try Store("/var/lib/quakes", models: Quake.self)
/// try store.write { tx in
///   try tx.add(Quake(code: "us1000chhc", magnitude: 6.4, time: .now, location: hualien))
/// }
/// let strong = try store.objects(Quake.self).filter("magnitude > 6").count
/// ```
///
/// A store may be used from any thread, and by several processes at once: readers see the last commit and block nobody,
/// writers wait for each other. All `Store`s on one folder in a process share the open files, which close with the last
/// reference to them.
public final class Store: Sendable {
  private let parts: StoreParts
  /// The reference to this store in the values read from it.
  let reference: StoreReference
  // What every query needs stands here once more.
  let file: StoreFile
  /// The cache of recent queries.
  let queries: QueryCache
  /// A sentence for each declared part that has no effect: indexes of kinds that this version does not build. Queries
  /// that would use them scan instead.
  public let notes: [String]

  /// The limits it was opened with.
  public let limits: Limits

  /// Whether it is an earlier version of the file, which exists only during a migration.
  let isPast: Bool

  convenience init(
    _ file: StoreFile, notes: [String] = [], declared: Schema? = nil, limits: Limits = Limits(), isPast: Bool = false
  ) {
    let parts = StoreParts(file, notes: notes, declared: declared, limits: limits, isPast: isPast)
    self.init(parts, StoreReference(to: parts))
  }

  /// One of the stores that `reference` counts.
  init(_ parts: StoreParts, _ reference: StoreReference) {
    self.parts = parts
    self.reference = reference
    file = parts.file
    queries = parts.queries
    notes = parts.notes
    limits = parts.limits
    isPast = parts.isPast
  }

  deinit { reference.end() }

  // MARK: Reading

  /// The maximum number of threads for a query that scans very many objects; nil means one for each core, 1 only the
  /// calling thread.
  public var queryThreads: Int? {
    get { parts.state.withLock { $0.queryThreads } }
    set { parts.state.withLock { $0.queryThreads = newValue } }
  }

  /// The same limit, for the planner.
  var scanThreads: ScanThreads { queryThreads.map { .atMost(max(1, $0)) } ?? .automatic }

  /// What the readers of this process say about themselves to whoever looks for those who keep old versions:
  /// `statistics()` and `.stats` of every process show it. At most 28 bytes of UTF-8, longer ones are cut off; nil says
  /// nothing. At first it is the name of the program.
  ///
  /// It is one for all stores that this process has open on the same folder, and counts for what begins to read from
  /// now on.
  ///
  /// ```swift
  /// store.label = "nightly report"
  /// ```
  public var label: String? {
    get { file.label }
    set { file.label = newValue }
  }

  // MARK: Writing

  /// How long a write waits for another writer before it throws `StoreError.busy`; nil waits without limit.
  ///
  /// ```swift
  /// store.busyTimeout = .seconds(5)
  /// ```
  public var busyTimeout: Duration? {
    get { parts.state.withLock { $0.busyTimeout } }
    set { parts.state.withLock { $0.busyTimeout = newValue } }
  }

  /// Runs `body` in a write transaction and commits it: when this returns, the changes are durable and visible to all
  /// readers. If `body` throws, nothing is changed.
  ///
  /// ```swift
  /// let id = try store.write { tx in try tx.add(quake) }
  /// ```
  ///
  /// - Parameters:
  ///   - cancellation: Cancels the wait for another writer and reports who is writing.
  ///   - body: The changes. It may run again from the start in the rare case that the file must grow beyond the address
  ///     space reserved for it.
  /// - Throws: The errors of `body`; `StoreError`: `busy` with the current writer, `cancelled`, `full`, `readOnly`,
  ///   `constraintViolated` and `danglingLink` (checked at the commit, so a transaction may swap values, and link to
  ///   objects before it adds them), `nestedWrite`.
  @discardableResult
  public func write<R>(
    cancellation: Cancellation? = nil, _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    var outcome: WriteOutcome?
    defer { outcome?.end() }
    do {
      let result = try file.write(timeout: busyTimeout, wait: cancellation.wait) { session in
        outcome?.end()
        let transaction = WriteTransaction(session, store: self)
        outcome = transaction.outcome
        return try transaction.run(body)
      }
      outcome?.commit()
      return result
    } catch { throw explained(error) }
  }

  /// Runs `body` in a write transaction on a thread of the store and commits it, without blocking the task's thread.
  ///
  /// ```swift
  /// let id = try await store.write { tx in try tx.add(quake) }
  /// ```
  ///
  /// Writes that wait at the same time are committed together, in the order of the calls, and share the disk syncs:
  /// many tasks with small writes are as fast as one large write. Each write is durable when its call returns, and a
  /// write that throws does not affect the others.
  ///
  /// - Parameter body: The changes. It may run again from the start when a later write in the same transaction throws,
  ///   so its other side effects must tolerate that.
  /// - Throws: The errors of the synchronous form; `CancellationError` when the task was cancelled before its turn.
  @discardableResult
  public func write<R: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> R) async throws -> R {
    try await queuedWrite(aloneOnFailure: nil, body)
  }

  /// Writes when it is its turn: in a transaction with others, or in one of its own that calls `onFailure` if it fails.
  func queuedWrite<R: Sendable>(
    aloneOnFailure onFailure: (@Sendable () -> Void)?, _ body: @escaping @Sendable (WriteTransaction) throws -> R
  ) async throws -> R {
    let write = TaskWrite(self, onFailure: onFailure, body)
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if write.wait(continuation) { parts.queue.add(write, for: self) }
        }
      } onCancel: {
        write.cancel()
      }
    } catch { throw explained(error) }
  }

  // MARK: Reading

  /// The objects of an entity of the schema in the file.
  ///
  /// ```swift
  /// let strong = try store.objects("Quake").filter("magnitude > 5").count
  /// ```
  ///
  /// - Throws: `QueryError` when there is no such entity.
  public func objects(_ entity: String) throws -> DynamicResults { try DynamicResults(entity, in: .store(self)) }

  /// The objects of a model. Within `write`, on its thread, they include the changes of the transaction.
  ///
  /// ```swift
  /// let strong = try store.objects(Quake.self).filter("magnitude > 5").sorted(by: \.time, .reverse)
  /// ```
  public func objects<Object: Model>(_ model: Object.Type) -> Results<Object> { Results(in: .store(self)) }

  /// The error, with a note when the violated uniqueness is declared only in the file.
  func explained(_ error: any Error) -> any Error {
    guard case StoreError.constraintViolated(let found) = error,
      let known = parts.declared?.entity(named: found.entity),
      !known.indexes.contains(Index(kind: .unique, paths: found.path.split(separator: "+").map(String.init)))
    else { return error }
    return StoreError.constraintViolated(
      UniquenessViolation(
        entity: found.entity, path: found.path, value: found.value, objects: found.objects, isDeclared: false))
  }

  // MARK: Layouts

  /// Where the columns of a model are in a version of the file.
  func layout(_ definition: ModelDefinition, in schema: StoredSchema) throws(StoreError) -> ModelLayout {
    let known = parts.state.withLock { state in state.layouts.first { $0.layout.definition === definition } }
    if let known, known.schema === schema { return known.layout }
    guard let entity = schema.entity(named: definition.entity.name) else {
      throw .modelNotOpened(
        definition.entity.name,
        suggestion: Suggestion.nearest(to: definition.entity.name, among: schema.entities.map(\.name)))
    }
    let layout =
      if let known, known.layout.entity === entity { known.layout } else {
        try ModelLayout(definition, entity, in: schema.schema)
      }
    parts.state.withLock { state in
      state.layouts.removeAll { $0.layout.definition === definition }
      state.layouts.append((schema, layout))
    }
    return layout
  }

  /// How the properties of an entity map to columns in a version of the file.
  func layout(_ entity: StoredEntity, in schema: StoredSchema) -> DynamicLayout {
    let known = parts.state.withLock { state in state.dynamicLayouts.first { $0.entity == entity.number } }
    if let known, known.schema === schema { return known.layout }
    let made = DynamicLayout(entity, in: schema.schema)
    parts.state.withLock { state in
      state.dynamicLayouts.removeAll { $0.entity == entity.number }
      state.dynamicLayouts.append((schema, entity.number, made))
    }
    return made
  }
}
