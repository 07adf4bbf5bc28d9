import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Scans by the table of clusters, which the second scan of a version makes: whatever is written, answers are those of
/// the version asked.
@Suite struct TableScanTests {
  private func counts(_ store: TestStore, _ text: String, in snapshot: Snapshot) throws -> [Int] {
    try (0..<5).map { _ in try store.compile(text).plan(in: snapshot).count(in: snapshot) }
  }

  @Test func everyVersionHasItsOwn() throws {
    let store = try TestStore(.double, (0..<2000).map { .double(Double($0) / 10) })
    let before = try store.file.beginSnapshot()
    #expect(try counts(store, "x >= 100", in: before) == [1000, 1000, 1000, 1000, 1000])
    try store.file.write { session in
      guard let entity = session.schema.entity(named: "Item") else { return }
      for number in 1...500 { _ = try session.delete(ObjectNumber(UInt64(number * 4)), of: entity) }
      try session.update(ObjectNumber(1), of: entity, [(1, .double(1e9))])
      _ = try session.insert([.int(9999), .double(100)], into: entity)
    }
    let after = try store.file.beginSnapshot()
    for _ in 0..<3 {
      #expect(try counts(store, "x >= 100", in: before) == [1000, 1000, 1000, 1000, 1000])
      #expect(try counts(store, "x >= 100", in: after) == [752, 752, 752, 752, 752])
    }
  }

  /// Columns that were not looked at when the table was made are read all the same, and later from the table.
  @Test func columnsComeOneByOne() throws {
    let schema = Schema(entities: [
      Entity(
        name: "Many",
        properties: [
          Property(name: "a", type: .scalar(.int)), Property(name: "b", type: .scalar(.double), isOptional: true),
          Property(name: "c", type: .scalar(.string)), Property(name: "d", type: .scalar(.float)),
          Property(name: "e", type: .scalar(.date)), Property(name: "f", type: .scalar(.bool)),
        ])
    ])
    let store = try TestStore(
      schema,
      rows: (0..<1500).map { n in
        [
          .int(Int64(n % 300)), n % 9 == 0 ? .null : .double(Double(n) / 100), .string(["x", "y", "z"][n % 3]),
          .float(Float(n % 70) / 10), .date(Instant(seconds: Double(n) * 1.001)), .bool(n % 2 == 0),
        ]
      })
    let snapshot = try store.file.beginSnapshot()
    let asked: [(String, (Int) -> Bool)] = [
      ("a == 7", { $0 % 300 == 7 }), ("c == 'y'", { $0 % 3 == 1 }), ("d > 6.4", { $0 % 70 > 64 }),
      ("b < 1.5", { $0 % 9 != 0 && $0 < 150 }), ("b != 1.51", { $0 % 9 == 0 || $0 != 151 }), ("f == true", { $0 % 2 == 0 }),
      ("NOT (c == 'x' OR a > 100)", { $0 % 3 != 0 && $0 % 300 <= 100 }), ("c IN {'x', 'z', 'w'}", { $0 % 3 != 1 }),
      ("e <= 2001-01-01@00:00:10", { Double($0) * 1.001 <= 10 }),
    ]
    for _ in 0..<4 {
      for (text, holds) in asked {
        let expected = (0..<1500).count(where: holds)
        #expect(try counts(store, text, in: snapshot) == Array(repeating: expected, count: 5), "\(text)")
      }
    }
  }

  @Test func aggregatesOfAllObjects() throws {
    let values: [Value] = (0..<1000).map { $0 % 10 == 0 ? .null : .double(Double($0 * 37 % 901) / 100) }
    for type in [ScalarType.double, .float, .int] {
      let kept = values.map { value -> Value in
        guard case .double(let number) = value else { return .null }
        return type == .float ? .float(Float(number)) : type == .int ? .int(Int64(number * 100)) : value
      }
      let store = try TestStore(type, kept)
      let snapshot = try store.file.beginSnapshot()
      let plan = try store.compile("TRUEPREDICATE").plan(in: snapshot)
      for aggregate in Aggregate.allCases {
        let wanted = OracleAggregates.reduce(
          aggregate.rawValue, kept.filter { !$0.isNull }, isInteger: type == .int)
        for _ in 0..<4 {
          let found = try plan.aggregate(aggregate, column: 1, in: snapshot)
          #expect(OracleAggregates.isClose(found, wanted, kept), "\(aggregate) of \(type): \(found), not \(wanted)")
        }
      }
    }
  }

  /// A dictionary for each cluster, more than are told apart.
  @Test func manyDictionaries() throws {
    let store = try TestStore(.string, (0..<80_000).map { .string("word \($0 / 256) \($0 % 3)") })
    let snapshot = try store.file.beginSnapshot()
    for (text, expected) in [("x == 'word 300 1'", 85), ("x ENDSWITH ' 0'", 26_667), ("x == 'word 12 2'", 85)] {
      #expect(try counts(store, text, in: snapshot) == Array(repeating: expected, count: 5), "\(text)")
    }
  }
}
