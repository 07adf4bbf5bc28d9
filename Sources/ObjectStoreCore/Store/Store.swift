public import FoundationEssentials
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
/// A store may be used from any thread, and by several processes at once: readers see the last commit and block
/// nobody, writers wait for each other. All `Store`s on one folder in a process share what is open. What a store is
/// kept in closes when nobody holds it any more.
public final class Store: Sendable {
  let file: StoreFile
  /// What values read from here know of it.
  let reference = StoreReference()
  /// Queries that were asked lately.
  let queries = QueryCache()
  private let state: Mutex<State>
  private let queue = WriteQueue()
  /// What was declared and has no effect, a sentence each: indexes of kinds that this version does not build. Queries that
  /// they would serve scan instead.
  public let notes: [String]

  private struct State {
    var busyTimeout: Duration?
    var queryThreads: Int?
    var layouts: [ObjectIdentifier: (schema: StoredSchema, layout: ModelLayout)] = [:]
    var dynamicLayouts: [UInt32: (schema: StoredSchema, layout: DynamicLayout)] = [:]
  }

  init(_ file: StoreFile, notes: [String] = []) {
    self.file = file
    self.notes = notes
    state = Mutex(State())
    reference.refer(to: self)
  }

  deinit { reference.forget() }

  // MARK: Opening

  /// Opens the store in a folder for the given models, and makes it when it is not there.
  ///
  /// New models, properties and indexes are added, renamed properties keep their values, and properties a model no
  /// longer has are removed; objects are not rewritten for that. Entities of the file that are no model here stay.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - models: The models whose values are objects. Embedded ones, and those that others link to, need not be named.
  ///   - cancellation: Stops it from outside, also while it waits for another writer or builds a new index.
  /// - Throws: `StoreError`: `migrationNeeded` when a property has another type in the file, `notAStore`,
  ///   `newerFormat`, `permissionDenied`, `corrupted`, … by what is in the folder.
  public convenience init(
    _ path: String, models: any Model.Type..., cancellation: Cancellation? = nil
  ) throws {
    try self.init(path, models: models, cancellation)
  }

  /// Opens the store at a file URL for the given models, and makes it when it is not there.
  ///
  /// - Throws: as `init(_:models:)`; `notFound` for a URL that is no file URL.
  public convenience init(_ url: URL, models: any Model.Type..., cancellation: Cancellation? = nil) throws {
    guard url.isFileURL else { throw StoreError.notFound(path: url.absoluteString) }
    try self.init(url.path, models: models, cancellation)
  }

  private convenience init(_ path: String, models: [any Model.Type], _ cancellation: Cancellation?) throws {
    let (schema, notes) = try Schema.declaring(models).buildable
    self.init(
      try StoreFile.open(path, mode: .createIfMissing, declaring: schema, wait: cancellation.wait), notes: notes)
  }

  /// A store in memory for the given models; it is gone with its last reference.
  ///
  /// ```swift
  /// let store = try Store.inMemory(Quake.self)
  /// ```
  public static func inMemory(_ models: any Model.Type...) throws -> Store {
    let (schema, notes) = try Schema.declaring(models).buildable
    return Store(try StoreFile.inMemory(declaring: schema), notes: notes)
  }

  /// A store in memory of the given schema; it is gone with its last reference.
  public static func inMemory(schema: Schema) throws -> Store {
    let (schema, notes) = try schema.validated().buildable
    return Store(try StoreFile.inMemory(declaring: schema), notes: notes)
  }

  /// Opens the store in a folder by the schema in the file.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - mode: What to do when there is none.
  ///   - schema: A schema to declare first, as `declare` does; nil leaves the file's as it is.
  ///   - cancellation: Stops it from outside, also while it waits for another writer or builds an index.
  /// - Throws: `StoreError`, as `init(_:models:)`; `cancelled`.
  public static func openDynamic(
    _ path: String, mode: OpenMode, schema: Schema? = nil, cancellation: Cancellation? = nil
  ) throws -> Store {
    let declared = try schema?.validated().buildable
    return Store(
      try StoreFile.open(path, mode: mode.storageMode, declaring: declared?.schema, wait: cancellation.wait),
      notes: declared?.notes ?? [])
  }

  // MARK: Schema

  /// The schema in the file, as of the last commit by any process.
  public var schema: Schema { get throws { try file.read { $0.schema.schema } } }

  /// Makes the file's entities the given ones: adds and renames properties and indexes, and removes those that are
  /// no longer declared. Entities that are not in `schema` stay. Objects are not rewritten, save for building new
  /// indexes and filling in what may no longer be nil.
  ///
  /// - Parameters:
  ///   - schema: The entities.
  ///   - cancellation: Stops it from outside, also while it waits for another writer or builds an index; then nothing
  ///     is changed.
  /// - Throws: `StoreError.migrationNeeded`, naming each change that can't be made so; then nothing is changed.
  public func declare(_ schema: Schema, cancellation: Cancellation? = nil) throws {
    try file.declare(try schema.validated().buildable.schema, timeout: busyTimeout, wait: cancellation.wait)
  }

  // MARK: Reading

  /// How many threads one query may use where it goes through very many objects; nil is one for each core, 1 only the
  /// caller's own.
  public var queryThreads: Int? {
    get { state.withLock { $0.queryThreads } }
    set { state.withLock { $0.queryThreads = newValue } }
  }

  /// The same for the planner.
  var scanThreads: ScanThreads { queryThreads.map { .atMost(max(1, $0)) } ?? .automatic }

  // MARK: Writing

  /// How long a write waits for another writer before it throws `StoreError.busy`; nil waits for as long as it takes.
  public var busyTimeout: Duration? {
    get { state.withLock { $0.busyTimeout } }
    set { state.withLock { $0.busyTimeout = newValue } }
  }

  /// Runs `body` in a write transaction and commits it: when this returns, what it did is safe on disk and seen by all
  /// readers. When `body` throws, nothing was done.
  ///
  /// ```swift
  /// let id = try store.write { tx in try tx.add(quake) }
  /// ```
  ///
  /// - Parameters:
  ///   - cancellation: Stops waiting for another writer from outside, and hears who that is.
  ///   - body: What to write. It runs again from the start in the rare case that the file must grow beyond the address
  ///     space reserved for it.
  /// - Throws: what `body` throws; `StoreError`: `busy` with who writes, `cancelled`, `full`, `readOnly`, `constraintViolated` and `danglingLink`
  ///   (found when the transaction commits, so values may be swapped, and objects linked to before they are added, within
  ///   it), `nestedWrite`.
  @discardableResult
  public func write<R>(
    cancellation: Cancellation? = nil, _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    var outcome: WriteOutcome?
    defer { outcome?.end() }
    let result = try file.write(timeout: busyTimeout, wait: cancellation.wait) { session in
      outcome?.end()
      let transaction = WriteTransaction(session, store: self)
      outcome = transaction.outcome
      return try transaction.run(body)
    }
    outcome?.commit()
    return result
  }

  /// Runs `body` in a write transaction on a thread of the store and commits it, without blocking the task's thread.
  ///
  /// ```swift
  /// let id = try await store.write { tx in try tx.add(quake) }
  /// ```
  ///
  /// Writes that wait at the same time are committed together, in the order they were asked for, and share the syncs of
  /// the disk: many tasks with small writes get along as fast as one large write. Each is safe on disk when this returns,
  /// and one that throws leaves the others as they are.
  ///
  /// - Parameter body: What to write. It may run again from the start, when a write after it in the same transaction
  ///   throws: what it does besides writing must bear that.
  /// - Throws: as the synchronous form; `CancellationError` when the task was cancelled before its turn.
  @discardableResult
  public func write<R: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> R) async throws -> R {
    let write = TaskWrite(self, body)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if write.wait(continuation) { queue.add(write, for: self) }
      }
    } onCancel: {
      write.cancel()
    }
  }

  // MARK: Reading

  /// The objects of an entity, by the schema in the file.
  ///
  /// - Throws: `QueryError` when there is no such entity.
  public func objects(_ entity: String) throws -> DynamicResults { try DynamicResults(entity, in: .store(self)) }

  /// The objects of a model.
  ///
  /// ```swift
  /// let strong = try store.objects(Quake.self).filter("magnitude > 5").sorted(by: \.time, .reverse)
  /// ```
  public func objects<Object: Model>(_ model: Object.Type) -> Results<Object> { Results(in: .store(self)) }

  // MARK: Layouts

  /// Where the columns of a model are in a version of the file.
  func layout(_ definition: ModelDefinition, in schema: StoredSchema) throws(StoreError) -> ModelLayout {
    let key = ObjectIdentifier(definition)
    let known = state.withLock { $0.layouts[key] }
    if let known, known.schema === schema { return known.layout }
    guard let entity = schema.entity(named: definition.entity.name) else {
      throw .modelNotOpened(
        definition.entity.name,
        suggestion: Suggestion.nearest(to: definition.entity.name, among: schema.entities.map(\.name)))
    }
    let layout =
      if let known, known.layout.entity === entity { known.layout } else { try ModelLayout(definition, entity) }
    state.withLock { $0.layouts[key] = (schema, layout) }
    return layout
  }

  /// How the properties of an entity are made of columns in a version of the file.
  func layout(_ entity: StoredEntity, in schema: StoredSchema) -> DynamicLayout {
    if let known = state.withLock({ $0.dynamicLayouts[entity.number] }), known.schema === schema { return known.layout }
    let made = DynamicLayout(entity, in: schema.schema)
    state.withLock { $0.dynamicLayouts[entity.number] = (schema, made) }
    return made
  }
}
