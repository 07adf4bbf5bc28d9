import Glibc
import LMDB
import Testing

/// The two meta pages and the record of each commit: whatever bit of them is wrong, the newest commit is read, or the
/// damage is noticed. It is never lost.
@Suite struct MetaDamageTests {
  /// The bytes of a meta page that matter.
  private static let metaBytes = 152

  /// A store of `commits` commits, each of which adds an entry and grows the file now and then.
  private func fill(_ path: String, commits: Int) throws {
    try Environment.create(path) { _ = try $0.createDatabase("log", .integerKey) }
    let environment = try Environment.open(path)
    for commit in 2...commits { try add(UInt64(commit), to: environment) }
  }

  private func add(_ number: UInt64, to environment: Environment) throws {
    try environment.write { transaction in
      let log = try transaction.createDatabase("log", .integerKey)
      let value = [UInt8](repeating: 1, count: 3_000)
      try value.withUnsafeBytes { try transaction.put(number, $0, log) }
    }
  }

  private func numbers(_ environment: Environment) throws -> Set<UInt64> {
    let reader = try environment.beginRead()
    defer { reader.end() }
    guard let log = try reader.database("log") else { return [] }
    let cursor = try reader.cursor(log)
    var found: Set<UInt64> = []
    var entry = try cursor.first()
    while let there = entry {
      found.insert(there.key.loadUnaligned(as: UInt64.self))
      entry = try cursor.next()
    }
    return found
  }

  private func contents(_ path: String) throws -> [UInt8] {
    let file = open(path + "/data.mdb", O_RDONLY)
    defer { close(file) }
    var status = stat()
    #expect(fstat(file, &status) == 0)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    #expect(read(file, &bytes, bytes.count) == bytes.count)
    return bytes
  }

  private func put(_ bytes: [UInt8], at path: String) {
    unlink(path + "/lock.mdb")
    let file = open(path + "/data.mdb", O_WRONLY | O_TRUNC)
    defer { close(file) }
    #expect(write(file, bytes, bytes.count) == bytes.count)
  }

  @Test(arguments: [6, 7])
  func everyBitOfBothMetaPagesIsNoticedOrHarmless(commits: Int) throws {
    let scratch = try Scratch(inMemory: true)
    let path = scratch("store")
    try fill(path, commits: commits)
    let original = try contents(path)
    let all = Set((2...commits).map { UInt64($0) })
    var options = Environment.Options()
    options.noSync = true
    var noticed = 0
    for page in 0..<2 {
      for bit in 0..<Self.metaBytes * 8 {
        var bytes = original
        bytes[page * 4_096 + bit / 8] ^= 1 << (bit % 8)
        put(bytes, at: path)
        let place = "bit \(bit) of page \(page), \(commits) commits"
        do {
          let environment = try Environment.open(path, options: options)
          #expect(try numbers(environment) == all, "\(place)")
          try add(1_000, to: environment)
          #expect(try numbers(environment) == all.union([1_000]), "\(place)")
        } catch {
          #expect((error as? LMDBError).map { !$0.isWriterBusy } ?? false, "\(place): \(error)")
          noticed += 1
        }
        // What was written after the damage must not have destroyed anything.
        if let environment = try? Environment.open(path, options: options) {
          #expect(all.isSubset(of: try numbers(environment)), "\(place)")
          let flaws = try environment.checkPages().data.filter { !"\($0)".contains("where there should be") }
          #expect(flaws.isEmpty, "\(place)")
        }
      }
    }
    #expect(noticed > 2 * Self.metaBytes, "of \(16 * Self.metaBytes)")
  }

  /// The number in the tree of a commit is that of its meta page also after others have copied and dropped databases.
  @Test func everyCommitHasItsNumber() throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try fill(path, commits: 4)
    let environment = try Environment.open(path)
    try environment.write { transaction in
      let sets = try transaction.createDatabase("sets", .integerSet)
      #expect(try transaction.add("a", 1, sets))
    }
    // An attempt that changes nothing moves a page all the same.
    let sets = try #require(try environment.beginRead().database("sets"))
    let isNew = try environment.write { try $0.add("a", 1, sets) }
    #expect(!isNew)
    try environment.write { try $0.drop(sets) }
    let last = environment.lastCommit
    try environment.write { _ in }
    #expect(environment.lastCommit == last)
    try environment.copy(to: scratch("copy"))
    #expect(try Environment.open(scratch("copy")).lastCommit == last)
    for name in ["store", "copy"] {
      let other = scratch(name + " again")
      mkdir(other, 0o700)
      let bytes = try contents(scratch(name))
      close(open(other + "/data.mdb", O_WRONLY | O_CREAT, 0o600))
      put(bytes, at: other)
      let opened = try Environment.open(other)
      try add(77, to: opened)
      #expect(try numbers(opened) == [2, 3, 4, 77])
      let report = try opened.checkPages()
      #expect(report.data.isEmpty && report.room.isEmpty)
    }
  }

  /// Copies have no damage of the lists of free pages.
  @Test func aDamagedListOfFreePagesIsLeftBehindByACopy() throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try fill(path, commits: 7)
    var bytes = try contents(path)
    let root = bytes[4_096 + 80..<4_096 + 88].reversed().reduce(0) { $0 << 8 | Int($1) }
    bytes[root * 4_096 + 10] ^= 0xFF
    put(bytes, at: path)
    let environment = try Environment.open(path)
    #expect(try numbers(environment) == [2, 3, 4, 5, 6, 7])
    #expect(failure { try add(8, to: environment) }?.isDamage == true)
    let report = try environment.checkPages()
    #expect(report.data.isEmpty && report.room.count == 1)
    try environment.copy(to: scratch("copy"))
    let copy = try Environment.open(scratch("copy"))
    try add(8, to: copy)
    #expect(try numbers(copy) == [2, 3, 4, 5, 6, 7, 8])
    #expect(try copy.checkPages().room.isEmpty)
  }
}
