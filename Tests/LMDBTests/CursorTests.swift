import Testing

@testable import LMDB

@Suite struct CursorTests {
  @Test func pagesLargerThanTheMachinesAreNotLookedAt() {
    #expect(LeafPage.isFound(pageSize: 4_096, machinePageSize: 4_096))
    #expect(LeafPage.isFound(pageSize: 4_096, machinePageSize: 16_384))
    #expect(!LeafPage.isFound(pageSize: 16_384, machinePageSize: 4_096))
    #expect(!LeafPage.isFound(pageSize: 0, machinePageSize: 4_096))
  }

  @Test func movesFollowTheOrderOfKeys() throws {
    let environment = try Environment.inMemory()
    try environment.write { transaction in
      let database = try transaction.createDatabase("n", .integerKey)
      for key in [300, 5, 1, 70_000, 256] as [UInt64] {
        try withBytes("v\(key)") { try transaction.put(key, $0, database) }
      }
    }
    let reader = try environment.beginRead()
    let cursor = try reader.cursor(try #require(try reader.database("n")))
    func number(_ entry: Cursor.Entry?) -> UInt64? { entry?.key.loadUnaligned(as: UInt64.self) }
    #expect(number(try cursor.next()) == 1)
    #expect(number(try cursor.next()) == 5)
    #expect(number(try cursor.seek(6)) == 256)
    #expect(number(try cursor.previous()) == 5)
    #expect(try cursor.find(6) == nil)
    #expect(number(try cursor.find(300)) == 300)
    #expect(number(try cursor.last()) == 70_000)
    #expect(try cursor.next() == nil)
    #expect(number(try cursor.first()) == 1)
    #expect(try cursor.previous() == nil)
    #expect(try cursor.seek(70_001) == nil)
  }

  @Test func severalNumbersAreAddedToThoseThatAreThere() throws {
    let environment = try Environment.inMemory()
    try environment.write { transaction in
      let database = try transaction.createDatabase("i", .integerSet)
      for known in [[], [1], [2], [3], [1, 3], [4]] as [[UInt64]] {
        try transaction.empty(database)
        for number in known { try transaction.add("a", number, database) }
        let cursor = try transaction.cursor(database)
        try [UInt64(1), 2, 3].withUnsafeBufferPointer { numbers in
          try withBytes("a") { try cursor.put($0, numbers: numbers) }
        }
        #expect(try transaction.numbers("a", database) == Set(known + [1, 2, 3]).sorted())
      }
    }
  }

  @Test func duplicatesComeInRuns() throws {
    let environment = try Environment.inMemory()
    let counts = ["a": 1, "b": 2, "c": 100, "d": 10_000, "e": 3]
    try environment.write { transaction in
      let database = try transaction.createDatabase("i", .integerSet)
      for (key, count) in counts {
        for number in 0..<UInt64(count) {
          #expect(try transaction.add(key, (number &* 7_919) % UInt64(count), database))
        }
        #expect(try !transaction.add(key, 0, database))
      }
    }
    let reader = try environment.beginRead()
    let database = try #require(try reader.database("i"))
    for (key, count) in counts { #expect(try reader.numbers(key, database) == Array(0..<UInt64(count))) }
    #expect(try reader.entryCount(database) == counts.values.reduce(0, +))
    let cursor = try reader.cursor(database)
    #expect(try cursor.first() != nil)
    #expect(try cursor.duplicateCount() == 1)
    #expect(try cursor.nextDuplicate() == nil)
    #expect(try cursor.nextKey() != nil)
    #expect(try cursor.duplicateCount() == 2)
    #expect(try cursor.lastDuplicate()?.loadUnaligned(as: UInt64.self) == 1)
    #expect(try cursor.firstDuplicate()?.loadUnaligned(as: UInt64.self) == 0)
    #expect(try withBytes("d") { try cursor.find($0) } != nil)
    #expect(try cursor.duplicateCount() == 10_000)
    #expect(try cursor.previousKey()?.value.loadUnaligned(as: UInt64.self) == 99)
    var wanted: UInt64 = 9_998
    let found = try withBytes("d") { key in
      try withUnsafeBytes(of: &wanted) { try cursor.seek(key, value: $0)?.loadUnaligned(as: UInt64.self) }
    }
    #expect(found == 9_998)
  }

  /// LMDB itself reads beyond the page, or aborts, on some of these.
  @Test func aCursorWithoutPositionIsSafe() throws {
    let environment = try Environment.inMemory()
    try environment.write { transaction in
      let database = try transaction.createDatabase("i", .integerSet)
      for key in ["b", "d"] {
        for number in 0..<2_000 as Range<UInt64> { try transaction.add(key, number, database) }
      }
      for key in ["a", "c", "e"] { try transaction.add(key, 7, database) }
    }
    func key(_ entry: Cursor.Entry?) -> String? { entry.map { String(decoding: $0.key, as: UTF8.self) } }

    func walk(_ transaction: Transaction) throws {
      let database = try #require(try transaction.database("i"))
      func fresh() throws -> Cursor { try transaction.cursor(database) }
      #expect(key(try fresh().previous()) == "e")
      #expect(key(try fresh().previousKey()) == "e")
      #expect(key(try fresh().nextKey()) == "a")
      #expect(try fresh().previousDuplicate() == nil)
      #expect(try fresh().nextDuplicate() == nil)
      #expect(try fresh().current() == nil)
      #expect(try fresh().firstDuplicate() == nil)
      #expect(try fresh().lastDuplicate() == nil)
      #expect(try fresh().multiple() == nil)
      #expect(try fresh().nextMultiple() == nil)
      #expect(try fresh().duplicateCount() == 0)
      for missing in ["B", "bb", "ca", "f"] {
        let cursor = try fresh()
        for start in ["a", "b", "d", "e"] {
          for step in 0..<7 {
            #expect(try withBytes(start) { try cursor.find($0) } != nil)
            #expect(try withBytes(missing) { try cursor.find($0) } == nil)
            switch step {
            case 0: #expect(key(try cursor.next()) == "a")
            case 1: #expect(key(try cursor.previous()) == "e")
            case 2: #expect(try cursor.nextDuplicate() == nil)
            case 3: #expect(try cursor.previousDuplicate() == nil)
            case 4: #expect(try cursor.multiple() == nil)
            case 5: #expect(try cursor.duplicateCount() == 0)
            default: #expect(try cursor.current() == nil)
            }
          }
        }
        #expect(try withBytes("f") { try cursor.seek($0) } == nil)
        #expect(key(try cursor.previousKey()) == "e")
      }
    }
    let reader = try environment.beginRead()
    try walk(reader)
    try environment.write { transaction in
      try walk(transaction)
      let database = try #require(try transaction.database("i"))
      let cursor = try transaction.cursor(database)
      #expect(failure { try cursor.delete() } == .noPosition)
      // Deleting from the end and walking back, and from the start and walking on.
      _ = try cursor.last()
      try cursor.delete(allOfKey: true)
      #expect(try cursor.duplicateCount() == 0)
      #expect(try cursor.current() == nil)
      let last = try cursor.previous()
      #expect(key(last) == "d" && last?.value.loadUnaligned(as: UInt64.self) == 1_999)
      try cursor.delete()
      #expect(try cursor.previous()?.value.loadUnaligned(as: UInt64.self) == 1_998)
      _ = try cursor.first()
      try cursor.delete()
      #expect(key(try cursor.next()) == "b")
      try cursor.delete(allOfKey: true)
      #expect(key(try cursor.previous()) == nil)
      #expect(key(try cursor.first()) == "c")
      let other = try transaction.cursor(database)
      _ = try other.last()
      #expect(try withBytes("d") { try transaction.delete($0, database) })
      #expect(key(try other.previous()) == "c")
      _ = try cursor.first()
      try cursor.delete(allOfKey: true)
      #expect(try cursor.next() == nil)
      #expect(try cursor.previous() == nil)
      #expect(try other.previous() == nil)
      #expect(try transaction.entryCount(database) == 0)
    }
  }

  @Test func deletingMovesOn() throws {
    let environment = try Environment.inMemory()
    try environment.write { transaction in
      let database = try transaction.createDatabase("i", .integerSet)
      for number in 0..<10 as Range<UInt64> { try transaction.add("a", number, database) }
      for number in 0..<10 as Range<UInt64> { try transaction.add("b", number, database) }
      #expect(try withBytes("a") { try transaction.delete($0, 3, database) })
      #expect(try !withBytes("a") { try transaction.delete($0, 3, database) })
      let cursor = try transaction.cursor(database)
      _ = try withBytes("b") { try cursor.find($0) }
      try cursor.delete(allOfKey: true)
      #expect(try transaction.entryCount(database) == 9)
      #expect(try withBytes("a") { try transaction.delete($0, database) })
      #expect(try !withBytes("a") { try transaction.delete($0, database) })
      #expect(try transaction.entryCount(database) == 0)
      #expect(try transaction.cursor(database).first() == nil)
    }
    let reader = try environment.beginRead()
    let cursor = try reader.cursor(try #require(try reader.database("i")))
    #expect(failure { try cursor.delete() } == .readOnly)
    #expect(try cursor.duplicateCount() == 0)
    #expect(try cursor.lastDuplicate() == nil)
    #expect(try withBytes("") { try cursor.seek($0) } == nil)
    #expect(try withBytes("") { try cursor.find($0) } == nil)
  }
}
