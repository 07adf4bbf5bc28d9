import CLMDB
import CSystem
import Glibc
import Synchronization

/// An open store file with its map, its transactions, and its writer lock.
///
/// There is one environment for each file in a process, shared by all users and closed with the last reference. It
/// knows pages, databases and transactions, and does not interpret the data.
package final class Environment: @unchecked Sendable {
  /// The store's directory, as passed to `open`.
  package let path: String
  /// How it was opened.
  package let options: Options
  /// The size of a page in bytes.
  package let pageSize: Int

  /// The file, for looking at pages without LMDB. Closed with the environment.
  let file: StoreDescriptors
  /// The lock of the writer.
  let gate: WriterGate
  /// Guards `state`.
  let monitor = Monitor()
  /// Guards `pageGuard` and how far databases were verified.
  let guardMonitor = Monitor()
  /// The databases in which damage was met.
  package let damaged = DamagedDatabases()
  /// The guard that verifies pages, created when the first page is reached.
  var pageGuard: PageGuard?
  /// The databases with pages that belong to another tree too. Guarded by `guardMonitor`.
  var sharedPages: [(name: String, flaw: LMDBError)] = []
  /// The free pages of the commit for which contested pages were looked up last. Guarded likewise.
  var freePages: FreePages?
  /// The address of `state`. It has its own memory, since exclusive access to class properties is checked at run time,
  /// which takes longer than beginning a read transaction.
  private let storage: UnsafeMutablePointer<EnvironmentState>

  /// Whether there is no lock file, and readers exclude writers with the directory lock.
  let isLockless: Bool

  /// Whether the file has the mark of a compaction: another takes its place, or has taken it.
  let superseded = Atomic(false)
  /// Whether the file had that mark when it was opened, to be read only. It never changes and so needs no lock file.
  let isFrozen: Bool

  private let generation = system_process_generation()
  private let registryKey: EnvironmentRegistry.Key?

  init(
    path: String, options: Options, raw: OpaquePointer, file: StoreDescriptors, pageSize: Int, mapSize: Int,
    isLockless: Bool, isFrozen: Bool = false, slots: ReaderSlots?, registryKey: EnvironmentRegistry.Key?
  ) {
    self.path = path
    self.options = options
    self.file = file
    self.pageSize = pageSize
    self.storage = .allocate(capacity: 1)
    self.storage.initialize(
      to: EnvironmentState(
        raw: raw, mapSize: mapSize, slots: slots, label: ReaderLabel(ProcessFacts.program(of: getpid()) ?? "")))
    self.isLockless = isLockless
    self.isFrozen = isFrozen
    self.registryKey = registryKey
    self.gate = WriterGate(directory: registryKey == nil && !isFrozen ? nil : file.directory, path: path)
  }

  /// The state that the monitor guards.
  @inline(__always)
  var state: EnvironmentState {
    _read { yield storage.pointee }
    _modify { yield &storage.pointee }
  }

  deinit {
    // A child process of the one that opened it must not close it: closing would release locks that the child does not
    // own.
    guard generation == system_process_generation() else { return }
    EnvironmentRegistry.shared.close(registryKey) {
      state.close()
      file.close()
    }
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  /// Whether other processes can see the file.
  var isShared: Bool { registryKey != nil }

  /// Throws in a process other than the one that opened the environment.
  @inline(__always)
  func checkProcess() throws(LMDBError) {
    guard generation == system_process_generation() else { throw .forked }
  }

  /// The error for an LMDB code, with details known here.
  func error(_ code: Int32, _ doing: String) -> LMDBError {
    let path = dataPath
    switch LMDBError.code(code, doing: doing, path: path) {
    case .mapFull: return .mapFull(size: state.mapSize)
    case .databasesFull: return .databasesFull(maximum: options.maximumDatabases)
    case .readersFull: return .readersFull(maximum: options.maximumReaders)
    // LMDB reports a short write as EIO, whatever cut it short.
    case .system(EIO, let doing, let path) where file.hasReachedSizeLimit:
      return .system(EFBIG, doing: doing, path: path)
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
    /// Refuses writes and requires no write permission.
    package var readOnly = false
    /// Does not sync at commit. Only for stores that may be lost in a power failure, or are synced with `sync` before.
    package var noSync = false
    /// The most address space to reserve, which is the largest the store can get.
    package var maximumMapSize = 1 << 40
    /// The part of it to reserve at first; nil for all. Enlarging the map has to wait for readers.
    package var initialMapSize: Int?
    /// How long a growing map waits for the readers of this process.
    package var remapTimeout: Duration = .seconds(5)
    /// The maximum number of simultaneous read transactions, in all processes. The value of the first process applies.
    package var maximumReaders = 1_024
    /// The maximum number of named databases.
    package var maximumDatabases = 1_024
    /// When to check the pages of the file.
    package var verification = DamageChecks.areSkipped ? Verification.never : .onFirstUse

    package init() {}
  }

  /// When the pages of a file are checked, so that damage can't crash the process.
  package enum Verification: Sendable {
    /// The main tree when opening, every other page before LMDB first reads it, the free pages before the first write.
    case onFirstUse
    /// Everything when opening.
    case atOpen
    /// Only the meta pages and the size of the file, unless it is shorter than before. For files known to be intact.
    case never
  }
}
