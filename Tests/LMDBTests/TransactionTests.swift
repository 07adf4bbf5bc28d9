import LMDB
import Testing

@Suite struct TransactionTests {
  @Test func whatIsCommittedIsReadAndWhatIsNotIsNot() throws {
    let environment = try Environment.inMemory()
    try environment.write { transaction in
      let database = try transaction.createDatabase("texts")
      try transaction.put("a", "one", database)
      try transaction.put("b", "two", database)
    }
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try environment.write { transaction in
        let database = try #require(try transaction.database("texts"))
        try transaction.put("a", "three", database)
        throw Stop()
      }
    }
    let reader = try environment.beginRead()
    let database = try #require(try reader.database("texts"))
    #expect(try reader.text("a", database) == "one")
    #expect(try reader.text("b", database) == "two")
    #expect(try reader.text("c", database) == nil)
    #expect(try reader.database("others") == nil)
    #expect(try reader.entryCount(database) == 2)
  }

  @Test func aSnapshotStaysWhatItWas() throws {
    let environment = try Environment.inMemory()
    try environment.write { try $0.put("a", "old", $0.createDatabase("texts")) }
    let before = try environment.beginRead()
    try environment.write { transaction in
      try transaction.put("a", "new", try #require(try transaction.database("texts")))
      _ = try transaction.createDatabase("later")
    }
    let after = try environment.beginRead()
    let database = try #require(try before.database("texts"))
    #expect(try before.text("a", database) == "old")
    #expect(try after.text("a", database) == "new")
    #expect(after.id == before.id + 1)
    #expect(try before.database("later") == nil)
    #expect(try after.database("later") != nil)
  }

  @Test func afterItsEndATransactionThrows() throws {
    let environment = try Environment.inMemory()
    let writer = try environment.beginWrite()
    let database = try writer.createDatabase("texts")
    try writer.put("a", "one", database)
    let writingCursor = try writer.cursor(database)
    #expect(try writingCursor.first() != nil)
    try writer.commit()
    #expect(failure { try writer.put("a", "two", database) } == .transactionEnded)
    #expect(failure { try writer.commit() } == .transactionEnded)
    #expect(failure { _ = try writingCursor.next() } == .transactionEnded)
    #expect(failure { try writingCursor.delete() } == .transactionEnded)
    writer.abort()

    let reader = try environment.beginRead()
    let cursor = try reader.cursor(database)
    #expect(try cursor.first() != nil)
    reader.end()
    reader.end()
    #expect(failure { _ = try reader.text("a", database) } == .transactionEnded)
    #expect(failure { _ = try reader.database("texts") } == .transactionEnded)
    #expect(failure { _ = try reader.cursor(database) } == .transactionEnded)
    #expect(failure { _ = try reader.entryCount(database) } == .transactionEnded)
    #expect(failure { _ = try cursor.next() } == .transactionEnded)
    #expect(failure { _ = try cursor.multiple() } == .transactionEnded)
    #expect(failure { _ = try cursor.duplicateCount() } == .transactionEnded)
  }

  @Test func aFailedWriteTransactionChangesNothingAndLetsTheNextOneIn() throws {
    let environment = try Environment.inMemory()
    do {
      let writer = try environment.beginWrite()
      _ = try writer.createDatabase("texts")
    }
    let database = try environment.write { try $0.database("texts") }
    #expect(database == nil)
  }

  @Test func aWriteInsideAWriteIsAnError() throws {
    let environment = try Environment.inMemory()
    try environment.write { _ in
      #expect(failure { try environment.write { _ in } } == .nestedWrite)
      #expect(failure { _ = try environment.beginWrite(timeout: .zero) } == .nestedWrite)
      // Reading is possible: it sees the last commit.
      try environment.beginRead().end()
    }
    try environment.write { _ in }
  }

  @Test func keysAndValuesOfTheWrongKindAreRefused() throws {
    let environment = try Environment.inMemory()
    try environment.write { transaction in
      let texts = try transaction.createDatabase("texts")
      let numbers = try transaction.createDatabase("numbers", .integerKey)
      let sets = try transaction.createDatabase("sets", .integerSet)
      #expect(failure { try transaction.put("", "x", texts) } == .badValueSize(0))
      #expect(failure { try transaction.put("abc", "x", numbers) } == .badValueSize(3))
      #expect(failure { _ = try transaction.get(1, texts) } != nil)
      #expect(failure { _ = try transaction.cursor(texts).seek(1) } != nil)
      let wrongWidth = failure {
        try withBytes("abc") { bytes in _ = try transaction.putDuplicate(bytes, bytes, sets) }
      }
      #expect(wrongWidth == .badValueSize(3))
      #expect(failure { try withBytes("abc") { bytes in _ = try transaction.putDuplicate(bytes, 1, texts) } } != nil)
      #expect(failure { try withBytes("abc") { bytes in _ = try transaction.reserve(bytes, count: 1, sets) } } != nil)
      #expect(failure { try transaction.put(String(repeating: "k", count: 512), "x", texts) } != nil)
      #expect(failure { _ = try transaction.createDatabase("texts", .integerKey) } != nil)
      #expect(failure { _ = try transaction.createDatabase("") } != nil)
      #expect(failure { _ = try transaction.createDatabase("odd", .dupFixed) } != nil)
      try transaction.put("a", "", texts)
      #expect(try transaction.text("a", texts) == "")
    }
  }

  @Test func reservedRoomIsFilledInPlace() throws {
    let environment = try Environment.inMemory()
    try environment.write { transaction in
      let database = try transaction.createDatabase("blobs", .integerKey)
      for key in UInt64(0)..<100 {
        let room = try transaction.reserve(key, count: Int(key) * 100, database, append: true)
        room.initializeMemory(as: UInt8.self, repeating: UInt8(key))
      }
      #expect(failure { _ = try transaction.reserve(UInt64(3), count: 8, database, append: true) } == .keyExists)
    }
    let reader = try environment.beginRead()
    let database = try #require(try reader.database("blobs"))
    for key in UInt64(0)..<100 {
      let value = try #require(try reader.get(key, database))
      #expect(value.count == Int(key) * 100 && value.allSatisfy { $0 == UInt8(key) })
    }
    #expect(try reader.pageCount(database) > 100)
  }

  @Test func droppedDatabasesAreGoneAndTheirNameCanBeUsedAgain() throws {
    let environment = try Environment.inMemory()
    try environment.write { try $0.put("a", "one", $0.createDatabase("texts")) }
    try environment.write { transaction in
      let database = try #require(try transaction.database("texts"))
      try transaction.drop(database)
      #expect(try transaction.database("texts") == nil)
    }
    let reader = try environment.beginRead()
    #expect(try reader.database("texts") == nil)
    try environment.write { transaction in
      let database = try transaction.createDatabase("texts", .integerKey)
      try withBytes("x") { try transaction.put(7, $0, database) }
    }
    #expect(try environment.beginRead().database("texts")?.options == .integerKey)
    // While somebody holds an older view it is emptied only.
    let holding = try environment.beginRead()
    try environment.write { try $0.drop(try #require(try $0.database("texts"))) }
    #expect(try holding.get(7, try #require(try holding.database("texts"))) != nil)
    let after = try environment.beginRead()
    #expect(try after.entryCount(try #require(try after.database("texts"))) == 0)
  }

  @Test func aDroppedDatabaseMadeAgainInTheSameTransactionStays() throws {
    let environment = try Environment.inMemory()
    try environment.write { try $0.put("a", "one", $0.createDatabase("texts")) }
    try environment.write { transaction in
      try transaction.drop(try #require(try transaction.database("texts")))
      try transaction.put("b", "two", try transaction.createDatabase("texts"))
    }
    let reader = try environment.beginRead()
    let database = try #require(try reader.database("texts"))
    #expect(try reader.text("a", database) == nil)
    #expect(try reader.text("b", database) == "two")
  }

  @Test func onlyTheThreadThatBeganAWriteMayUseIt() throws {
    let environment = try Environment.inMemory()
    final class Shared: @unchecked Sendable {
      var writer: WriteTransaction?
      var errors: [LMDBError?] = []
    }
    let shared = Shared()
    let writer = try environment.beginWrite()
    shared.writer = writer
    runInThread {
      shared.errors.append(failure { try shared.writer?.commit() })
      shared.errors.append(failure { _ = try shared.writer?.createDatabase("texts") })
    }
    #expect(shared.errors == [.wrongThread, .wrongThread])
    try writer.commit()
    try environment.write { _ in }
  }

  /// Nobody can give the dead thread's turn back, so there is an error and no waiting without end.
  @Test func aWriteDroppedByAnotherThreadEndsAllWriting() throws {
    let environment = try Environment.inMemory()
    final class Shared: @unchecked Sendable { var writer: WriteTransaction? }
    let shared = Shared()
    runInThread { shared.writer = try? environment.beginWrite() }
    #expect(shared.writer != nil)
    shared.writer = nil
    #expect(failure { try environment.write { _ in } } == .wrongThread)
    #expect(failure { _ = try environment.beginRead() } == .wrongThread)
  }
}
