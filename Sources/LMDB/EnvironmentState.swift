import CLMDB

/// The mutable state of an environment: known databases, open readers, the map. Guarded by the environment's monitor.
struct EnvironmentState {
  /// LMDB's environment; nil after it was closed for a failure and could not be opened again.
  private(set) var raw: OpaquePointer?
  /// The databases that have a handle, in an array. LMDB also searches its list linearly at each opening, and a
  /// dictionary of names would cost a new process more than the rest of opening them.
  private(set) var databases: [Database] = []
  /// How often handles were opened. A transaction that began before can't use them.
  var openings = 0
  /// The contents of the meta page that the open write transaction is to overwrite.
  var overwritten: FileHeader.Meta?
  /// Names in the main tree that are not databases.
  var strangers: [String] = []
  /// The newest commit all of whose databases have handles.
  var knownCommit = -1
  /// Whether the lists of free pages have been checked, from which a writer takes pages.
  var isCheckedForWriting = false
  /// The slots of all readers; nil without a lock file.
  private(set) var slots: ReaderSlots?
  /// What the readers of this process say about themselves.
  var label: ReaderLabel
  var readerCount = 0
  /// Read transactions of LMDB that were reset and can be reused.
  var idleReaders: [OpaquePointer] = []
  /// While the map is being replaced no transaction may begin.
  var isRemapping = false
  /// Why the environment can't be used any more.
  var failure: LMDBError?
  /// The meta pages of a commit that was read, used to check several of its trees; the file may have grown since.
  var header: FileHeader?
  /// The file as mapped for a check, if it is small.
  var checkedFile: FileMap?
  /// The size of the map.
  var mapSize: Int
  /// The time of the last search for readers of dead processes.
  var lastReaderCheck: UInt64 = 0

  init(raw: OpaquePointer, mapSize: Int, slots: ReaderSlots?, label: ReaderLabel) {
    self.raw = raw
    self.mapSize = mapSize
    self.slots = slots
    self.label = label
  }

  /// Closes LMDB's environment, which has no open transactions. Its handles and its map are gone.
  mutating func close() {
    for reader in idleReaders { mdb_txn_abort(reader) }
    idleReaders = []
    if let raw { mdb_env_close(raw) }
    raw = nil
    slots = nil
    databases = []
    strangers = []
    knownCommit = -1
    openings &+= 1
    isCheckedForWriting = false
    header = nil
  }

  /// Takes another environment of LMDB for the same file, after `close`.
  mutating func reopen(_ raw: OpaquePointer, mapSize: Int, slots: ReaderSlots) {
    self.raw = raw
    self.mapSize = mapSize
    self.slots = slots
  }

  /// The database of that name that has a handle.
  func database(_ name: String) -> Database? { databases.first { $0.name == name } }

  /// Stores a database with a new handle, replacing one with the same name.
  mutating func add(_ database: Database) {
    forget(database)
    databases.append(database)
  }

  /// Removes a database whose handle was closed.
  mutating func forget(_ database: Database) { databases.removeAll { $0.name == database.name } }
}
