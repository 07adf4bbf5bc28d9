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
    /// The reader of the oldest commit, of any process; pages freed since can't be reused.
    package var oldestReader: Reader?
    /// Who holds the writer lock.
    package var writer: WriterHolder?
    /// The waits of this process for the writer lock.
    package var waits: WriterWaits

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
    /// How long it has been reading. The table does not say since when: for a reader of another process this is the age
    /// of the process, which is the most it can be.
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
    var table = ReaderTable(own: transaction.id)
    _ = withUnsafeMutablePointer(to: &table) { table in
      mdb_reader_list(raw, { line, context in ReaderTable.add(line, context) }, table)
    }
    monitor.lock()
    // The transaction begun here does not count as a reader.
    let others = state.readers.enumerated().filter { $0.element != 0 && $0.offset != transaction.slot }
    let begun = others.map(\.element).min()
    let mapSize = state.mapSize
    monitor.unlock()
    return Statistics(
      pageSize: pageSize, usedPages: Int(info.me_last_pgno) + 1, freePages: pages.free, treePages: pages.trees,
      fileSize: file.fileSize, mapSize: mapSize, lastCommit: Int(info.me_last_txnid), readers: table.readers.count,
      maximumReaders: Int(info.me_maxreaders), oldestReader: table.oldest(begun: begun), writer: gate.currentHolder,
      waits: gate.waitsSoFar)
  }

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

/// The lines of LMDB's list of readers: process, thread, and the commit being read or `-`.
private struct ReaderTable {
  /// Without the transaction that reads the list.
  private(set) var readers: [(processID: Int32, commit: Int)] = []
  /// The commit of that transaction; nil once it was left out.
  private var own: Int?

  init(own: Int) { self.own = own }

  static func add(_ line: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let line, let table = context?.assumingMemoryBound(to: ReaderTable.self) else { return 0 }
    let words = String(cString: line).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let process = Int32(words[0]), let commit = Int(words[2]) else { return 0 }
    if process == getpid(), commit == table.pointee.own {
      table.pointee.own = nil
    } else {
      table.pointee.readers.append((process, commit))
    }
    return 0
  }

  /// The reader of the oldest commit.
  ///
  /// - Parameter begun: When the oldest reader of this process began.
  func oldest(begun: UInt64?) -> Environment.Reader? {
    guard let oldest = readers.min(by: { $0.commit < $1.commit }) else { return nil }
    let isOwn = oldest.processID == getpid()
    let age: Duration? =
      isOwn
      ? begun.map { .nanoseconds(Int64(clamping: Deadline.coarseNow &- $0)) } : ProcessFacts.age(of: oldest.processID)
    return Environment.Reader(
      commit: oldest.commit, processID: oldest.processID, program: ProcessFacts.program(of: oldest.processID),
      command: ProcessFacts.command(of: oldest.processID), age: age, isAgeExact: isOwn && begun != nil)
  }
}
