import CLMDB
import Glibc

extension Environment {
  /// Statistics that don't require reading the data.
  package struct Statistics: Sendable {
    /// The size of a page in bytes.
    package var pageSize: Int
    /// The pages of the file that were ever used, including free ones.
    package var usedPages: Int
    /// The free pages.
    package var freePages: Int
    /// The two meta pages, and the pages of the trees of databases and of free pages.
    package var treePages: Int
    /// The size of the data file in bytes.
    package var fileSize: Int
    /// The address space reserved: how large the file can get without a pause.
    package var mapSize: Int
    /// The number of the last commit.
    package var lastCommit: Int
    /// The number of used reader slots, in all processes.
    package var readers: Int
    /// Reader slots there are.
    package var maximumReaders: Int
    /// The readers of the oldest commits, of any process, the oldest first and at most ten; pages freed since the first
    /// of them can't be reused.
    package var oldestReaders: [Reader]
    /// Who holds the writer lock.
    package var writer: WriterHolder?
    /// The waits of this process for the writer lock.
    package var waits: WriterWaits

    /// The reader of the oldest commit.
    package var oldestReader: Reader? { oldestReaders.first }

    /// The number of commits since that of the oldest reader.
    package var oldestReaderLag: Int { oldestReader.map { max(0, lastCommit - $0.commit) } ?? 0 }
  }

  /// A reader in the table that all processes share.
  package struct Reader: Sendable, Hashable {
    /// The commit it reads.
    package var commit: Int
    package var processID: Int32
    /// The name of the program that the process runs; nil if the system does not say it.
    package var program: String?
    /// The command line that the process was started with, if it is long its start; nil if the system does not say it.
    package var command: String?
    /// What it says about itself; nil if it says nothing.
    package var label: String?
    /// How long it has been reading. A program of an earlier version does not note it: then this is the age of the
    /// process, which is the most it can be.
    package var age: Duration?
    /// Whether `age` is that of the reader, not of its process.
    package var isAgeExact = false
  }

  /// The size of the environment and its readers.
  package func statistics() throws(LMDBError) -> Statistics {
    let pages = try pageCounts()
    let transaction = try beginRead()
    defer { transaction.end() }
    var info = MDB_envinfo()
    // It stays open while this transaction does.
    monitor.lock()
    let raw = state.raw
    monitor.unlock()
    guard let raw else { throw .panic }
    let code = mdb_env_info(raw, &info)
    guard code == 0 else { throw error(code, "looking at") }
    monitor.lock()
    // The transaction begun here does not count as a reader.
    let readers = state.slots?.readers(besides: transaction.raw) ?? []
    let mapSize = state.mapSize
    monitor.unlock()
    return Statistics(
      pageSize: pageSize, usedPages: Int(info.me_last_pgno) + 1, freePages: pages.free, treePages: pages.trees,
      fileSize: file.fileSize, mapSize: mapSize, lastCommit: Int(info.me_last_txnid), readers: readers.count,
      maximumReaders: Int(info.me_maxreaders), oldestReaders: readers.prefix(Self.mostReaders).map(\.named),
      writer: gate.currentHolder,
      waits: gate.waitsSoFar)
  }

  /// The most readers that are shown.
  private static let mostReaders = 10

  /// The size of the data file in bytes.
  package var fileBytes: Int { file.fileSize }

  /// The number of the newest commit, by any process; 0 if unknown. Takes constant time.
  package var lastCommit: Int {
    var information = MDB_envinfo()
    // The map must not be replaced meanwhile, nor have failed to be.
    monitor.lock()
    defer { monitor.unlock() }
    guard (try? checkProcess()) != nil, state.failure == nil, let raw = state.raw,
      mdb_env_info(raw, &information) == 0
    else { return 0 }
    return Int(information.me_last_txnid)
  }
}

extension Environment.Reader {
  /// With what the system says about its process.
  fileprivate var named: Self {
    var named = self
    named.program = ProcessFacts.program(of: processID)
    named.command = ProcessFacts.command(of: processID)
    named.age = age ?? ProcessFacts.age(of: processID)
    return named
  }
}
