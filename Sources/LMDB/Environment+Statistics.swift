import CLMDB
import Glibc

extension Environment {
  /// What can be told of an environment without reading its data.
  package struct Statistics: Sendable {
    /// The size of a page in bytes.
    package var pageSize: Int
    /// Pages the file has had in use, those free again included.
    package var usedPages: Int
    /// Pages that are free again.
    package var freePages: Int
    /// The size of the data file in bytes.
    package var fileSize: Int
    /// The address space reserved: how large the file can get without a pause.
    package var mapSize: Int
    /// The number of the last commit.
    package var lastCommit: Int
    /// Reader slots taken, in all processes.
    package var readers: Int
    /// Reader slots there are.
    package var maximumReaders: Int
    /// How many commits the oldest reader of any process is behind; the pages freed since can't be reused.
    package var oldestReaderLag: Int
    /// How long the oldest reader of this process has been open; nil when there is none.
    package var oldestReaderAge: Duration?
  }

  /// How large the environment is and who reads it.
  package func statistics() throws(LMDBError) -> Statistics {
    let freePages = try freePageCount()
    let transaction = try beginRead()
    defer { transaction.end() }
    var info = MDB_envinfo()
    let code = mdb_env_info(raw, &info)
    guard code == 0 else { throw error(code, "looking at") }
    var table = ReaderTable()
    _ = withUnsafeMutablePointer(to: &table) { table in
      mdb_reader_list(raw, { line, context in ReaderTable.add(line, context) }, table)
    }
    monitor.lock()
    // The one begun here is no reader to speak of.
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

  /// The number of the newest commit, by whatever process; 0 where that cannot be told. Takes no time.
  package var lastCommit: Int {
    var information = MDB_envinfo()
    // The map must not be replaced meanwhile, nor have failed to be.
    monitor.lock()
    defer { monitor.unlock() }
    guard (try? checkProcess()) != nil, state.failure == nil, mdb_env_info(raw, &information) == 0 else { return 0 }
    return Int(information.me_last_txnid)
  }

  /// Waits until all that was committed is on disk.
  package func sync() throws(LMDBError) {
    try checkProcess()
    // Not `mdb_env_sync`, which does nothing while commits go without waiting.
    guard fsync(file.data) == 0 else { throw .lastSystemError("syncing", dataPath) }
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
