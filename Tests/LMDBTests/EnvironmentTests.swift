import Glibc
import LMDB
import Testing

@Suite struct EnvironmentTests {
  private func store(_ scratch: Scratch, _ name: String = "store") throws -> String {
    try Environment.create(scratch(name)) { try $0.put("a", "one", $0.createDatabase("texts")) }
    return scratch(name)
  }

  @Test func aFileIsOpenOnceInAProcess() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    symlink(path, scratch("link"))
    var first: Environment? = try Environment.open(path)
    let second = try Environment.open(scratch("link"))
    #expect(first === second)
    first = nil
    #expect(try Environment.open(path + "/") === second)
    let reader = try second.beginRead()
    #expect(try reader.text("a", try #require(try reader.database("texts"))) == "one")
  }

  @Test func itIsClosedWithTheLastWhoHasIt() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    weak var closed: Environment?
    do {
      let environment = try Environment.open(path)
      closed = environment
      _ = try environment.beginRead()
    }
    #expect(closed == nil)
    #expect(try Environment.open(path).statistics().readers == 0)
  }

  @Test func openingAndClosingOnManyThreadsIsSafe() async throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for round in 0..<25 {
            #expect(throws: Never.self) {
              let environment = try Environment.open(path)
              try environment.write { transaction in
                try transaction.put("\(thread) \(round)", "x", try #require(try transaction.database("texts")))
              }
            }
          }
        }
      }
    }
    let reader = try Environment.open(path).beginRead()
    #expect(try reader.entryCount(try #require(try reader.database("texts"))) == 201)
  }

  @Test func whatIsThereIsNotReplaced() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    #expect(failure { try Environment.create(path) { _ in } } == .alreadyExists(path: path))
    // A folder with something in it is somebody's; an empty one is a place for a store.
    mkdir(scratch("other"), 0o755)
    close(open(scratch("other") + "/file", O_CREAT | O_WRONLY, 0o600))
    #expect(failure { try Environment.create(scratch("other")) { _ in } } == .alreadyExists(path: scratch("other")))
    mkdir(scratch("empty"), 0o755)
    try Environment.create(scratch("empty")) { _ in }
    _ = try Environment.open(scratch("empty"))
    #expect(failure { try Environment.create(scratch("missing/store")) { _ in } } != nil)
  }

  @Test func whatFailsInMakingLeavesNothing() throws {
    struct Stop: Error {}
    let scratch = try Scratch()
    #expect(throws: Stop.self) { try Environment.create(scratch("store")) { _ in throw Stop() } }
    #expect(rmdir(scratch("store")) != 0)
    // Nor beside it: the scratch folder is empty.
    #expect(rmdir(scratch.path) == 0)
  }

  @Test func aMapThatCannotBeHadIsHalved() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    var options = Environment.Options()
    // More than a process has.
    options.maximumMapSize = 1 << 56
    let environment = try Environment.open(path, options: options)
    let size = try environment.statistics().mapSize
    #expect(size >= 1 << 40 && size < 1 << 56)
    try environment.write { try $0.put("b", "two", try #require(try $0.database("texts"))) }
    let reader = try environment.beginRead()
    #expect(try reader.text("b", try #require(try reader.database("texts"))) == "two")
  }

  @Test func theMapGrowsWhenItIsFull() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    var options = Environment.Options()
    options.initialMapSize = 1 << 20
    options.maximumMapSize = 1 << 24
    options.remapTimeout = .milliseconds(50)
    let environment = try Environment.open(path, options: options)
    func write(_ count: UInt64) throws -> Int {
      var runs = 0
      try environment.write { transaction in
        runs += 1
        let database = try transaction.createDatabase("large", .integerKey)
        let value = [UInt8](repeating: 1, count: 1 << 20)
        for number in 0..<count { try value.withUnsafeBytes { try transaction.put(number, $0, database) } }
      }
      return runs
    }
    // Not while somebody here reads through the old map.
    let before = try environment.beginRead()
    #expect(failure { _ = try write(5) } == .mapFull(size: 1 << 20))
    #expect(try before.text("a", try #require(try before.database("texts"))) == "one")
    before.end()
    #expect(try write(5) == 4)
    #expect(try environment.statistics().mapSize == 1 << 23)
    // There is no more than was allowed.
    #expect(failure { _ = try write(20) } == .mapFull(size: 1 << 24))
    let reader = try environment.beginRead()
    #expect(try reader.text("a", try #require(try reader.database("texts"))) == "one")
    #expect(try reader.entryCount(try #require(try reader.database("large"))) == 5)
  }

  @Test func anotherProcessMayGrowTheFile() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    var options = Environment.Options()
    options.maximumMapSize = 1 << 20
    options.remapTimeout = .milliseconds(50)
    let environment = try Environment.open(path, options: options)
    let before = try environment.beginRead()
    #expect(try Helper.result(["grow", path]) == "grown")
    // Not while somebody reads through the old map.
    #expect(failure { _ = try environment.beginRead() } == .mapResized)
    #expect(try before.text("a", try #require(try before.database("texts"))) == "one")
    before.end()
    let after = try environment.beginRead()
    #expect(try after.entryCount(try #require(try after.database("large"))) == 400)
    after.end()
    try environment.write { try $0.put("b", "two", try #require(try $0.database("texts"))) }
  }

  @Test func databasesOfOtherProcessesAreSeen() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    #expect(try environment.beginRead().database("large") == nil)
    // A transaction that changes nothing has the number that the other's commit will have.
    try environment.write { _ in }
    #expect(try Helper.result(["grow", path]) == "grown")
    #expect(try environment.beginRead().database("large") != nil)
    try environment.write { transaction in
      let database = try #require(try transaction.database("large"))
      try transaction.delete(3, database)
      _ = try transaction.createDatabase("more")
    }
  }

  @Test func aReaderTooManyIsAnError() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    var options = Environment.Options()
    options.maximumReaders = 10
    unlink(path + "/lock.mdb")
    let environment = try Environment.open(path, options: options)
    var readers = try (0..<10).map { _ in try environment.beginRead() }
    #expect(failure { _ = try environment.beginRead() } == .readersFull(maximum: 10))
    readers.removeLast().end()
    readers.append(try environment.beginRead())
    #expect(readers.count == 10)
  }

  @Test func statisticsTellWhoReads() throws {
    let scratch = try Scratch()
    let environment = try Environment.open(try store(scratch))
    #expect(try environment.statistics().oldestReader == nil)
    let reader = try environment.beginRead()
    for number in 0..<3 {
      try environment.write { try $0.put("\(number)", "x", try #require(try $0.database("texts"))) }
    }
    let statistics = try environment.statistics()
    let oldest = try #require(statistics.oldestReader)
    #expect(statistics.oldestReaderLag == 3 && statistics.readers == 1 && oldest.commit == reader.id)
    #expect(oldest.processID == getpid() && oldest.isAgeExact && oldest.program?.isEmpty == false)
    #expect(oldest.command?.contains(oldest.program ?? "-") == true, "\(oldest)")
    #expect(try #require(oldest.age) < .seconds(60))
    #expect(statistics.lastCommit == reader.id + 3)
    #expect(environment.pageSize == statistics.pageSize)
    #expect(statistics.fileSize >= (statistics.usedPages - statistics.freePages) * statistics.pageSize)
    #expect(statistics.freePages > 0)
    reader.end()
    #expect(try environment.statistics().oldestReaderLag == 0)
  }

  @Test func aReadOnlyEnvironmentWritesNothing() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    var options = Environment.Options()
    options.readOnly = true
    let environment = try Environment.open(path, options: options)
    #expect(failure { try environment.write { _ in } } == .readOnly)
    #expect(failure { _ = try Environment.open(path) } == .readOnly)
    #expect(try environment.beginRead().database("texts") != nil)
  }

  @Test func aCopyThatIsGivenUpLeavesNothing() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    try environment.write { transaction in
      let database = try transaction.createDatabase("large", .integerKey)
      let value = [UInt8](repeating: 7, count: 1 << 16)
      for number in UInt64(0)..<100 { try value.withUnsafeBytes { try transaction.put(number, $0, database) } }
    }
    for most in [0, 1, 3] {
      var looks = 0
      let error = failure {
        try environment.copy(to: scratch("copy")) {
          looks += 1
          return looks > most
        }
      }
      #expect(error == .cancelled)
      #expect(names(in: scratch.path) == ["store"])
    }
    try environment.copy(to: scratch("copy")) { false }
    let copy = try Environment.open(scratch("copy")).beginRead()
    #expect(try copy.entryCount(try #require(try copy.database("large"))) == 100)
  }

  @Test func threadsTakeTurnsAndTimeOut() async throws {
    let environment = try Environment.inMemory()
    final class Outcome: @unchecked Sendable { var error: LMDBError? }
    let outcome = Outcome()
    // No waiting for tasks inside a write: it could go on on another thread.
    try environment.write { _ in
      runInThread { outcome.error = failure { try environment.write(timeout: .milliseconds(20)) { _ in } } }
    }
    #expect(outcome.error?.isWriterBusy == true)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for round in 0..<50 {
            #expect(throws: Never.self) {
              try environment.write { try $0.put("\(thread) \(round)", "x", try $0.createDatabase("texts")) }
              let reader = try environment.beginRead()
              _ = try reader.text("\(thread) \(round)", try #require(try reader.database("texts")))
            }
          }
        }
      }
    }
    let reader = try environment.beginRead()
    #expect(try reader.entryCount(try #require(try reader.database("texts"))) == 200)
  }

  @Test func errorsSayWhatHappened() {
    #expect("\(LMDBError.truncated(path: "/s/data.mdb", pages: 3, needed: 7))".contains("cut short"))
    let full = LMDBError.system(ENOSPC, doing: "writing to", path: "/s/data.mdb")
    #expect("\(full)" == "writing to /s/data.mdb: No space left on device")
    #expect(LMDBError.truncated(path: "", pages: 1, needed: 2).isDamage && !LMDBError.busy.isDamage)
  }
}
