internal import Glibc
internal import LMDB
package import Schema
internal import Synchronization

/// An open store: the source of snapshots and writes.
///
/// There is one for each file in a process, regardless of how often it is opened, and any thread may use it. It knows
/// the catalog; it does not depend on models, queries or observers. When a compaction puts another file in the place of
/// the file, it turns to that.
package final class StoreFile: Sendable {
  /// The directory, or a word for a store in memory; for messages.
  package let path: String
  /// Notifies observers of commits.
  package let commits: CommitWatch
  /// The environment and what is known of its file.
  let current: Mutex<OpenEnvironment>
  /// Held while the environment is exchanged for that of the next file.
  let exchanging = Mutex<Void>(())

  init(environment: Environment, path: String) {
    current = Mutex(OpenEnvironment(environment))
    commits = CommitWatch(environment)
    self.path = path
    commits.beforeLooking { [weak self] in self?.lookForSuccessor() }
  }

  deinit {
    let id = ObjectIdentifier(self)
    // Removes only its own entry: another thread may have opened the environment again. The entry is found by identity,
    // because reading another file's weak reference here could release that file inside the lock.
    Self.open.withLock { files in files.removeAll { $0.id == id } }
  }

  // MARK: Opening

  /// Opens the store in a directory. With a schema, declares it as `declare` does; a store opened for reading must
  /// already have everything in the schema, otherwise `migrationNeeded` lists the missing parts.
  ///
  /// - Parameter notes: Receives the result of `declare`.
  package static func open(
    _ directory: String, mode: OpenMode = .create, declaring declaration: SchemaDeclaration?,
    wait: WriteWait = WriteWait(), notes: ([String]) -> Void = { _ in }
  ) throws(StoreError) -> StoreFile {
    var options = Environment.Options()
    options.readOnly = mode == .readOnly
    let environment: Environment
    do {
      environment = try openEnvironment(directory, mode, options)
    } catch let error as StoreError { throw error } catch let error as LMDBError {
      throw StoreError(error, path: directory)
    } catch { throw .io(path: directory, reason: "\(error)") }
    let file = shared(environment, path: directory)
    // Reading the catalog verifies that the file is a store in a known format.
    try file.beginSnapshot().end()
    if let declaration {
      if mode == .readOnly {
        try file.expect(declaration.schema)
      } else {
        notes(try file.declare(declaration, wait: wait))
      }
    }
    if mode != .readOnly { try file.renewFoldedIndexes(wait) }
    return file
  }

  /// Opens the store with a schema alone, or without one.
  package static func open(
    _ directory: String, mode: OpenMode = .create, declaring schema: Schema? = nil,
    wait: WriteWait = WriteWait()
  ) throws(StoreError) -> StoreFile {
    try open(directory, mode: mode, declaring: schema.map { SchemaDeclaration($0) }, wait: wait)
  }

  /// A separate store in memory that is released with its last reference.
  package static func inMemory(declaring schema: Schema? = nil) throws(StoreError) -> StoreFile {
    let path = "(memory)"
    let environment = try StoreError.only(path) { try Environment.inMemory() }
    try StoreError.only(path) { try environment.write { try initialise($0, path: path) } }
    let file = shared(environment, path: path)
    if let schema { try file.declare(schema) }
    return file
  }

  private static func openEnvironment(
    _ directory: String, _ mode: OpenMode, _ options: Environment.Options
  ) throws -> Environment {
    guard mode == .create else { return try Environment.open(directory, options: options) }
    if let environment = try openIfThere(directory, options) { return environment }
    try makeStore(directory, options)
    return try Environment.open(directory, options: options)
  }

  private static func openIfThere(_ directory: String, _ options: Environment.Options) throws -> Environment? {
    do { return try Environment.open(directory, options: options) } catch LMDBError.notFound { return nil }
  }

  private static func makeStore(_ directory: String, _ options: Environment.Options) throws {
    let initialise = { (transaction: WriteTransaction) in try self.initialise(transaction, path: directory) }
    do {
      try StoreError.making(directory) {
        try Environment.create(directory, options: options, initialise: initialise)
      }
    } catch LMDBError.alreadyExists {
      // Another process was faster. Its store is complete, because it appears by renaming.
    } catch LMDBError.system(let code, _, let folder) where code == ENOENT || code == ENOTDIR {
      throw StoreError.io(path: folder, reason: "there is no such folder to make the store in")
    }
  }

  /// Writes the catalog of a store without entities.
  private static func initialise(_ transaction: WriteTransaction, path: String) throws {
    let catalog = Catalog(database: try transaction.createDatabase(Catalog.name), path: path)
    try catalog.write(CatalogSchema(), in: transaction)
  }

  /// An open file. The reference is nil from the moment the file ends until its `deinit` has removed the entry.
  private struct OpenFile {
    let id: ObjectIdentifier
    weak var file: StoreFile?
  }

  /// The open files of this process. A list, not a dictionary: they are few.
  private static let open = Mutex<[OpenFile]>([])

  private static func shared(_ environment: Environment, path: String) -> StoreFile {
    // Kept beyond the lock: the last reference to a file must not end inside it.
    var files: [StoreFile] = []
    return open.withLock { entries in
      files = entries.compactMap(\.file)
      if let known = files.first(where: { $0.turn(to: environment) }) { return known }
      let made = StoreFile(environment: environment, path: path)
      entries.append(OpenFile(id: ObjectIdentifier(made), file: made))
      return made
    }
  }

  // MARK: Reading and writing

  /// A snapshot of the newest version, which ends by `end()` or with its last reference.
  package func beginSnapshot() throws(StoreError) -> Snapshot {
    let (opened, transaction) = try StoreError.only(path) {
      try onNewest { opened in (opened, try opened.environment.beginRead()) }
    }
    do {
      let facts = try facts(of: transaction, opened)
      return Snapshot(transaction: transaction, catalog: facts.catalog, path: path, facts: facts)
    } catch {
      transaction.end()
      throw error
    }
  }

  /// The schema of the newest version. If that was read before, no snapshot is needed.
  package func currentSchema() throws(StoreError) -> StoredSchema {
    let opened = opened
    if !opened.environment.isReplaced, let known = opened.facts(of: opened.environment.lastCommit) {
      return known.catalog.schema
    }
    let snapshot = try beginSnapshot()
    defer { snapshot.end() }
    return snapshot.schema
  }

  /// The data of a reader's commit; created if the commit has not been read yet.
  private func facts(
    of transaction: ReadTransaction, _ opened: OpenEnvironment
  ) throws(StoreError) -> CommitFacts {
    let commit = transaction.id
    if let known = opened.facts(of: commit) { return known }
    let made = CommitFacts(commit: commit, catalog: try catalog(in: transaction, opened))
    opened.newest.withLock { current in
      if (current?.commit ?? .min) <= commit { current = made }
    }
    return made
  }

  /// Runs `body` on the newest version.
  package func read<R>(_ body: (Snapshot) throws -> R) throws -> R {
    let snapshot = try beginSnapshot()
    defer { snapshot.end() }
    return try body(snapshot)
  }

  /// Runs `body` as one write: when this returns, all its changes are visible and safe; if it throws, none are.
  ///
  /// Waits for other writers up to `timeout` and until `wait` is cancelled. If little address space can be reserved, a
  /// write that does not fit is rolled back, more is reserved, and `body` runs again; so it should depend only on the
  /// session.
  package func write<R>(
    timeout: Duration? = nil, wait: WriteWait = WriteWait(), _ body: (WriteSession) throws -> R
  ) throws -> R {
    defer { commits.noteCommit() }
    return try StoreError.translating(path) {
      try writeEngine(timeout: timeout, wait: wait) { transaction in
        let session = WriteSession(
          transaction: transaction, catalog: try catalogForWriting(in: transaction, wait: wait), path: path)
        defer { session.invalidate() }
        let result = try body(session)
        try session.finish()
        try session.writeLog()
        return result
      }
    }
  }

  /// Runs `body` in a write transaction of the storage engine, on the newest file.
  func writeEngine<R>(
    timeout: Duration? = nil, wait: WriteWait, _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    try onNewest { opened in try opened.environment.write(timeout: timeout, wait: wait.ofEngine, body) }
  }

  /// The number of the last commit, by any process.
  package var currentVersion: Int {
    let opened = opened
    guard opened.environment.isReplaced else { return opened.environment.lastCommit }
    return ((try? successor(of: opened)) ?? opened).environment.lastCommit
  }

  /// The catalog in a transaction: the known one, unless the schema's version has changed.
  func catalog(in transaction: Transaction) throws(StoreError) -> LoadedCatalog {
    let opened = opened
    // Databases of one environment mean nothing in another.
    let isOfOpened = opened.environment === transaction.environment
    return try catalog(in: transaction, isOfOpened ? opened : OpenEnvironment(transaction.environment))
  }

  private func catalog(
    in transaction: Transaction, _ opened: OpenEnvironment
  ) throws(StoreError) -> LoadedCatalog {
    let damaged = opened.environment.damaged
    let damage = damaged.generation
    let known = opened.loaded.withLock { $0 }
    let database: Database
    // Its handle may be void since damage was met or the file was opened again.
    if let known, known.damage == damage {
      database = known.catalog
    } else {
      let found = try StoreError.meaning(path) { () throws(LMDBError) in try transaction.database(Catalog.name) }
      guard let found else { throw .notAStore(path: path, reason: "it has no catalog") }
      guard found.options == [] else {
        throw .corrupted(location: "\(path): the record of database \(Catalog.name) says that it is of another kind")
      }
      database = found
    }
    let catalog = Catalog(database: database, path: path)
    let header = try catalog.header(in: transaction)
    if let known, known.record.version == header.schemaVersion, known.damage == damage { return known }
    var record = try catalog.schema(in: transaction)
    let hasNewDamage = record.setAside(damaged.all)
    let read = try Self.load(
      record, catalog, in: transaction, after: known, damage: damage, hasNewDamage: hasNewDamage)
    opened.loaded.withLock { current in
      // An old snapshot must not replace the catalog that a newer one has read.
      if (current?.record.version ?? 0) <= read.record.version { current = read }
    }
    return read
  }

  /// A schema record with its databases open.
  static func load(
    _ record: CatalogSchema, _ catalog: Catalog, in transaction: Transaction, after known: LoadedCatalog?,
    damage: Int = 0, hasNewDamage: Bool = false
  ) throws(StoreError) -> LoadedCatalog {
    let schema: StoredSchema
    do { schema = try record.stored(reusing: known?.schema) } catch {
      throw .corrupted(location: "the schema in the catalog: \(error.what)")
    }
    func open(_ name: String, of entity: StoredEntity) throws(StoreError) -> Database {
      let found = try StoreError.meaning(catalog.path) { () throws(LMDBError) in try transaction.database(name) }
      guard let found else { throw .corrupted(location: "the database \(name) of \(entity.name) is missing") }
      return found
    }
    var tables: [EntityTables] = []
    for entity in schema.entities {
      var indexes: [Database] = []
      for index in entity.indexes { indexes.append(try open(index.database, of: entity)) }
      tables.append(
        EntityTables(
          entity: entity, objects: try open(entity.database, of: entity),
          values: try open(entity.valuesDatabase, of: entity), indexes: indexes))
    }
    return LoadedCatalog(
      record: record, schema: schema, catalog: catalog.database, tables: tables, damage: damage,
      hasNewDamage: hasNewDamage)
  }
}
