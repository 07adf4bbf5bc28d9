import Glibc
import LMDB
import Testing

/// Who reads, since when and for what, in every process: what the slots of the lock file say.
@Suite struct ReaderSlotsTests {
  private func store(_ scratch: Scratch) throws -> String {
    let path = scratch("store")
    try Environment.create(path) { transaction in
      let log = try transaction.createDatabase("log", .integerKey)
      try withBytes("one") { try transaction.put(1, $0, log) }
    }
    return path
  }

  private func commit(_ environment: Environment, _ key: UInt64) throws {
    try environment.write { transaction in
      try withBytes("more") { try transaction.put(key, $0, try #require(try transaction.database("log"))) }
    }
  }

  /// Readers begin, end and begin again, each with the label of its time.
  @Test func everyReaderHasItsOwnLabelAndCommit() throws {
    let scratch = try Scratch()
    let environment = try Environment.open(try store(scratch))
    #expect(try environment.statistics().oldestReaders.isEmpty)
    // At first it is the name of the program.
    let program = environment.label.text
    #expect(program?.isEmpty == false)
    var readers: [ReadTransaction] = []
    for number in UInt64(0)..<12 {
      environment.label = ReaderLabel("reader \(number)")
      readers.append(try environment.beginRead())
      try commit(environment, number + 2)
    }
    var statistics = try environment.statistics()
    #expect(statistics.readers == 12)
    #expect(statistics.oldestReaders.map(\.label) == (0..<10).map { "reader \($0)" })
    #expect(statistics.oldestReaders.map(\.commit) == readers.prefix(10).map(\.id))
    #expect(statistics.oldestReaders.allSatisfy { $0.processID == getpid() && $0.isAgeExact && $0.age != nil })
    // Idle slots are used again.
    for _ in 0..<3 { readers.removeFirst().end() }
    environment.label = ReaderLabel("")
    readers.append(try environment.beginRead())
    statistics = try environment.statistics()
    #expect(statistics.readers == 10)
    #expect(statistics.oldestReaders.map(\.label) == (3..<12).map { "reader \($0)" } + [nil])
    readers = []
    #expect(try environment.statistics().readers == 0)
  }

  @Test func aReaderOfAnotherProcessIsKnown() throws {
    let scratch = try Scratch()
    let path = try store(scratch)
    let environment = try Environment.open(path)
    // Longer than the reader will have been reading.
    usleep(300_000)
    let before = ContinuousClock.now
    let helper = try Helper("hold-reader", path)
    #expect(helper.line() == "holding")
    usleep(50_000)
    let statistics = try environment.statistics()
    let passed = ContinuousClock.now - before
    #expect(statistics.readers == 50 && statistics.oldestReaders.count == 10)
    for reader in statistics.oldestReaders {
      #expect(reader.processID == helper.pid && reader.isAgeExact && reader.label == "LMDBTestHelper", "\(reader)")
      // The clock is that of the system's ticks.
      let age = try #require(reader.age)
      #expect(age > .milliseconds(30) && age < passed + .milliseconds(20), "\(reader)")
    }
    helper.kill()
    _ = helper.wait()
  }

  @Test func aLongLabelIsCutOffBehindACharacter() {
    #expect(ReaderLabel("").text == nil)
    #expect(ReaderLabel("nightly report").text == "nightly report")
    let cut = ReaderLabel("a" + String(repeating: "ö", count: 20)).text
    #expect(cut == "a" + String(repeating: "ö", count: 13))
    #expect(ReaderLabel(String(repeating: "👩‍👧‍👦", count: 3)).text == "👩‍👧‍👦")
    #expect(ReaderLabel("a\0b").text == "ab")
  }
}
