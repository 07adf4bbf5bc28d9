import CLMDB
import Glibc
import Synchronization

extension Environment {
  /// Begins a snapshot of the last commit. Throws `superseded` if that is in another file, the `successor`.
  package func beginRead() throws(LMDBError) -> ReadTransaction {
    try reopening { () throws(LMDBError) in try beginReadOnce() }
  }

  private func beginReadOnce() throws(LMDBError) -> ReadTransaction {
    try checkProcess()
    monitor.lock()
    defer { monitor.unlock() }
    while state.isRemapping {
      if !monitor.wait(until: Deadline(after: .seconds(10))) { throw .busy }
    }
    try beginSharing()
    do throws(LMDBError) {
      for _ in 0..<100 {
        let raw = try beginRawRead()
        do throws(LMDBError) {
          if try knowsDatabases(of: raw) {
            // Before the other file has taken its place, the marked one is the newest state.
            if isReplaced { throw .superseded }
            state.slots?.note(raw, state.label)
            state.readerCount += 1
            return ReadTransaction(environment: self, raw: raw)
          }
        } catch {
          recycle(raw)
          throw error
        }
        recycle(raw)
        try openNewDatabases()
      }
      throw .badDatabase
    } catch {
      endSharing()
      throw error
    }
  }

  /// Runs `body` in a write transaction and commits it; if `body` throws, everything is undone. When the map is too
  /// small, it is enlarged and `body` runs again, so `body` must be repeatable.
  package func write<R>(
    timeout: Duration? = nil, wait: WriterWait = WriterWait(), _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    while true {
      let transaction = try beginWrite(timeout: timeout, wait: wait)
      do {
        let result = try body(transaction)
        try transaction.commit()
        return result
      } catch {
        transaction.abort()
        guard transaction.metFullMap else { throw error }
        try growMap()
      }
    }
  }

  /// Begins the write transaction after waiting for the writer lock. It must be ended on this thread. Throws `superseded`
  /// if another file has taken the place of this one, the `successor`.
  package func beginWrite(
    timeout: Duration? = nil, wait: WriterWait = WriterWait()
  ) throws(LMDBError) -> WriteTransaction {
    try reopening { () throws(LMDBError) in try beginWriteOnce(timeout: timeout, wait: wait) }
  }

  private func beginWriteOnce(timeout: Duration?, wait: WriterWait) throws(LMDBError) -> WriteTransaction {
    try checkProcess()
    guard !options.readOnly else { throw .readOnly }
    try usable()
    try gate.enter(timeout: timeout, wait)
    do throws(LMDBError) {
      clearStaleReaders(atMostEvery: 10_000_000_000)
      for _ in 0..<100 {
        monitor.lock()
        let openings = state.openings
        monitor.unlock()
        let raw = try beginRawWrite()
        do throws(LMDBError) {
          try checkIsNewest(raw)
          try checkForWriting()
          try settleContests(commit: UInt64(mdb_txn_id(raw)) &- 1, isFreeing: false)
          monitor.lock()
          defer { monitor.unlock() }
          // A reader may have opened handles since this transaction began.
          if state.openings == openings, try knowsDatabases(of: raw, writing: true) {
            try checkIsInPlace()
            return WriteTransaction(environment: self, raw: raw)
          }
        } catch {
          mdb_txn_abort(raw)
          if case .compactionUnfinished = error {
            try finishCutOffCompaction()
            throw .superseded
          }
          throw error
        }
        mdb_txn_abort(raw)
        monitor.lock()
        defer { monitor.unlock() }
        try openNewDatabases()
      }
      throw .badDatabase
    } catch {
      gate.leave()
      throw error
    }
  }

  /// Implements `ReadTransaction.end`.
  func endRead(_ raw: OpaquePointer) {
    // In a forked child the slot is the parent's.
    guard (try? checkProcess()) != nil else { return }
    monitor.lock()
    state.readerCount -= 1
    recycle(raw)
    endSharing()
    if state.readerCount == 0, state.isRemapping { monitor.wakeAll() }
    monitor.unlock()
  }

  /// Implements `WriteTransaction.commit`.
  func commit(
    _ raw: OpaquePointer, id: Int, created: [Database], dropped: [Database]
  ) throws(LMDBError) {
    defer { gate.leave() }
    guard dropped.isEmpty else { return try commitDropping(raw, id: id, created: created, dropped: dropped) }
    if created.isEmpty {
      let code = mdb_txn_commit(raw)
      guard code == 0 else { throw failedCommit(code, id) }
      monitor.lock()
      advanceKnownCommit(to: id)
      monitor.unlock()
      return
    }
    // LMDB publishes new handles when it ends the transaction: no transaction may begin meanwhile.
    monitor.lock()
    defer { monitor.unlock() }
    let code = mdb_txn_commit(raw)
    guard code == 0 else { throw failedCommit(code, id) }
    adopt(created)
    advanceKnownCommit(to: id)
  }

  private func commitDropping(
    _ raw: OpaquePointer, id: Int, created: [Database], dropped: [Database]
  ) throws(LMDBError) {
    monitor.lock()
    defer { monitor.unlock() }
    var gone: [Database] = []
    if state.readerCount == 0 {
      for database in dropped {
        let code = mdb_drop(raw, database.dbi, 1)
        if code != 0 {
          mdb_txn_abort(raw)
          forget(gone)
          throw error(code, "removing a database from")
        }
        gone.append(database)
      }
    }
    let code = mdb_txn_commit(raw)
    forget(gone)
    guard code == 0 else { throw failedCommit(code, id) }
    adopt(created.filter { !gone.contains($0) })
    advanceKnownCommit(to: id)
  }

  /// Implements `WriteTransaction.abort`.
  func abort(_ raw: OpaquePointer, isOwner: Bool) {
    guard isOwner, (try? checkProcess()) != nil else {
      // LMDB's mutex can be released only by its owner. Refusing all writes is better than a deadlock; and since the
      // owner's list of robust mutexes passes through this one, its memory must stay mapped: the environment is never
      // closed.
      monitor.lock()
      state.failure = .wrongThread
      monitor.unlock()
      gate.abandon()
      _ = Unmanaged.passRetained(self)
      return
    }
    monitor.lock()
    mdb_txn_abort(raw)
    monitor.unlock()
    gate.leave()
  }

  /// After a commit by this process, the databases of the file are known if they were known before. A commit without
  /// changes leaves no trace: the next one has the same number.
  private func advanceKnownCommit(to id: Int) {
    var info = MDB_envinfo()
    if state.knownCommit == id - 1, let raw = state.raw, mdb_env_info(raw, &info) == 0, Int(info.me_last_txnid) == id {
      state.knownCommit = id
    }
  }

  private func adopt(_ created: [Database]) {
    for database in created { state.add(database) }
  }

  /// After their handles were closed, whether or not the commit went well.
  private func forget(_ dropped: [Database]) {
    for database in dropped { state.forget(database) }
    if !dropped.isEmpty { state.knownCommit = -1 }
  }
}

// MARK: - LMDB's transactions

extension Environment {
  /// A read transaction of LMDB, reusing an idle one if possible. The monitor is held.
  func beginRawRead() throws(LMDBError) -> OpaquePointer {
    if let failure = state.failure { throw failure }
    var mayClear = true
    var mayGrow = true
    while true {
      var raw = state.idleReaders.popLast()
      let code: Int32
      if let idle = raw {
        code = mdb_txn_renew(idle)
        if code != 0 { giveUp(idle) }
      } else {
        code = mdb_txn_begin(try self.raw, nil, UInt32(MDB_RDONLY), &raw)
        if code == 0, let raw { state.slots?.add(raw, commit: Int(mdb_txn_id(raw))) }
      }
      if code == 0, let raw { return raw }
      if code == MDB_READERS_FULL, mayClear {
        mayClear = false
        clearStaleReaders(atMostEvery: 0)
      } else if code == MDB_MAP_RESIZED, mayGrow {
        mayGrow = false
        try followGrowth()
      } else {
        throw error(code, "beginning to read")
      }
    }
  }

  /// Keeps a read transaction for the next reader. The monitor is held.
  func recycle(_ raw: OpaquePointer) {
    if state.idleReaders.count < 8 {
      mdb_txn_reset(raw)
      state.idleReaders.append(raw)
    } else {
      giveUp(raw)
    }
  }

  /// Ends a read transaction of LMDB for good, and frees its slot. The monitor is held.
  private func giveUp(_ raw: OpaquePointer) {
    state.slots?.forget(raw)
    mdb_txn_abort(raw)
  }

  /// What the readers of this process that begin from now on say about themselves, to every process.
  package var label: ReaderLabel {
    get {
      monitor.lock()
      defer { monitor.unlock() }
      return state.label
    }
    set {
      monitor.lock()
      defer { monitor.unlock() }
      state.label = newValue
    }
  }

  /// LMDB's environment. It stays open while this thread is the writer.
  @discardableResult
  private func usable() throws(LMDBError) -> OpaquePointer {
    monitor.lock()
    defer { monitor.unlock() }
    if let failure = state.failure { throw failure }
    return try raw
  }

  /// The write transaction of LMDB. This thread holds the writer lock.
  private func beginRawWrite() throws(LMDBError) -> OpaquePointer {
    var mayGrow = true
    while true {
      let environment = try usable()
      var raw: OpaquePointer?
      let code = mdb_txn_begin(environment, nil, 0, &raw)
      if code == 0, let raw { return raw }
      guard code == MDB_MAP_RESIZED, mayGrow else { throw error(code, "beginning to write to") }
      mayGrow = false
      monitor.lock()
      defer { monitor.unlock() }
      try followGrowth()
    }
  }

  /// Checks that a new write transaction builds on the newest commit in the file. LMDB takes its number from the lock
  /// file, and would overwrite the commits of processes that use another one.
  private func checkIsNewest(_ raw: OpaquePointer) throws(LMDBError) {
    let header = try FileHeader.read(file.data, path: dataPath)
    monitor.lock()
    state.overwritten = header.previous
    monitor.unlock()
    guard UInt64(mdb_txn_id(raw)) == header.newest.commit &+ 1 else {
      throw .locksApart(
        path: path,
        why: "its lock.mdb was deleted or replaced while in use; close the store in every process, and open it again")
    }
  }

  /// Checks that the file is the one that others open, so that nothing is written where nobody reads it. This thread has
  /// the writer lock, so no compaction changes that, and has looked for the mark.
  private func checkIsInPlace() throws(LMDBError) {
    guard isShared else { return }
    switch (file.place, superseded.load(ordering: .acquiring)) {
    case (.another, true): throw .superseded
    case (.here, true): throw .compactionUnfinished
    case (.another, false):
      throw .locksApart(
        path: path, why: "its data.mdb was replaced while in use; close the store in every process, and open it again")
    case (.nothing, _), (.here, false): return
    }
  }

  /// Frees the reader slots of processes that died, unless that was done lately.
  func clearStaleReaders(atMostEvery interval: UInt64) {
    let now = Deadline.coarseNow
    monitor.lock()
    let isDue = interval == 0 || now &- state.lastReaderCheck >= interval
    if isDue { state.lastReaderCheck = now }
    let raw = state.raw
    monitor.unlock()
    if isDue, let raw { _ = mdb_reader_check(raw, nil) }
  }
}
