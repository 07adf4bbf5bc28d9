import Glibc
import LMDB
import Testing

/// What other processes do to a store, and what happens to those that may do less.
@Suite struct ProcessTests {
  /// A store with one commit.
  private func store(_ scratch: Scratch) throws -> String {
    let path = scratch("store")
    try Environment.create(path) { transaction in
      let log = try transaction.createDatabase("log", .integerKey)
      try withBytes("one") { try transaction.put(1, $0, log) }
    }
    return path
  }

  @Test func aKilledWriterLosesNothingAcknowledged() throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try Environment.create(path) { _ in }
    for round in 0..<20 {
      let helper = try Helper("write", path)
      var acknowledged = UInt64(helper.line() ?? "") ?? 0
      usleep(UInt32(round * 700))
      helper.kill()
      for line in helper.lines() { acknowledged = UInt64(line) ?? acknowledged }
      #expect(helper.wait() == .signal(SIGKILL))

      var options = Environment.Options()
      options.verification = .atOpen
      let environment = try Environment.open(path, options: options)
      let reader = try environment.beginRead()
      let log = try #require(try reader.database("log"))
      let count = UInt64(try reader.entryCount(log))
      #expect(count > acknowledged)
      for number in 0..<count {
        let value = try #require(try reader.get(number, log))
        #expect(value.count == Int(number % 97) * 97 && value.allSatisfy { $0 == UInt8(truncatingIfNeeded: number) })
      }
      #expect(try reader.entryCount(try #require(try reader.database("sets"))) == Int(count))
      reader.end()
      // The dead writer's turn is over.
      try environment.write(timeout: .seconds(2)) { _ in }
    }
  }

  /// A file in two folders has two locks: two writers would overwrite each other's commits.
  @Test func aFileWithAnotherNameIsRefused() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    for name in ["linked", "symlinked"] { #expect(mkdir(scratch(name), 0o700) == 0) }
    func refusal(_ path: String, readOnly: Bool) -> String? {
      var options = Environment.Options()
      options.readOnly = readOnly
      guard case .locksApart(_, let why)? = failure({ _ = try Environment.open(path, options: options) }) else {
        return nil
      }
      return why
    }
    #expect(link(path + "/data.mdb", scratch("linked/data.mdb")) == 0)
    for name in ["store", "linked"] {
      for readOnly in [true, false] {
        #expect(refusal(scratch(name), readOnly: readOnly)?.contains("2 names (hard links)") == true)
      }
    }
    #expect(unlink(scratch("linked/data.mdb")) == 0)
    #expect(symlink(path + "/data.mdb", scratch("symlinked/data.mdb")) == 0)
    #expect(refusal(scratch("symlinked"), readOnly: false)?.contains("symbolic link") == true)
    // The lock file of another store is as bad.
    try Environment.open(path).copy(to: scratch("copied"))
    for isSymbolic in [true, false] {
      let (lock, other) = (path + "/lock.mdb", scratch("copied/lock.mdb"))
      #expect((isSymbolic ? symlink(lock, other) : link(lock, other)) == 0)
      for readOnly in [true, false] {
        let why = refusal(scratch("copied"), readOnly: readOnly)
        #expect(why?.contains(isSymbolic ? "lock.mdb is a symbolic link" : "lock.mdb has 2 names") == true)
      }
      #expect(unlink(other) == 0)
    }
    // A folder by another name has the same locks.
    #expect(symlink(path, scratch("folder")) == 0)
    let reader = try Environment.open(scratch("folder")).beginRead()
    #expect(try reader.database("log") != nil)
    reader.end()
  }

  /// A process that opens the store after its lock file was deleted makes another, and neither sees the other's commits
  /// there.
  @Test(arguments: [1, 2, 3]) func commitsAfterTheLockFileWasDeletedAreNotOverwritten(commits: Int) throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    do {
      let environment = try Environment.open(path)
      try environment.write { _ = try $0.createDatabase("own", .integerKey) }
      #expect(unlink(path + "/lock.mdb") == 0)
      for _ in 0..<commits {
        let helper = try Helper("grow", path)
        #expect(helper.line() == "grown" && helper.wait() == .exit(0))
      }
      for _ in 0..<2 {
        let error = failure { try environment.write { _ = try $0.createDatabase("lost", .integerKey) } }
        guard case .locksApart(_, let why)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(why.contains("lock.mdb"))
      }
    }
    // Opened again, it has the lock file of the others.
    let environment = try Environment.open(path)
    try environment.write { _ = try $0.createDatabase("kept", .integerKey) }
    let reader = try environment.beginRead()
    defer { reader.end() }
    let large = try #require(try reader.database("large"))
    #expect(try reader.entryCount(large) == 400)
    #expect(try reader.database("own") != nil && reader.database("kept") != nil && reader.database("lost") == nil)
  }

  /// Nobody who opens a store beside a process that commits all the time is turned away. `OPENINGS` says how many try.
  @Test func openingBesideAWriterIsNotRefused() throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try Environment.create(path) { _ in }
    let helper = try Helper("write", path)
    #expect(helper.line() != nil)
    let count = getenv("OPENINGS").flatMap { Int(String(cString: $0)) } ?? 1_000
    var commits: Set<Int> = []
    for number in 0..<count {
      var options = Environment.Options()
      options.readOnly = number % 3 == 1
      let environment = try Environment.open(path, options: options)
      let reader = try environment.beginRead()
      commits.insert(reader.id)
      reader.end()
      if number % 50 == 2 { try environment.copy(to: scratch("copy\(number)")) }
    }
    #expect(commits.count > 10)
    helper.kill()
    _ = helper.wait()
  }

  @Test func aKilledMakerLeavesNothingAtThePath() throws {
    let scratch = try Scratch()
    for round in 0..<6 {
      let helper = try Helper("create", scratch("store"))
      usleep(UInt32(5_000 + round * 3_000))
      helper.kill()
      if helper.wait() == .exit(0) { break }
      #expect(failure { _ = try Environment.open(scratch("store")) } == .notFound(path: scratch("store")))
    }
    #expect(try Helper.result(["create", scratch("store")]) == "created")
    // Left-behind folders were cleared away by the next maker.
    #expect(names(in: scratch.path) == ["store"])
    #expect(try Environment.open(scratch("store")).beginRead().database("log") != nil)
  }

  @Test func writersOfSeveralProcessesTakeTurns() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    let helper = try Helper("hold-writer", path)
    #expect(helper.line() == "holding")
    #expect(failure { try environment.write(timeout: .milliseconds(30)) { _ in } }?.isWriterBusy == true)
    #expect(failure { try environment.write(timeout: .zero) { _ in } }?.isWriterBusy == true)
    helper.goOn()
    try environment.write(timeout: .seconds(5)) { _ in }
    #expect(helper.wait() == .exit(0))

    let answer = try environment.write { _ in try Helper.result(["try-writer", path]) }
    #expect(answer == "error: busy")
    #expect(try Helper.result(["try-writer", path]) == "written")
  }

  /// Who waits is told who has the turn and for how long, also after an earlier holder was killed.
  @Test func whoHoldsTheTurnIsKnown() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    let first = try Helper("hold-writer", path)
    #expect(first.line() == "holding")
    first.kill()
    _ = first.wait()
    try environment.write(timeout: .seconds(5)) { _ in }

    let helper = try Helper("hold-writer", path)
    #expect(helper.line() == "holding")
    usleep(300_000)
    var reports: [(WriterHolder?, Duration)] = []
    let wait = WriterWait(isCancelled: nil) { reports.append(($0, $1)) }
    guard
      case .writerBusy(let holder?) = failure({
        try environment.write(timeout: .milliseconds(1200), wait: wait) { _ in }
      })
    else {
      Issue.record("the turn came, or nobody knows who has it")
      return
    }
    #expect(holder.processID == helper.pid)
    #expect(holder.duration.map { $0 >= .milliseconds(1400) } == true, "\(holder)")
    #expect(reports.count == 2 && reports.allSatisfy { $0.0?.processID == helper.pid && $0.1 >= .milliseconds(500) })
    helper.goOn()
    #expect(helper.wait() == .exit(0))
  }

  @Test func aWaitCanBeGivenUp() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    let helper = try Helper("hold-writer", path)
    #expect(helper.line() == "holding")
    var looks = 0
    let wait = WriterWait(
      isCancelled: {
        looks += 1; return looks > 3
      }, report: nil)
    #expect(failure { try environment.write(wait: wait) { _ in } } == .cancelled)
    #expect(looks == 4)
    helper.goOn()
    _ = helper.wait()
    // And in a process that waits for another of its threads.
    let outcome = Outcome()
    try environment.write { _ in
      runInThread {
        let wait = WriterWait(isCancelled: { true }, report: nil)
        outcome.error = failure { try environment.write(wait: wait) { _ in } }
      }
    }
    #expect(outcome.error == .cancelled)
    try environment.write { _ in
      runInThread { outcome.error = failure { try environment.write(timeout: .milliseconds(1)) { _ in } } }
    }
    guard case .writerBusy(let holder?) = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(holder.processID == getpid())
  }

  private final class Outcome: @unchecked Sendable { var error: LMDBError? }

  @Test func readersOfDeadProcessesAreForgotten() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    // What the first process says counts, as long as there is no lock file.
    var options = Environment.Options()
    options.maximumReaders = 60
    unlink(path + "/lock.mdb")
    let environment = try Environment.open(path, options: options)
    try environment.beginRead().end()
    let helper = try Helper("hold-reader", path)
    #expect(helper.line() == "holding")
    #expect(try environment.statistics().readers == 50)
    try environment.write { transaction in
      try withBytes("two") { try transaction.put(2, $0, try #require(try transaction.database("log"))) }
    }
    #expect(try environment.statistics().oldestReaderLag >= 1)
    // With those of the other process there is no room for so many.
    var mine: [ReadTransaction] = []
    #expect(failure { for _ in 0..<40 { mine.append(try environment.beginRead()) } } == .readersFull(maximum: 60))
    mine = []
    helper.kill()
    _ = helper.wait()
    for _ in 0..<40 { mine.append(try environment.beginRead()) }
    #expect(mine.count == 40)
  }

  @Test func aChildOfAForkIsRefused() throws {
    let scratch = try Scratch()
    #expect(try Helper.result(["fork", try store(scratch)]) == "child 0, readers 1")
  }

  @Test func theMapIsAQuarterOfALimitedAddressSpaceAtMost() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let result = try Helper.result(["limited", path])
    let size = Int(result.split(separator: " ").last ?? "") ?? 0
    #expect(result.hasPrefix("map") && size <= 1_024 && size >= 128, "\(result)")
    #expect(try Environment.open(path).statistics().mapSize == 1 << 40)
  }

  @Test func aDiskThatIsFullIsSaidSo() throws {
    let scratch = try Scratch()
    let result = try Helper.result(["full", scratch.path])
    if result == "skipped" { return print("SKIPPED: a disk that is full: no right to mount") }
    #expect(result == "system \(ENOSPC), system \(ENOSPC), entries 1")
  }

  /// `ulimit -f`: neither a signal nor a lost commit.
  @Test func aFileThatMayNotGrowIsSaidSo() throws {
    let scratch = try Scratch()
    let result = try Helper.result(["file-size", try store(scratch)])
    #expect(result == "system \(EFBIG), some written, goes on")
  }

  @Test func withoutDescriptorsThereIsAnError() throws {
    let scratch = try Scratch()
    #expect(try Helper.result(["descriptors", try store(scratch)]) == "system \(EMFILE), then opens")
  }

  @Test func aFullDiskCanBeRead() throws {
    let scratch = try Scratch()
    let result = try Helper.result(["full-reading", scratch.path])
    if result == "skipped" { return print("SKIPPED: reading on a full disk: no right to mount") }
    #expect(result == "system \(ENOSPC), read 1")
  }

  /// A folder in place of a file, a file in place of the folder, and one store by several spellings of its path.
  @Test func otherThingsAtThePath() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    symlink(path, scratch("link"))
    for spelling in [path + "/", path + "/.", scratch("link"), scratch.path + "/./store", path + "//"] {
      #expect(try Environment.open(spelling) === environment, "\(spelling)")
    }
    mkdir(scratch("odd"), 0o700)
    mkdir(scratch("odd/data.mdb"), 0o700)
    close(open(scratch("file"), O_CREAT | O_WRONLY, 0o600))
    for name in ["odd", "file"] {
      do {
        _ = try Environment.open(scratch(name))
        Issue.record("\(name) opens")
      } catch LMDBError.notAStore(let path, _) { #expect(path == scratch(name)) }
    }
  }

  @Test func aStoreOnReadOnlyMediaCanBeRead() throws {
    let scratch = try Scratch()
    let result = try Helper.result(["read-only-media", scratch.path])
    if result == "skipped" { return print("SKIPPED: read-only media: no right to mount") }
    #expect(result == "system \(EROFS), read 1")
  }

  @Test func withoutRightsThereIsAnError() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    chmod(scratch.path, 0o755)
    #expect(try Helper.result(["as-nobody", path, "write"]) == (getuid() == 0 ? "error: system \(EACCES)" : "read 1"))
    guard getuid() == 0 else { return print("SKIPPED: other rights: not root") }
    // A folder that may be read and not written: reading works, and keeps writers waiting meanwhile.
    chmod(path, 0o755)
    chmod(path + "/data.mdb", 0o644)
    #expect(try Helper.result(["as-nobody", path, "write"]) == "error: system \(EACCES)")
    #expect(try Helper.result(["as-nobody", path, "read"]) == "read 1")
  }

  @Test func filesAndFoldersAreTheirOwnersOnly() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    _ = try Environment.open(path)
    for (name, mode) in [("", 0o700), ("/data.mdb", 0o600), ("/lock.mdb", 0o600)] as [(String, mode_t)] {
      var status = stat()
      #expect(stat(path + name, &status) == 0 && status.st_mode & 0o777 == mode)
    }
  }
}
