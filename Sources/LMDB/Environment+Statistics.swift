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
    /// The number of commits since the oldest reader of any process began; pages freed since can't be reused.
    package var oldestReaderLag: Int
    /// The time since the oldest reader of this process began; nil without readers.
    package var oldestReaderAge: Duration?
  }

  /// The size of the environment and its readers.
  package func statistics() throws(LMDBError) -> Statistics {
    let freePages = try freePageCount()
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
    var table = ReaderTable()
    _ = withUnsafeMutablePointer(to: &table) { table in
      mdb_reader_list(raw, { line, context in ReaderTable.add(line, context) }, table)
    }
    monitor.lock()
    // The transaction begun here does not count as a reader.
    let others = state.readers.enumerated().filter { $0.element != 0 && $0.offset != transaction.slot }
    let begun = others.map(\.element).min()
    let mapSize = state.mapSize
    monitor.unlock()
    let last = Int(info.me_last_txnid)
    return Statistics(
      pageSize: pageSize, usedPages: Int(info.me_last_pgno) + 1, freePages: freePages,
      fileSize: file.fileSize, mapSize: mapSize, lastCommit: last, readers: max(0, table.active - 1),
      maximumReaders: Int(info.me_maxreaders), oldestReaderLag: table.oldest.map { max(0, last - $0) } ?? 0,
      oldestReaderAge: begun.map { .nanoseconds(Int64(clamping: Deadline.coarseNow &- $0)) })
  }

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
  var active = 0
  var oldest: Int?

  static func add(_ line: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let line, let table = context?.assumingMemoryBound(to: ReaderTable.self) else { return 0 }
    let words = String(cString: line).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, Int(words[0]) != nil else { return 0 }
    guard let commit = Int(words[2]) else { return 0 }
    table.pointee.active += 1
    table.pointee.oldest = min(table.pointee.oldest ?? commit, commit)
    return 0
  }
}
