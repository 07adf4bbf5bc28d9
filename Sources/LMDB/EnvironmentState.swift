/// What changes in an environment: known databases, open readers, the map. Guarded by the environment's monitor.
struct EnvironmentState {
  /// Databases that have a handle. LMDB looks through all of its own at each opening, too; and a dictionary of names would
  /// cost a new process more than all the rest of opening them.
  private(set) var databases: [Database] = []
  /// Names in the main tree that are no databases.
  var strangers: [String] = []
  /// The newest commit all of whose databases have handles.
  var knownCommit = -1
  /// Whether the lists of free pages have been checked, from which a writer takes pages.
  var isCheckedForWriting = false
  /// When each open reader began; 0 for a free place.
  var readers: [UInt64] = []
  var freeReaderSlots: [Int] = []
  var readerCount = 0
  /// Read transactions of LMDB that were reset, ready to be used again.
  var idleReaders: [OpaquePointer] = []
  /// While the map is being replaced no transaction may begin.
  var isRemapping = false
  /// Why the environment can't be used any more.
  var failure: LMDBError?
  /// The meta pages of a commit that was read, to check several trees of it by; the file may have grown since.
  var header: FileHeader?
  /// The file as it was mapped for a check, while it is small.
  var checkedFile: FileMap?
  /// The size of the map.
  var mapSize: Int
  /// When readers of dead processes were last looked for.
  var lastReaderCheck: UInt64 = 0

  /// The database of that name that has a handle.
  func database(_ name: String) -> Database? { databases.first { $0.name == name } }

  /// Remembers a database that has got a handle, in the place of one of its name.
  mutating func add(_ database: Database) {
    forget(database)
    databases.append(database)
  }

  /// Forgets a database whose handle was closed.
  mutating func forget(_ database: Database) { databases.removeAll { $0.name == database.name } }
}
