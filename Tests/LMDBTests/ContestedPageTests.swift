import Glibc
import TestSeeds
import Testing

@testable import LMDB

/// Pages that two trees lead to, or a tree and the list of free pages: a write to one must not free those of the other.
@Suite struct ContestedPageTests {
  private static let pageSize = 4_096

  /// What is done with a database.
  enum Step: Sendable, CustomTestStringConvertible {
    case read(String), write(String), empty(String)
    var testDescription: String { "\(self)" }
  }

  /// Does a step; throws what it throws.
  private func run(_ step: Step, _ environment: Environment) throws {
    switch step {
    case .read(let name):
      let reader = try environment.beginRead()
      defer { reader.end() }
      let database = try #require(try reader.database(name))
      let cursor = try reader.cursor(database)
      while try cursor.next() != nil {}
    case .write(let name):
      try environment.write { transaction in
        let database = try #require(try transaction.database(name))
        for number in stride(from: UInt64(0), to: 600, by: 3) where database.options == .integerKey {
          try withBytes("changed \(number)") { try transaction.put(number, $0, database) }
        }
        for number in stride(from: UInt64(0), to: 3_000, by: 3) where database.options == .integerSet {
          try withBytes(name == "sets" ? "one" : "two") { _ = try transaction.delete($0, number, database) }
        }
        if database.options == [] { try withBytes("text") { _ = try transaction.delete($0, database) } }
      }
    case .empty(let name):
      try environment.write { transaction in
        try transaction.empty(try #require(try transaction.database(name)))
      }
    }
  }

  /// The errors of steps in turn.
  private func flaws(_ steps: [Step], _ environment: Environment) -> [LMDBError?] {
    steps.map { step in failure { try run(step, environment) } }
  }

  /// A store of two databases of numbers with the same keys, written in a few commits.
  private func fill(_ path: String) throws {
    try Environment.create(path) { transaction in
      for name in ["a", "b"] { _ = try transaction.createDatabase(name, .integerKey) }
    }
    let environment = try Environment.open(path)
    for name in ["a", "b"] {
      try environment.write { transaction in
        let database = try transaction.createDatabase(name, .integerKey)
        for number in UInt64(0)..<600 {
          let text = String(repeating: "\(name) \(number) ", count: 9)
          try withBytes(text) { try transaction.put(number, $0, database) }
        }
      }
    }
  }

  private func root(of name: String, _ path: String) throws -> Int {
    let reader = try Environment.open(path).beginRead()
    defer { reader.end() }
    let database = try #require(try reader.database(name))
    return try Int(#require(try reader.record(of: database).root))
  }

  /// Changes bytes of the file of a store.
  private func edit(_ path: String, _ change: (inout [UInt8]) throws -> Void) throws {
    var bytes = contents(path)
    try change(&bytes)
    let file = open(path + "/data.mdb", O_RDWR)
    defer { close(file) }
    #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
  }

  private func contents(_ path: String) -> [UInt8] {
    let file = open(path + "/data.mdb", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
    #expect(pread(file, &bytes, bytes.count, 0) == bytes.count)
    return bytes
  }

  /// All but the number of a page of another state of the file, or of another page.
  private func put(_ page: Int, of other: [UInt8], at place: Int, _ bytes: inout [UInt8]) {
    let start = page * Self.pageSize
    bytes.replaceSubrange(
      place * Self.pageSize + 8..<(place + 1) * Self.pageSize, with: other[start + 8..<start + Self.pageSize])
  }

  /// The root of one database stands in the place of that of the other, and both lead to the same leaves.
  @Test(arguments: [
    [Step.read("a"), .read("b"), .write("a")], [.read("a"), .read("b"), .write("b")],
    [.read("b"), .write("a")], [.read("a"), .write("b")], [.write("a"), .write("b")], [.write("b"), .write("a")],
    [.write("a"), .read("b"), .write("b")], [.read("a"), .empty("b")], [.read("b"), .empty("a")],
  ]) func twoDatabasesThatShareLeaves(_ steps: [Step]) throws {
    let scratch = try Scratch()
    try fill(scratch("store"))
    let (one, other) = try (root(of: "a", scratch("store")), root(of: "b", scratch("store")))
    // Without the damage there is no error.
    #expect(flaws([.read("a"), .read("b")], try Environment.open(scratch("store"))).allSatisfy { $0 == nil })
    try edit(scratch("store")) { bytes in put(one, of: bytes, at: other, &bytes) }
    let environment = try Environment.open(scratch("store"))
    let flaws = flaws(steps, environment)
    #expect(flaws.last.flatMap { $0 }?.isDamage == true, "\(flaws)")
    for (step, flaw) in zip(steps, flaws) {
      if case .read = step { #expect(flaw == nil) }
    }
  }

  /// Without the damage the same writes are made.
  @Test func soundDatabasesShareNothing() throws {
    let scratch = try Scratch()
    try fill(scratch("store"))
    let environment = try Environment.open(scratch("store"))
    let steps: [Step] = [.read("a"), .write("a"), .read("b"), .write("b"), .write("a"), .read("a"), .empty("b")]
    #expect(flaws(steps, environment).allSatisfy { $0 == nil })
  }

  /// A root of an earlier commit leads to leaves that are free now, and are as they were.
  @Test(arguments: [[Step.read("a"), .write("b")], [.write("a")]])
  func aTreeWithFreePages(_ steps: [Step]) throws {
    let scratch = try Scratch()
    try fill(scratch("store"))
    let before = contents(scratch("store"))
    let one = try root(of: "a", scratch("store"))
    try run(.write("a"), Environment.open(scratch("store")))
    let other = try root(of: "a", scratch("store"))
    try edit(scratch("store")) { bytes in put(one, of: before, at: other, &bytes) }
    let damaged = try Environment.open(scratch("store"))
    #expect(flaws(steps, damaged).last.flatMap { $0 }?.isDamage == true)
    // Nothing else can be written either: it would take these pages.
    #expect(failure { try run(.write("b"), damaged) }?.isDamage == true)
  }

  /// The values of one key stand under another too.
  @Test(arguments: [[Step.read("sets"), .write("sets")], [.read("sets"), .empty("sets")]])
  func twoKeysThatShareValues(_ steps: [Step]) throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try Environment.create(path) { transaction in
      let sets = try transaction.createDatabase("sets", .integerSet)
      for key in ["one", "two"] { for number in UInt64(0)..<3_000 { _ = try transaction.add(key, number, sets) } }
    }
    let leaf = try root(of: "sets", path)
    try edit(path) { bytes in
      let records = bytes.withUnsafeBytes { bytes -> [Int] in
        guard let base = bytes.baseAddress else { return [] }
        let nodes = PageNodes(verified: base + leaf * Self.pageSize, byteCount: Self.pageSize)
        return (0..<nodes.count).map { nodes.value($0) - base }
      }
      try #require(records.count == 2)
      bytes.replaceSubrange(records[1]..<records[1] + 48, with: bytes[records[0]..<records[0] + 48])
    }
    let environment = try Environment.open(path)
    let flaws = flaws(steps, environment)
    #expect(flaws.first == .some(nil))
    #expect(flaws.last.flatMap { $0 }?.isDamage == true)
  }

  /// A large value of an earlier commit, whose second page belongs to a database now.
  @Test func aLargeValueWithAPageOfATree() throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try fill(path)
    try Environment.open(path).write { transaction in
      let texts = try transaction.createDatabase("texts")
      try transaction.put("text", String(repeating: "t", count: 5_000), texts)
    }
    let (leaf, branch) = try (root(of: "texts", path), root(of: "b", path))
    try edit(path) { bytes in
      let (value, leaves) = bytes.withUnsafeBytes { bytes -> (Int, [Int]) in
        guard let base = bytes.baseAddress else { return (0, []) }
        let nodes = PageNodes(verified: base + branch * Self.pageSize, byteCount: Self.pageSize)
        let texts = PageNodes(verified: base + leaf * Self.pageSize, byteCount: Self.pageSize)
        return (texts.value(0) - base, (0..<nodes.count).map { Int(nodes.child($0)) })
      }
      let first = try #require(leaves.first { leaves.contains($0 + 1) })
      withUnsafeBytes(of: UInt64(first)) { bytes.replaceSubrange(value..<value + 8, with: $0) }
      let header: [UInt8] = [UInt8(PageNodes.overflow), 0, 2, 0, 0, 0]
      bytes.replaceSubrange(first * Self.pageSize + 10..<first * Self.pageSize + 16, with: header)
    }
    let environment = try Environment.open(path)
    // All leaves but the first page of the value are met.
    let reader = try environment.beginRead()
    let database = try #require(try reader.database("b"))
    for number in UInt64(0)..<600 { _ = failure { _ = try reader.get(number, database) } }
    reader.end()
    #expect(failure { try run(.write("texts"), environment) }?.isDamage == true)
  }

  /// The pages of a large value that a write has noted and not freed, and another one has freed since, belong to no tree.
  @Test func aLargeValueThatWasFreedSince() throws {
    let scratch = try Scratch()
    let path = scratch("store")
    try fill(path)
    let environment = try Environment.open(path)
    try environment.write { transaction in
      try transaction.put("text", String(repeating: "t", count: 5_000), try transaction.createDatabase("texts"))
    }
    let leaf = try root(of: "texts", path)
    let first = try contents(path).withUnsafeBytes { bytes in
      let nodes = PageNodes(
        verified: try #require(bytes.baseAddress) + leaf * Self.pageSize, byteCount: Self.pageSize)
      try #require(nodes.flags(0) == PageNodes.bigData)
      return nodes.value(0).loadUnaligned(as: UInt64.self)
    }
    #expect(failure { try run(.empty("texts"), environment) } == nil)
    let pages = try environment.reachedPages()
    try #require(try pages.has(first, count: 2))
    let claims = pages.claims
    claims.meet(first, claims.owner(.database("a")))
    claims.meetLargeValue(first..<first + 2, in: claims.owner(.database("texts")))
    #expect(claims.hasNewContests)
    #expect(flaws([.write("a"), .write("b")], environment).allSatisfy { $0 == nil })
  }

  /// Pages move between databases all the time, before all are verified.
  @Test func pagesThatMoveAreNotShared() throws {
    let seed = testSeed()
    var random = SplitMix(seed)
    let scratch = try Scratch()
    let path = scratch("store")
    let names = ["a", "b", "c"]
    try Environment.create(path) { transaction in
      for name in names {
        let database = try transaction.createDatabase(name, .integerKey)
        let sets = try transaction.createDatabase(name + " sets", .integerSet)
        for number in UInt64(0)..<4_000 {
          try withBytes(String(repeating: "v", count: 200)) { try transaction.put(number, $0, database, append: true) }
          _ = try transaction.add("key \(number % 5)", number, sets)
        }
      }
    }
    var options = Environment.Options()
    options.noSync = true
    var settled = 0
    for _ in 0..<12 {
      let environment = try Environment.open(path, options: options)
      for _ in 0..<10 {
        let flaw = failure {
          try environment.write { transaction in
            for name in names {
              let database = try transaction.createDatabase(name, .integerKey)
              let sets = try transaction.createDatabase(name + " sets", .integerSet)
              for _ in 0..<3 {
                let number = UInt64.random(in: 0..<4_000, using: &random)
                let size = Int.random(in: 0..<(number % 9 == 0 ? 30_000 : 900), using: &random)
                try withBytes(String(repeating: "w", count: size)) { try transaction.put(number, $0, database) }
                if size % 2 == 0 { try transaction.delete(number / 2, database) }
                try withBytes("key \(number % 5)") { _ = try transaction.delete($0, number, sets) }
                _ = try transaction.add("key \(number % 7)", number + 1, sets)
              }
            }
          }
          let reader = try environment.beginRead()
          defer { reader.end() }
          for name in names {
            _ = try reader.get(.random(in: 0..<4_000, using: &random), #require(try reader.database(name)))
          }
        }
        #expect(flaw == nil, "seed \(seed)")
      }
      settled += environment.pageGuard?.claims.settledContests ?? 0
    }
    #expect(settled > 100, "seed \(seed)")
    let report = try Environment.open(path).checkPages()
    #expect(report.data == [] && report.room == [], "seed \(seed)")
  }
}
