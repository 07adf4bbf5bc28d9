import Glibc
import LMDB
import Testing

/// A file whose place a compact copy takes: who reads goes on, who comes later finds the copy, whatever was cut off.
@Suite struct CompactionTests {
  /// A store with one large value and much free room.
  private func store(_ scratch: Scratch, _ name: String = "store") throws -> String {
    let path = scratch(name)
    try Environment.create(path) { transaction in
      let log = try transaction.createDatabase("log", .integerKey)
      let value = [UInt8](repeating: 7, count: 20_000)
      for number in UInt64(0)..<100 { try value.withUnsafeBytes { try transaction.put(number, $0, log) } }
    }
    let environment = try Environment.open(path)
    try environment.write { transaction in
      let log = try #require(try transaction.database("log"))
      for number in UInt64(0)..<99 { try transaction.delete(number, log) }
    }
    return path
  }

  private func count(_ environment: Environment) throws -> Int {
    let reader = try environment.beginRead()
    defer { reader.end() }
    return try reader.entryCount(try #require(try reader.database("log")))
  }

  private func add(_ number: UInt64, _ environment: Environment) throws {
    try environment.write { transaction in
      let log = try #require(try transaction.database("log"))
      try withUnsafeBytes(of: number) { try transaction.put(number, $0, log) }
    }
  }

  @Test func theCopyTakesThePlace() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    chmod(path + "/data.mdb", 0o640)
    let environment = try Environment.open(path)
    let last = environment.lastCommit
    let old = try environment.beginRead()
    let sizes = try environment.compact()
    #expect(sizes.before > 2_000_000 && sizes.after < 100_000, "\(sizes)")
    #expect(names(in: path) == ["data.mdb", "lock.mdb"])
    var status = stat()
    #expect(stat(path + "/data.mdb", &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(Int(status.st_size) == sizes.after)

    // The old file is read by who reads it, and by nobody else.
    #expect(try old.entryCount(try #require(try old.database("log"))) == 1)
    #expect(failure { _ = try environment.beginRead() } == .superseded)
    #expect(failure { try environment.write { _ in } } == .superseded)
    let next = try environment.successor()
    #expect(try next !== environment && Environment.open(path) === next)
    #expect(next.lastCommit == last + 2)
    try add(200, next)
    #expect(try count(next) == 2)
    #expect(try old.entryCount(try #require(try old.database("log"))) == 1)
    old.end()
    // Once more, from the copy.
    try next.compact()
    #expect(try count(try next.successor()) == 2)
    #expect(try next.successor().checkPages().data == [])
  }

  /// A process that closes the old file drops no locks of the new one.
  @Test func readersOfTheNewFileOutliveTheOldOne() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    var old: Environment? = try Environment.open(path)
    try old?.compact()
    let next = try #require(try old?.successor())
    let reader = try next.beginRead()
    old = nil
    for number in UInt64(300)..<340 { try add(number, next) }
    let helper = try Helper("grow", path)
    #expect(helper.line() == "grown" && helper.wait() == .exit(0))
    #expect(try next.statistics().readers == 1)
    #expect(try reader.entryCount(try #require(try reader.database("log"))) == 1)
  }

  @Test func nobodyElseWritesMeanwhile() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    let answers = Answers()
    try environment.compact(noting: { _ in answers.add(try Helper.result(["try-writer", path])) })
    #expect(answers.all == ["error: busy", "error: busy"])
    #expect(try Helper.result(["try-writer", path]) == "written")
  }

  private final class Answers {
    private(set) var all: [String] = []
    func add(_ answer: String) { all.append(answer) }
  }

  @Test func whatFailsLeavesTheStoreAsItWas() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    let last = environment.lastCommit
    struct Refused: Error {}
    let over = WriterWait(isCancelled: { true }, report: nil)
    #expect(failure { try environment.compact(wait: over) } == .cancelled)
    #expect(throws: Refused.self) { try environment.compact(noting: { _ in throw Refused() }) }
    #expect(throws: Refused.self) { try environment.compact { _ in throw Refused() } }
    try environment.write { _ in #expect(failure { try environment.compact() } == .nestedWrite) }
    #expect(names(in: path) == ["data.mdb", "lock.mdb"])
    #expect(environment.lastCommit == last)
    try add(7, environment)
    #expect(try count(environment) == 2)
    var options = Environment.Options()
    options.readOnly = true
    let other = try store(scratch, "other")
    #expect(failure { try Environment.open(other, options: options).compact() } == .readOnly)
  }

  // MARK: Cut off

  /// What a compaction leaves when it is killed after the mark: the marked file and the copy, in a folder of their own.
  private func cutOff(_ scratch: Scratch, _ name: String, hasCopy: Bool, hasNewLock: Bool) throws -> String {
    let source = try store(scratch, name + "-source")
    let path = scratch(name)
    mkdir(path, 0o700)
    mkdir(path + "/compacting", 0o700)
    do {
      let environment = try Environment.open(source)
      try environment.compact { _ in
        // The inode gets the mark afterwards.
        link(source + "/data.mdb", path + "/data.mdb")
        if hasCopy { link(source + "/compacting/data.mdb", path + "/compacting/data.mdb") }
      }
    }
    // Whole by now, with names of their own.
    for file in [source + "/data.mdb", source + "/lock.mdb"] { unlink(file) }
    if hasNewLock { close(open(path + "/lock.mdb", O_CREAT | O_RDWR, 0o600)) }
    if !hasCopy { rmdir(path + "/compacting") }
    return path
  }

  @Test(arguments: [true, false], [true, false]) func whoWritesFinishes(hasCopy: Bool, hasNewLock: Bool) throws {
    let scratch = try Scratch()
    let path = try cutOff(scratch, "store", hasCopy: hasCopy, hasNewLock: hasNewLock)
    var options = Environment.Options()
    options.readOnly = true
    var commit = 0
    do {
      // Who only reads leaves it as it is.
      let reading = try Environment.open(path, options: options)
      #expect(try count(reading) == 1)
      commit = reading.lastCommit
      #expect(try Helper.result(["try-writer", path]) == "written")
      // From then on it reads the new file.
      #expect(failure { _ = try reading.beginRead() } == .superseded)
      #expect(try count(try reading.successor()) == 1)
    }
    #expect(names(in: path) == ["data.mdb", "lock.mdb"])
    let environment = try Environment.open(path)
    #expect(environment.lastCommit > commit)
    #expect(try count(environment) == 1)
    try add(9, environment)
    #expect(try count(environment) == 2)
    #expect(try environment.checkPages().data == [] && environment.checkPages().room == [])
  }

  /// Who has the marked file open when the compaction is killed finishes it with the next write.
  @Test func whoHasItOpenFinishes() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    let reader = try environment.beginRead()
    let helper = try Helper("compact-until-mark", path)
    #expect(helper.line() == "marked")
    helper.kill()
    _ = helper.wait()
    #expect(names(in: path).contains("compacting"))
    #expect(try count(environment) == 1)
    #expect(failure { try add(5, environment) } == .superseded)
    #expect(names(in: path) == ["data.mdb", "lock.mdb"])
    try add(5, try environment.successor())
    #expect(try count(try environment.successor()) == 2)
    #expect(try reader.entryCount(try #require(try reader.database("log"))) == 1)
  }

  @Test func leftoversAreRemoved() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    mkdir(path + "/compacting", 0o700)
    close(open(path + "/compacting/data.mdb", O_CREAT | O_WRONLY, 0o600))
    var options = Environment.Options()
    options.readOnly = true
    #expect(try count(try Environment.open(path, options: options)) == 1)
    #expect(names(in: path) == ["compacting", "data.mdb", "lock.mdb"])
    #expect(try count(try Environment.open(path)) == 1)
    #expect(names(in: path) == ["data.mdb", "lock.mdb"])
    let environment = try Environment.open(path)
    mkdir(path + "/compacting", 0o700)
    try environment.compact()
    #expect(names(in: path) == ["data.mdb", "lock.mdb"])
  }

  /// The file was replaced by somebody who does not know compactions: nothing is written to the old one.
  @Test func aFileReplacedByHandIsNotWritten() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    try environment.copy(to: scratch("copy"))
    #expect(rename(scratch("copy/data.mdb"), path + "/data.mdb") == 0)
    guard case .locksApart(_, let why)? = failure({ try environment.write { _ in } }) else {
      Issue.record("it is written to")
      return
    }
    #expect(why.contains("data.mdb was replaced"))
    #expect(try count(environment) == 1)
  }

  @Test func aFullDiskLeavesTheStoreAsItWas() throws {
    let scratch = try Scratch()
    let result = try Helper.result(["full-compacting", scratch.path])
    if result == "skipped" { return print("SKIPPED: compacting on a full disk: no right to mount") }
    #expect(result == "system \(ENOSPC), entries 2, then written")
  }

  /// Openings in another process, again and again, while the file is replaced again and again: each finds all of it.
  @Test func openingsMeetWholeFiles() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let helpers = try [Helper("open-again", path), Helper("open-again", path)]
    for helper in helpers { #expect(helper.line() == "opening") }
    var environment = try Environment.open(path)
    for number in UInt64(1_000)..<1_100 {
      try environment.compact()
      environment = try environment.successor()
      try add(number, environment)
    }
    for helper in helpers {
      helper.goOn()
      #expect(helper.lines() == ["done"])
      #expect(helper.wait() == .exit(0))
    }
    #expect(try count(environment) == 101)
  }
}
