import Foundation
import Glibc
import LMDB
import Testing

/// The pages of databases, with those of the trees that LMDB counts only within themselves.
@Suite struct PageUseTests {
  private static let names = ["plain", "large", "few", "many"]

  /// Databases of all kinds: small and large values, few keys with many numbers, and many keys.
  private static func fill(_ transaction: WriteTransaction) throws {
    let plain = try transaction.createDatabase("plain", .integerKey)
    let large = try transaction.createDatabase("large", .integerKey)
    let few = try transaction.createDatabase("few", .integerSet)
    let many = try transaction.createDatabase("many", .integerSet)
    for number in UInt64(0)..<2_000 {
      try [UInt8](repeating: 1, count: 100).withUnsafeBytes { try transaction.put(number, $0, plain) }
      if number % 40 == 0 {
        try [UInt8](repeating: 2, count: 30_000).withUnsafeBytes { try transaction.put(number, $0, large) }
      }
    }
    for number in UInt64(0)..<6_000 {
      try put(number % 3, number, few, transaction)
      try put(number, number, many, transaction)
    }
  }

  /// Adds a number to those of a key.
  private static func put(
    _ key: UInt64, _ value: UInt64, _ database: Database, _ transaction: WriteTransaction
  ) throws {
    try withUnsafeBytes(of: key) { key in try withUnsafeBytes(of: value) { try transaction.put(key, $0, database) } }
  }

  @Test func allPagesAreOfSomething() throws {
    let scratch = try Scratch()
    try Environment.create(scratch("store")) { try Self.fill($0) }
    let environment = try Environment.open(scratch("store"))
    for round in 0..<4 {
      let statistics = try environment.statistics()
      let reader = try environment.beginRead()
      defer { reader.end() }
      var pages = statistics.treePages + statistics.freePages
      for name in Self.names {
        let database = try #require(try reader.database(name))
        let use = try reader.pageUse(database)
        let own = try reader.pageCount(database)
        #expect(!use.isEstimated && use.own == own)
        #expect((use.nested > 0) == (name == "few"), "\(name): \(use)")
        pages += use.total
      }
      #expect(pages == statistics.usedPages, "round \(round)")
      try environment.write { transaction in
        let few = try #require(try transaction.database("few"))
        for number in UInt64(0)..<500 {
          try Self.put(number % 5, 10_000 + 1_000 * UInt64(round) + number, few, transaction)
        }
      }
    }
  }

  @Test func ofManyLeavesSomeAreVisited() throws {
    let scratch = try Scratch()
    try Environment.create(scratch("store")) { try Self.fill($0) }
    let reader = try Environment.open(scratch("store")).beginRead()
    let many = try #require(try reader.database("many"))
    #expect(try reader.pageUse(many).own > 4)
    let use = try reader.pageUse(many, mostLeaves: 2)
    #expect(use.isEstimated && use.nested == 0)
  }

  @Test func waitsForTheWriterAreCounted() throws {
    let scratch = try Scratch()
    try Environment.create(scratch("store")) { try Self.fill($0) }
    let environment = try Environment.open(scratch("store"))
    #expect(try environment.statistics().writer == nil)
    let (hasBegun, hasWritten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try environment.write { _ in
      let writer = try environment.statistics().writer
      #expect(writer?.processID == getpid())
      // A thread of its own: a task would begin when all other tests have.
      Thread.detachNewThread {
        // Whether to go on is asked for the first time when the wait has begun.
        let wait = WriterWait(
          isCancelled: {
            hasBegun.signal()
            return false
          }, report: nil)
        #expect(throws: Never.self) { try environment.write(wait: wait) { _ in } }
        hasWritten.signal()
      }
      hasBegun.wait()
      usleep(20_000)
    }
    hasWritten.wait()
    let waits = try environment.statistics().waits
    #expect(waits.count == 1 && waits.longest >= .milliseconds(20) && waits.total == waits.longest)
    #expect(try environment.statistics().writer == nil)
  }
}
