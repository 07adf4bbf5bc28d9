import Schema
import Storage
import Testing
import Values

/// What a write sees of clusters that it has written itself, and of their neighbours in the file: those that share a
/// page, and those that have pages of their own.
@Suite struct RepeatedFlushTests {
  /// Random changes in one write, with a look at the store after each few, which has everything written.
  @Test(arguments: [(clusters: 12, objects: 3, width: 1), (12, 256, 1), (12, 256, 6), (3, 40, 40)])
  func changesBetweenFlushesAreKept(clusters: Int, objects: Int, width: Int) throws {
    let columns = (0..<width).map { Property.scalar("text\($0)", .string) } + [.scalar("size", .int)]
    let folder = try StoreFolder()
    let file = try folder.open(Schema.only("Note", columns))
    let entity = try file.entity("Note")
    var seed = Seeded(UInt64(clusters * 1000 + objects + width))
    func row() -> [Value] {
      (0..<width).map { _ in .string("text \(UInt64.random(in: 0...(.max), using: &seed))") }
        + [.int(.random(in: 0..<1_000_000, using: &seed))]
    }
    var expected: [UInt64: [Value]] = [:]
    let rows = (0..<clusters * 256).map { _ in row() }
    for (number, row) in zip(try file.insert(rows, into: "Note"), rows) { expected[number.rawValue] = row }
    // Clusters of few objects are small values, which share pages.
    try file.write { session in
      for number in expected.keys where Int(number & 255) >= objects {
        try session.delete(ObjectNumber(number), of: entity)
        expected[number] = nil
      }
    }
    let numbers = expected.keys.sorted()
    for _ in 0..<4 {
      try file.write { session in
        for _ in 0..<60 {
          for _ in 0..<Int.random(in: 1...4, using: &seed) {
            let number = try #require(numbers.randomElement(using: &seed))
            guard expected[number] != nil else { continue }
            if Int.random(in: 0..<12, using: &seed) == 0 {
              try session.delete(ObjectNumber(number), of: entity)
              expected[number] = nil
            } else {
              let column = Int.random(in: 0...width, using: &seed)
              let value = row()[column]
              try session.update(ObjectNumber(number), of: entity, [(column: column, value: value)])
              expected[number]?[column] = value
            }
          }
          let snapshot = try session.snapshot()
          let number = try #require(numbers.randomElement(using: &seed))
          #expect(try snapshot.row(ObjectNumber(number), of: entity) == expected[number])
        }
      }
      #expect(try file.rows("Note") == expected)
    }
    try file.expectWhole()
  }

  /// Clusters that grow after they were written in the same write are written to pages that this write has used before,
  /// as long as earlier commits have left some free.
  @Test func clustersGrowAfterTheyWereWrittenInTheSameWrite() throws {
    let folder = try StoreFolder()
    let file = try folder.open(
      Schema.only("Note", [.scalar("a", .string), .scalar("b", .string), .scalar("c", .string)]))
    let entity = try file.entity("Note")
    var seed = Seeded(7)
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    func text(_ count: Int) -> Value {
      .string(String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &seed)] }))
    }
    var expected: [UInt64: [Value]] = [:]
    for _ in 0..<3 {
      try file.write { session in
        for _ in 0..<4 * 256 {
          expected[try session.insert([text(4), text(40), text(40)], into: entity).rawValue] = []
        }
      }
      try file.write { session in for number in expected.keys { try session.delete(ObjectNumber(number), of: entity) } }
      expected = [:]
    }
    try file.write { session in
      for _ in 0..<4 * 256 {
        let row = [text(4), text(40), text(40)]
        expected[try session.insert(row, into: entity).rawValue] = row
      }
      let numbers = expected.keys.sorted()
      for length in [20, 60, 100, 30, 120] {
        for (place, number) in numbers.enumerated() where place % 256 % 3 == 0 {
          let value = text(length)
          try session.update(ObjectNumber(number), of: entity, [(column: 0, value: value)])
          expected[number]?[0] = value
        }
        _ = try session.snapshot()
      }
    }
    #expect(try file.rows("Note") == expected)
    try file.expectWhole()
  }

  /// A cluster that is full is written and let go of at once; changed again, it is one that this write has written.
  @Test func clustersWrittenInTheSameWriteAreChangedAgain() throws {
    let folder = try StoreFolder()
    let columns = (0..<5).map { Property.scalar("text\($0)", .string) }
    let file = try folder.open(Schema.only("Note", columns + [.scalar("size", .int)]))
    let entity = try file.entity("Note")
    func row(_ number: Int, _ size: Int) -> [Value] {
      (0..<5).map { .string("text \(number * 7919 + $0)") } + [.int(Int64(size))]
    }
    let numbers = try file.write { session in
      let numbers = try (0..<8 * 256).map { try session.insert(row($0, 0), into: entity) }
      for size in 1...3 {
        // One of each cluster, so that all of them are open, and are moved one after the other.
        for offset in 0..<40 {
          for cluster in 0..<8 {
            let number = numbers[cluster * 256 + offset]
            try session.update(number, of: entity, [(column: 5, value: .int(Int64(size)))])
          }
        }
        _ = try session.snapshot()
      }
      return numbers
    }
    for (index, number) in numbers.enumerated() {
      let row = row(index, index % 256 < 40 ? 3 : 0)
      #expect(try file.read { try $0.row(number, of: entity) } == row)
    }
    try file.expectWhole()
  }

  @Test func aNewLastClusterGoesBehindOneThatWasEmptied() throws {
    let folder = try StoreFolder()
    let file = try folder.open(Schema.only("Note", [.scalar("size", .int)]))
    let entity = try file.entity("Note")
    try file.insert((0..<600).map { [.int($0)] }, into: "Note")
    try file.write { session in
      for number in UInt64(512)...600 { try session.delete(ObjectNumber(number), of: entity) }
      _ = try session.snapshot()
      for size in 0..<500 { try session.insert([.int(Int64(size))], into: entity) }
      _ = try session.snapshot()
      try session.update(ObjectNumber(1), of: entity, [(column: 0, value: .int(7))])
      for size in 0..<500 { try session.insert([.int(Int64(size))], into: entity) }
    }
    let rows = try file.rows("Note")
    #expect(rows.count == 511 + 1000)
    #expect(rows[1] == [.int(7)] && rows[601] == [.int(0)] && rows[1600] == [.int(499)])
    try file.expectWhole()
  }
}
