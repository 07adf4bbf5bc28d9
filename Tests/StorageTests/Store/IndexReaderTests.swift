import Schema
import Storage
import Testing
import Values

/// Reading an index: ranges, order, runs, counts.
@Suite struct IndexReaderTests {
  private static let schema = Schema.only(
    "Thing", [.scalar("size", .int, optional: true), .scalar("name", .string)],
    indexes: [Index(paths: ["size"]), Index(paths: ["name", "size"])])

  private static let sizes: [Int64?] = (0..<6000).map { $0 % 7 == 0 ? nil : Int64($0 % 5) }

  private func filled() throws -> StoreFile {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert(
      Self.sizes.map { [$0.map { .int($0) } ?? .null, .string($0 == 3 ? "three" : "other")] }, into: "Thing")
    return file
  }

  private func key(_ value: Value) -> [UInt8] { IndexKey.encode([value], types: [.int]) }

  private func expected(_ sizes: [Int64?]) -> [UInt64] {
    sizes.flatMap { size in Self.sizes.indices.filter { Self.sizes[$0] == size }.map { UInt64($0 + 1) } }
  }

  @Test func runsComeInOrderBothWays() throws {
    let file = try filled()
    #expect(try file.indexed("size", of: "Thing") == expected([nil, 0, 1, 2, 3, 4]))
    #expect(try file.indexed("size", of: "Thing", descending: true) == expected([4, 3, 2, 1, 0, nil]))
  }

  /// An object that loses a key and gets it again in one write keeps it, and others that come to it are there too.
  @Test func keysThatComeBackDoNotHideOthers() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.insert([[.int(5), .string("a")], [.int(6), .string("b")], [.int(7), .string("c")]], into: "Thing")
    let entity = try file.entity("Thing")
    for flushes in [false, true] {
      try file.write { session in
        for (object, size) in [(1, 8), (1, 5), (2, 5), (3, 5), (3, 7), (3, 5)] as [(UInt64, Int64)] {
          try session.update(ObjectNumber(object), of: entity, [(column: 0, value: .int(size))])
          if flushes { _ = try session.snapshot() }
        }
      }
      #expect(try file.indexed("size", of: "Thing") == [1, 2, 3])
      try file.expectWhole()
      try file.write { session in
        try session.update(ObjectNumber(2), of: entity, [(column: 0, value: .int(6))])
        try session.update(ObjectNumber(3), of: entity, [(column: 0, value: .int(7))])
      }
    }
  }

  @Test func boundsHold() throws {
    let file = try filled()
    let one = key(.int(1)), three = key(.int(3))
    let ranges: [(IndexKeyRange, [Int64?])] = [
      (IndexKeyRange(lower: .included(one), upper: .included(three)), [1, 2, 3]),
      (IndexKeyRange(lower: .excluded(one), upper: .excluded(three)), [2]),
      (IndexKeyRange(lower: .excluded(three), upper: .unbounded), [4]),
      (IndexKeyRange(lower: .unbounded, upper: .excluded(one)), [nil, 0]),
      (IndexKeyRange(lower: .included(three), upper: .included(one)), []),
      (IndexKeyRange(lower: .excluded(key(.int(4))), upper: .unbounded), []),
      (IndexKeyRange(lower: .included(key(.int(9))), upper: .included(key(.int(10)))), []),
    ]
    for (range, sizes) in ranges {
      #expect(try file.indexed("size", range, of: "Thing") == expected(sizes))
      #expect(try file.indexed("size", range, of: "Thing", descending: true) == expected(sizes.reversed()))
      let counted = try file.read { snapshot in
        let entity = try #require(snapshot.schema.entity(named: "Thing"))
        let reader = try snapshot.index(try #require(entity.index(named: "size")), of: entity)
        var steps = 2
        let whole = try reader.count(range)
        let counted = try reader.count(range, steps: &steps)
        #expect(steps > 0 ? counted == whole : counted <= whole)
        return whole
      }
      #expect(counted == expected(sizes).count)
    }
  }

  @Test func readingStopsWhenAsked() throws {
    let file = try filled()
    try file.read { snapshot in
      let entity = try #require(snapshot.schema.entity(named: "Thing"))
      let reader = try snapshot.index(try #require(entity.index(named: "size")), of: entity)
      var runs = 0
      try reader.forEachRun(.all) { run in
        runs += 1
        #expect(zip(run, run.dropFirst()).allSatisfy { $0 < $1 })
        return runs < 3
      }
      #expect(runs == 3)
      #expect(try reader.entryCount == 6000)
      #expect(try reader.firstKey(in: .all) == key(.null))
      #expect(try reader.lastKey(in: .all) == key(.int(4)))
    }
  }

  @Test func compoundKeysHavePrefixes() throws {
    let file = try filled()
    let prefix = IndexKey.encode([.string("three")], types: [.string])
    let end = try #require(IndexKey.encodePrefixUpperBound(prefix))
    let range = IndexKeyRange(lower: .included(prefix), upper: .excluded(end))
    #expect(try file.indexed("name+size", range, of: "Thing") == expected([3]))
  }

  @Test func aSnapshotStaysAsItWas() throws {
    let file = try filled()
    let snapshot = try file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: "Thing"))
    try file.write { session in
      for number in 1...3000 { _ = try session.delete(ObjectNumber(UInt64(number)), of: entity) }
    }
    #expect(try snapshot.objectCount(entity) == 6000)
    #expect(try snapshot.row(ObjectNumber(2), of: entity) != nil)
    #expect(try file.read { try $0.objectCount(entity) } == 3000)
    #expect(try file.read { try $0.clusterCount(entity) } < snapshot.clusterCount(entity))
    snapshot.end()
    #expect(throws: StoreError.finished) { try snapshot.objectCount(entity) }
    try file.expectWhole()
  }
}
