import Schema
import Storage
import TestSeeds
import Testing
import Values

/// Counting and looking at keys without going through the objects, against counting them one by one; and indexes built
/// on objects that are there, against those that grew with them.
@Suite struct IndexCountingTests {
  private static func schema(_ indexes: [Index]) -> Schema {
    .only(
      "Thing",
      [
        .scalar("size", .int, optional: true), .scalar("name", .string), .scalar("weight", .double, optional: true),
        .scalar("flag", .bool), .scalar("single", .float), .scalar("moment", .date), .scalar("tiny", .int8),
      ], indexes: indexes)
  }

  private static let indexes = [
    Index(paths: ["size"]), Index(paths: ["name"]), Index(paths: ["name", "size"]), Index(paths: ["weight"]),
    Index(paths: ["flag"]), Index(paths: ["single"]), Index(paths: ["moment"]), Index(paths: ["tiny"]),
  ]

  /// Some keys have no objects, some one, some few, and some more than a page holds.
  private static func rows(_ count: Int, _ random: inout Seeded) -> [[Value]] {
    (0..<count).map { _ in
      let size: Int64
      switch Int.random(in: 0..<4, using: &random) {
      case 0: size = 7
      case 1: size = .random(in: 0..<40, using: &random)
      default: size = .random(in: -3_000..<3_000, using: &random)
      }
      let weight = [0.0, -0.0, .nan, .infinity, -.infinity, Double(size) / 4].randomElement(using: &random) ?? 0
      return [
        Int.random(in: 0..<20, using: &random) == 0 ? .null : .int(size),
        .string(String(repeating: "n", count: Int.random(in: 0..<40, using: &random)) + "\(size)"),
        size % 11 == 0 ? .null : .double(weight), .bool(size % 3 == 0), .float(Float(weight)),
        .date(Instant(seconds: Double(size) * 0.001)), .int(size % 128),
      ]
    }
  }

  /// The keys of an index with their objects, one by one.
  private static func keys(_ reader: IndexReader, _ range: IndexKeyRange) throws -> [[UInt64]] {
    var keys: [[UInt64]] = []
    try reader.forEachKey(range) { key, first, count in
      keys.append([first, UInt64(count)])
      return true
    }
    return keys
  }

  @Test func countsAreThoseOfTheRuns() throws {
    let seed = testSeed()
    var random = Seeded(seed)
    let file = try StoreFile.inMemory(declaring: Self.schema(Self.indexes))
    try file.insert(Self.rows(9_000, &random), into: "Thing")
    try file.write { session in
      let entity = try #require(session.schema.entity(named: "Thing"))
      for number in stride(from: 1, to: 9_000, by: 5) {
        _ = try session.delete(ObjectNumber(UInt64(number)), of: entity)
      }
      // Pages that are being written are elsewhere, and counted key by key.
      try Self.check(try session.snapshot(), 40, &random)
    }
    try file.read { try Self.check($0, 250, &random) }
  }

  private static func check(_ snapshot: Snapshot, _ rounds: Int, _ random: inout Seeded) throws {
    let entity = try #require(snapshot.schema.entity(named: "Thing"))
    for round in 0..<rounds {
      let index = entity.indexes[round % entity.indexes.count]
      let reader = try snapshot.index(index, of: entity)
      func bound(_ row: [Value]) -> IndexKeyRange.Bound {
        let key = IndexKey.encode(index.columns.map { row[$0] }, types: index.types)
        return [.included(key), .excluded(key), .included(key), .unbounded].randomElement(using: &random) ?? .unbounded
      }
      let ends = rows(2, &random)
      let range = IndexKeyRange(lower: bound(ends[0]), upper: bound(ends[1]))
      var runs: [UInt64] = []
      try reader.forEachRun(range) {
        runs += $0
        return true
      }
      for descending in [false, true] { try partsAreTheRuns(reader, range, descending: descending, &random) }
      #expect(try reader.count(range) == runs.count, "\(index.index.name) \(range)")
      var steps = Int.random(in: 1..<60, using: &random)
      let counted = try reader.count(range, steps: &steps)
      #expect(steps > 0 ? counted == runs.count : counted <= runs.count)
      steps = Int.random(in: 1..<200, using: &random)
      let some = try reader.countSome(range, steps: &steps)
      if let part = some.part {
        // What was counted is a range within, and no more than it.
        #expect(steps <= 0 && range.covers(part) && some.count < runs.count)
        #expect(try reader.count(part) == some.count, "\(index.index.name) \(range) \(part)")
      } else {
        #expect(some.count == runs.count)
      }
      let keys = try keys(reader, range)
      #expect(keys.reduce(0) { $0 + $1[1] } == UInt64(runs.count))
      #expect(keys.first?[0] == runs.first)
      #expect((try reader.firstKey(in: range) == nil) == runs.isEmpty)
      #expect((try reader.lastKey(in: range) == nil) == runs.isEmpty)
      if let first = try reader.firstKey(in: range), let last = try reader.lastKey(in: range) {
        #expect(range.contains(first) && range.contains(last))
        let between = IndexKeyRange(lower: .included(first), upper: .included(last))
        #expect(try reader.count(between) == runs.count)
      }
      let estimate = try reader.keyEstimate(range, of: Double(runs.count))
      #expect(keys.count >= 64 ? estimate >= 1 && estimate <= Double(runs.count) : estimate == Double(keys.count))
    }
  }

  /// What is read a page at a time is what is read key by key, to the end and as far as somebody wants it.
  private static func partsAreTheRuns(
    _ reader: IndexReader, _ range: IndexKeyRange, descending: Bool, _ random: inout Seeded
  ) throws {
    var runs: [UInt64] = []
    try reader.forEachRun(range, descending: descending) {
      runs += $0
      return true
    }
    let wanted = Bool.random(using: &random) ? Int.max : Int.random(in: 1..<600, using: &random)
    var parts: [UInt64] = []
    try reader.forEachPart([range], descending: descending) {
      #expect(parts.count < wanted)
      parts += $0
      return parts.count < wanted
    }
    #expect(parts.elementsEqual(runs.prefix(parts.count)), "\(reader.index.index.name) \(range) \(descending)")
    #expect(parts.count >= min(wanted, runs.count))
  }

  @Test(arguments: [false, true]) func aPageIsReadAtOnce(_ descending: Bool) throws {
    let file = try StoreFile.inMemory(declaring: Self.schema([Index(paths: ["size"])]))
    // Every other key has three objects, and one has more than fit in a page.
    let rows = (0..<7_000).map { (place: Int) -> [Value] in
      let size = place < 4_000 ? place / 4 * 2 + min(1, place % 4) : 901
      let moment = Value.date(Instant(seconds: 0))
      return [.int(Int64(size)), .string(""), .null, .bool(false), .float(0), moment, .int(0)]
    }
    try file.insert(rows, into: "Thing")
    try file.read { snapshot in
      let entity = try #require(snapshot.schema.entity(named: "Thing"))
      let reader = try snapshot.index(try #require(entity.index(named: "size")), of: entity)
      var lengths: [Int] = []
      try reader.forEachPart([IndexKeyRange(lower: .unbounded, upper: .unbounded)], descending: descending) {
        lengths.append($0.count)
        return true
      }
      #expect(lengths.reduce(0, +) == rows.count)
      #expect(lengths.count < 60)
    }
  }

  @Test func severalRangesAreWalkedInTheirOrder() throws {
    var random = Seeded(5)
    let file = try StoreFile.inMemory(declaring: Self.schema(Self.indexes))
    try file.insert(Self.rows(3_000, &random), into: "Thing")
    try file.read { snapshot in
      let entity = try #require(snapshot.schema.entity(named: "Thing"))
      let reader = try snapshot.index(try #require(entity.index(named: "size")), of: entity)
      for _ in 0..<50 {
        let ranges = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
          IndexKeyRange.equal(to: [.int(.random(in: -50..<50, using: &random))], types: [.int])
        }
        var together: [UInt64] = []
        try reader.forEachRun(ranges) {
          together += $0
          return true
        }
        var apart: [UInt64] = []
        for range in ranges {
          try reader.forEachRun(range) {
            apart += $0
            return true
          }
        }
        #expect(together == apart)
        together = []
        try reader.forEachPart(ranges) {
          together += $0
          return true
        }
        #expect(together == apart)
      }
    }
  }

  @Test(arguments: [0, 1, 300, 5_000]) func anIndexBuiltLaterIsTheSame(_ count: Int) throws {
    var random = Seeded(UInt64(count) + 3)
    let rows = Self.rows(count, &random)
    let grown = try StoreFile.inMemory(declaring: Self.schema(Self.indexes))
    try grown.insert(rows, into: "Thing")
    let built = try StoreFile.inMemory(declaring: Self.schema([]))
    try built.insert(rows, into: "Thing")
    try built.declare(Self.schema(Self.indexes))
    for index in Self.indexes {
      #expect(try built.indexed(index.name, of: "Thing") == grown.indexed(index.name, of: "Thing"), "\(index.name)")
    }
    try built.expectWhole()
    try built.insert(Self.rows(20, &random), into: "Thing")
    try built.expectWhole()
  }

  @Test func aUniqueIndexBuiltLaterRefusesWhatIsShared() throws {
    let file = try StoreFile.inMemory(declaring: Self.schema([]))
    var random = Seeded(1)
    var rows = Self.rows(400, &random)
    for place in rows.indices { rows[place][0] = place % 50 == 0 ? .null : .int(Int64(place)) }
    try file.insert(rows, into: "Thing")
    try file.declare(Self.schema([Index(kind: .unique, paths: ["size"])]))
    try file.expectWhole()
    let other = try StoreFile.inMemory(declaring: Self.schema([]))
    rows[0][0] = .int(399)
    try other.insert(rows, into: "Thing")
    #expect(throws: StoreError.self) { try other.declare(Self.schema([Index(kind: .unique, paths: ["size"])])) }
    try other.expectWhole()
  }
}
