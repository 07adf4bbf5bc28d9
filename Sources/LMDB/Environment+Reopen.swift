import CLMDB
import Glibc

// When the system can't write the page that makes a commit the newest, LMDB does not know what is in the file, and gives up
// its environment. The file is closed then and opened again, at the next read or write.
extension Environment {
  /// Runs `body`; if LMDB has given up the file, opens it again and runs `body` once more.
  @inline(__always)
  func reopening<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
    do throws(LMDBError) { return try body() } catch {
      guard case .panic = error else { throw error }
      try reopen()
      return try body()
    }
  }

  /// LMDB's environment. The monitor is held, or this thread is the writer.
  var raw: OpaquePointer {
    get throws(LMDBError) {
      guard let raw = state.raw else { throw .panic }
      return raw
    }
  }

  /// Closes the file and opens it again, unless another thread has. A process can't have a file open twice, so its
  /// readers, who still see the last commit, have to end first: `panic` says so.
  @inline(never)
  private func reopen() throws(LMDBError) {
    // Others find the names of a store in memory no more.
    guard isShared else { throw .panic }
    // The failed writer has it until LMDB has cleaned up.
    try gate.enter(timeout: .seconds(10))
    defer { gate.leave() }
    monitor.lock()
    defer { monitor.unlock() }
    guard isGivenUp else { return }
    guard state.readerCount == 0, !state.isRemapping else { throw .panic }
    try file.lockNames(path)
    defer { file.unlockNames() }
    state.close()
    do throws(LMDBError) {
      try reopenClosed()
      try checkOnOpening()
    } catch {
      // Nothing that was not checked is read.
      state.close()
      throw error
    }
    damaged.noteReopening()
  }

  /// The error of a commit that failed. If that was while the page that makes it the newest was written, LMDB has put the
  /// trees of the failed commit there under the number of the commit before the last, as if the number of the newest
  /// were damaged. That is undone while this thread is the writer.
  func failedCommit(_ code: Int32, _ id: Int) -> LMDBError {
    let failure = error(code, "committing to")
    monitor.lock()
    let overwritten = state.overwritten
    monitor.unlock()
    guard let overwritten else { return failure }
    // Commits take turns.
    let page = id & 1
    let place = page * pageSize
    let found = try? FileHeader.meta(of: file.data, at: place, page: page, dataPath)
    if found == overwritten { return failure }
    var bytes = [UInt8](repeating: 0, count: FileHeader.Meta.byteCount)
    bytes.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      overwritten.write(to: start, page: page)
      // If the disk does not take this either, opening says that the page is damaged.
      _ = pwrite(file.data, start, bytes.count, off_t(place))
    }
    return failure
  }

  private func reopenClosed() throws(LMDBError) {
    let folder = folderPath
    let header = try FileHeader.read(file.data, path: dataPath)
    guard try !LockFile.prepare(folder, readers: options.maximumReaders, readOnly: options.readOnly) else {
      throw .panic
    }
    let least = max((header.newest.lastPage + 1) * header.pageSize, state.mapSize)
    let slots = try ReaderSlots(folder)
    let (raw, mapSize) = try Self.openRaw(folder, options, hasLocks: true, least: least)
    state.reopen(raw, mapSize: mapSize, slots: slots)
  }

  /// Whether LMDB refuses every transaction, or the file could not be opened again before.
  private var isGivenUp: Bool {
    guard let raw = state.raw else { return true }
    var transaction: OpaquePointer?
    let code = mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
    if let transaction, code == 0 { mdb_txn_abort(transaction) }
    return code == MDB_PANIC
  }
}
