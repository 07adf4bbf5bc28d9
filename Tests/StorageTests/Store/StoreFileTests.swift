import Glibc
import Schema
import Storage
import Testing
import Values

/// Opening, sharing, and what a write and a snapshot promise.
@Suite struct StoreFileTests {
  private static let schema = Schema.only(
    "Note", [.scalar("text", .string), .scalar("size", .int)], indexes: [Index(paths: ["size"])])

  @Test func thereIsOneFileForEachStore() throws {
    let folder = try StoreFolder()
    let first = try folder.open(Self.schema)
    let second = try folder.open()
    #expect(first === second)
    try first.insert([[.string("a"), .int(1)]], into: "Note")
    #expect(try second.rows("Note").count == 1)
    #expect(first.currentVersion == second.currentVersion)
  }

  @Test func storesInMemoryAreApart() throws {
    let first = try StoreFile.inMemory(declaring: Self.schema)
    let second = try StoreFile.inMemory(declaring: Self.schema)
    try first.insert([[.string("a"), .int(1)]], into: "Note")
    #expect(try second.rows("Note").isEmpty)
  }

  @Test func whatIsNotThereIsNotMadeUnlessAsked() throws {
    let folder = try StoreFolder()
    #expect(throws: StoreError.notFound(path: folder.store)) { try folder.open(mode: .readWrite) }
    #expect(throws: StoreError.notFound(path: folder.store)) { try folder.open(mode: .readOnly) }
    _ = try folder.open()
    _ = try folder.open(mode: .readWrite)
  }

  @Test func readOnlyRefusesToWrite() throws {
    let folder = try StoreFolder()
    try folder.open(Self.schema).insert([[.string("a"), .int(1)]], into: "Note")
    let file = try folder.open(mode: .readOnly)
    #expect(try file.rows("Note").count == 1)
    #expect(throws: StoreError.readOnly(path: folder.store)) { try file.write { _ in } }
    _ = try folder.open(Self.schema, mode: .readOnly)
    var larger = Self.schema
    larger.entities[0].properties.append(.scalar("more", .int))
    #expect(throws: StoreError.migrationNeeded(["Note.more is not in the file"])) {
      try folder.open(larger, mode: .readOnly)
    }
  }

  @Test func whatThrowsLeavesNoTrace() throws {
    struct Stop: Error {}
    let file = try StoreFile.inMemory(declaring: Self.schema)
    let entity = try file.entity("Note")
    var kept: WriteSession?
    #expect(throws: Stop.self) {
      try file.write { session in
        kept = session
        for number in 0..<2000 { try session.insert([.string("a"), .int(Int64(number))], into: entity) }
        _ = try session.snapshot()
        throw Stop()
      }
    }
    #expect(try file.rows("Note").isEmpty)
    #expect(throws: StoreError.finished) { try kept?.insert([.string("a"), .int(1)], into: entity) }
    #expect(throws: StoreError.finished) { try kept?.snapshot() }
    try file.insert([[.string("b"), .int(1)]], into: "Note")
    #expect(try file.rows("Note").keys.sorted() == [1])
    try file.expectWhole()
  }

  @Test func aSnapshotWithinAWriteEndsWithTheNextChange() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    let entity = try file.entity("Note")
    try file.write { session in
      let object = try session.insert([.string("a"), .int(1)], into: entity)
      let snapshot = try session.snapshot()
      #expect(try snapshot.row(object, of: entity) == [.string("a"), .int(1)])
      try session.update(object, of: entity, [(column: 1, value: .int(2))])
      #expect(throws: StoreError.finished) { try snapshot.row(object, of: entity) }
      #expect(try session.snapshot().row(object, of: entity) == [.string("a"), .int(2)])
    }
  }

  @Test func aWriteWithinAWriteIsRefused() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    #expect(throws: StoreError.nestedWrite) { try file.write { _ in try file.write { _ in } } }
  }

  @Test func refusedRowsLeaveTheWriteUsable() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    let entity = try file.entity("Note")
    try file.write { session in
      #expect(throws: StoreError.wrongType(entity: "Note", path: "size", expected: "Int", got: "String")) {
        try session.insert([.string("a"), .string("b")], into: entity)
      }
      #expect(throws: StoreError.missingValue(entity: "Note", path: "text")) {
        try session.insert([.null, .int(1)], into: entity)
      }
      let object = try session.insert([.string("a"), .int(1)], into: entity)
      #expect(object == ObjectNumber(1))
      #expect(throws: StoreError.missingValue(entity: "Note", path: "text")) {
        try session.update(object, of: entity, [(column: 1, value: .int(5)), (column: 0, value: .null)])
      }
      #expect(throws: StoreError.unknownObject(entity: "Note", ObjectNumber(2))) {
        try session.update(ObjectNumber(2), of: entity, [(column: 1, value: .int(5))])
      }
    }
    #expect(try file.rows("Note") == [1: [.string("a"), .int(1)]])
    try file.expectWhole()
  }

  @Test func anEntityDeclaredAnewIsNotMistaken() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    let old = try file.entity("Note")
    var schema = Self.schema
    schema.entities[0].properties.insert(.scalar("first", .int), at: 0)
    try file.declare(schema)
    #expect(throws: StoreError.self) { try file.write { try $0.insert([.string("a"), .int(1)], into: old) } }
    try file.insert([[.int(7), .string("a"), .int(1)]], into: "Note")
    // Reading by the old shape gives what it knows of.
    #expect(try file.read { try $0.row(ObjectNumber(1), of: old) } == [.string("a"), .int(1)])
  }

  @Test func emptyClustersGo() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    let numbers = try file.insert((0..<1000).map { [.string("t"), .int(Int64($0))] }, into: "Note")
    let entity = try file.entity("Note")
    try file.write { session in
      for number in numbers where (250..<600).contains(number.rawValue) { _ = try session.delete(number, of: entity) }
    }
    #expect(try file.read { try $0.clusterCount(entity) } == 3)
    try file.write { session in
      for number in numbers { _ = try session.delete(number, of: entity) }
    }
    #expect(try file.read { try $0.clusterCount(entity) } == 0)
    #expect(try file.insert([[.string("t"), .int(1)]], into: "Note") == [ObjectNumber(1001)])
    try file.expectWhole()
  }

  @Test func manyThreadsReadWhileOneWrites() async throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert([[.string("start"), .int(0)]], into: "Note")
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for round in 1...100 {
          let rows = (0..<50).map { _ in [Value.string("t"), .int(Int64(round))] }
          guard (try? file.insert(rows, into: "Note")) != nil else { return false }
        }
        return true
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100 {
            // A commit is seen whole: 1 object, then 50 more each time.
            guard let count = try? file.rows("Note").count, count % 50 == 1 else { return false }
          }
          return true
        }
      }
      for await isGood in group { #expect(isGood) }
    }
    try file.expectWhole()
  }

  @Test func figuresAreThoseOfTheObjects() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert((0..<1000).map { [.string("t"), .int(Int64($0))] }, into: "Note")
    let statistics = try file.statistics()
    #expect(statistics.entities.map(\.objects) == [1000])
    #expect(statistics.indexes.map(\.entries) == [1000])
    #expect(statistics.entities.allSatisfy { $0.bytes >= 4096 })
  }

  /// More changed clusters than are kept in memory: those that make room for others are written.
  @Test func whatMakesRoomForOthersIsKept() throws {
    let file = try StoreFile.inMemory(
      declaring: .only("Note", [.scalar("size", .int), .scalar("body", .data)]))
    let count = 160 * Mask.slotCount
    // All those of a cluster differ, so that each is there.
    let bodies = (0..<Mask.slotCount).map { Value.data([UInt8](repeating: UInt8($0), count: 2_000)) }
    try file.insert((0..<count).map { [.int(Int64($0)), bodies[$0 % Mask.slotCount]] }, into: "Note")
    let changed = Array(stride(from: 0, to: count, by: Mask.slotCount))
    try file.write { session in
      let entity = try #require(session.schema.entity(named: "Note"))
      for place in changed { try session.update(ObjectNumber(UInt64(place + 1)), of: entity, [(0, .int(-1))]) }
    }
    let rows = try file.rows("Note")
    #expect(rows.count == count)
    for place in 0..<count {
      let size = place % Mask.slotCount == 0 ? -1 : Int64(place)
      guard rows[UInt64(place + 1)]?.first == .int(size) else {
        Issue.record("object \(place + 1)")
        break
      }
    }
    try file.expectWhole()
  }
}
