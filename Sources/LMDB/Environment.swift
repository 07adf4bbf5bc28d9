import CLMDB
import CPlatform
import Glibc

/// An open store file: the map, its transactions, and who may write.
///
/// There is one environment per file and process, shared by all who open it, and closed when the last lets go of it.
/// Knows pages, databases and transactions; knows nothing of what the bytes mean.
package final class Environment: @unchecked Sendable {
  /// The store's directory, as given to `open`.
  package let path: String
  /// How it was opened.
  package let options: Options
  /// The size of a page in bytes.
  package let pageSize: Int

  /// LMDB's environment.
  let raw: OpaquePointer
  /// The file, for looking at pages without LMDB. Closed with the environment.
  let file: StoreDescriptors
  /// Whose turn it is to write.
  let gate: WriterGate
  /// Guards `state`.
  let monitor = Monitor()
  /// Guards `pageGuard` and how far databases were verified.
  let guardMonitor = Monitor()
  /// What verifies pages, once one is reached.
  var pageGuard: PageGuard?
  /// Where `state` is. Memory of its own: a class's properties are checked at run time for overlapping use,
  /// which takes longer than beginning to read does.
  private let storage: UnsafeMutablePointer<EnvironmentState>

  /// Whether there is no lock file, and readers keep writers off with the lock of the directory.
  let isLockless: Bool

  private let generation = platform_process_generation()
  private let registryKey: EnvironmentRegistry.Key?

  init(
    path: String, options: Options, raw: OpaquePointer, file: StoreDescriptors, pageSize: Int, mapSize: Int,
    isLockless: Bool, registryKey: EnvironmentRegistry.Key?
  ) {
    self.path = path
    self.options = options
    self.raw = raw
    self.file = file
    self.pageSize = pageSize
    self.storage = .allocate(capacity: 1)
    self.storage.initialize(to: EnvironmentState(mapSize: mapSize))
    self.isLockless = isLockless
    self.registryKey = registryKey
    self.gate = WriterGate(directory: registryKey == nil ? nil : file.directory, path: path)
  }

  /// What the monitor guards.
  @inline(__always)
  var state: EnvironmentState {
    _read { yield storage.pointee }
    _modify { yield &storage.pointee }
  }

  deinit {
    // A child of the process that opened it must leave everything alone: closing would drop locks it does not own.
    guard generation == platform_process_generation() else { return }
    EnvironmentRegistry.shared.close(registryKey) {
      for reader in state.idleReaders { mdb_txn_abort(reader) }
      mdb_env_close(raw)
      file.close()
    }
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  /// Throws when the process is another one than that which opened the environment.
  @inline(__always)
  func checkProcess() throws(LMDBError) {
    guard generation == platform_process_generation() else { throw .forked }
  }

  /// The error for a code of LMDB, with what is known here.
  func error(_ code: Int32, _ doing: String) -> LMDBError {
    let path = dataPath
    switch LMDBError.code(code, doing: doing, path: path) {
    case .mapFull: return .mapFull(size: state.mapSize)
    case .databasesFull: return .databasesFull(maximum: options.maximumDatabases)
    case .readersFull: return .readersFull(maximum: options.maximumReaders)
    // LMDB turns a short write into EIO. When nothing is free, the disk is full.
    case .system(EIO, let doing, let path) where file.isFull: return .system(ENOSPC, doing: doing, path: path)
    case let error: return error
    }
  }

  /// The file with the data.
  package var dataPath: String { path + "/data.mdb" }
}

extension Environment {
  /// How to open an environment.
  package struct Options: Sendable {
    /// Refuse to write, and ask for no right to.
    package var readOnly = false
    /// Do not wait for the disk at commit. Only for stores whose loss in a power cut does not matter, or that are
    /// synced with `sync` before they do.
    package var noSync = false
    /// The most address space to reserve, which is the largest the store can get.
    package var maximumMapSize = 1 << 40
    /// How much of that to reserve at first; nil for all of it. A map that grows has to wait for readers.
    package var initialMapSize: Int?
    /// How long a growing map waits for the readers of this process.
    package var remapTimeout: Duration = .seconds(5)
    /// How many read transactions there can be at once, in all processes. What the first process says counts.
    package var maximumReaders = 1_024
    /// How many named databases there can be.
    package var maximumDatabases = 1_024
    /// When to check the pages of the file.
    package var verification = Verification.onFirstUse

    package init() {}
  }

  /// When the pages of a file are checked, so that no damage can make the process crash.
  package enum Verification: Sendable {
    /// The main tree when opening, every other page before LMDB first reads it, the free pages before the first write.
    case onFirstUse
    /// Everything when opening.
    case atOpen
    /// Only the meta pages and the size of the file, unless it is shorter than it was. For files that are known to be good.
    case never
  }
}
