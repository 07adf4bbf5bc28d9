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
      rows: (0..<1500).map { n -> [Value] in
        let decimal: Value = n % 9 == 0 ? .null : .double(Double(n) / 100)
        let word = ["x", "y", "z"][n % 3]
        let date = Instant(seconds: Double(n) * 1.001)
        return [
          .int(Int64(n % 300)), decimal, .string(word), .float(Float(n % 70) / 10), .date(date), .bool(n % 2 == 0),
        ]
      })
    let snapshot = try store.file.beginSnapshot()
    var asked: [(String, (Int) -> Bool)] = []
    asked.append(("a == 7", { n in n % 300 == 7 }))
    asked.append(("c == 'y'", { n in n % 3 == 1 }))
    asked.append(("d > 6.4", { n in n % 70 > 64 }))
    asked.append(("b < 1.5", { n in n % 9 != 0 && n < 150 }))
    asked.append(("b != 1.51", { n in n % 9 == 0 || n != 151 }))
    asked.append(("f == true", { n in n % 2 == 0 }))
    asked.append(("NOT (c == 'x' OR a > 100)", { n in n % 3 != 0 && n % 300 <= 100 }))
    asked.append(("c IN {'x', 'z', 'w'}", { n in n % 3 != 1 }))
    asked.append(("e <= 2001-01-01@00:00:10", { n in Double(n) * 1.001 <= 10 }))
    for _ in 0..<4 {
      for (text, holds) in asked {
        let expected = (0..<1500).count(where: holds)
        #expect(try counts(store, text, in: snapshot) == Array(repeating: expected, count: 5), "\(text)")
      }
    }
  }

  @Test func aggregatesOfAllObjects() throws {
    let values = (0..<1000).map { n -> Value in n % 10 == 0 ? .null : .double(Double(n * 37 % 901) / 100) }
    for type in [ScalarType.double, .float, .int] {
      let kept = values.map { value -> Value in
        guard case .double(let number) = value else { return .null }
        return type == .float ? .float(Float(number)) : type == .int ? .int(Int64(number * 100)) : value
      }
      let store = try TestStore(type, kept)
      let snapshot = try store.file.beginSnapshot()
      let plan = try store.compile("TRUEPREDICATE").plan(in: snapshot)
      for aggregate in AggregateFunction.functions where aggregate != .count {
        let wanted: Value = OracleAggregates.reduce(
          aggregate.rawValue, kept.filter { !$0.isNull }, type: OracleType(type))
        for _ in 0..<4 {
          let found = try plan.aggregate(aggregate, column: 1, in: snapshot)
          #expect(
            OracleAggregates.agree(aggregate.rawValue, found, wanted),
            "\(aggregate) of \(type): \(found), not \(wanted)")
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
