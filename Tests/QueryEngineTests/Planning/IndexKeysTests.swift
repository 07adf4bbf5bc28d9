import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Distinct values, counted groups and extremes from the keys of indexes, against the same without.
@Suite struct IndexKeysTests {
  private static let types: [ScalarType] = [.int, .double, .string, .bool, .date, .float]

  private static func schema(indexed: Bool) -> Schema {
    let columns = types.map { Property(name: $0.rawValue.lowercased(), type: .scalar($0), isOptional: true) }
    let singles = columns.map { Index(paths: [$0.name]) }
    return Schema(entities: [
      Entity(
        name: "Item", properties: columns,
        indexes: indexed ? singles + [Index(paths: ["int", "string"]), Index(paths: ["bool", "int"])] : [])
    ])
  }

  private static func rows(_ count: Int, _ random: inout OracleRandom) -> [[Value]] {
    (0..<count).map { _ in
      let number = Int64(random.below(9)) - 4
      let real = random.pick([0.0, -0.0, .nan, .infinity, -.infinity, Double(number), Double(random.below(30)) / 8])
      let values: [Value] = [
        .int(number * 1_000), .double(real), .string(random.pick(["", "a", "A", "é", "e\u{301}", "a\0", "a\0b"])),
        .bool(number > 0), .date(Instant(seconds: real)), .float(Float(real)),
      ]
      return values.map { random.once(in: 8) ? .null : $0 }
    }
  }

  /// With and without indexes, every plan.
  @Test func everyPlanFindsTheSame() throws {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    var viaKeys = 0
    for size in [0, 1, 40, 3_000] {
      let rows = Self.rows(size, &random)
      let plain = try TestStore(Self.schema(indexed: false), rows: rows)
      let indexed = try TestStore(Self.schema(indexed: true), rows: rows)
      let names = Self.types.map { $0.rawValue.lowercased() }
      var texts = names.flatMap { name in
        [
          "TRUEPREDICATE DISTINCT(\(name))", "\(name) != nil DISTINCT(\(name))", "\(name) == nil DISTINCT(\(name))",
          "TRUEPREDICATE DISTINCT(\(name)) LIMIT(2)", "TRUEPREDICATE DISTINCT(\(name)) SORT(int DESC) LIMIT(3)",
        ]
      }
      texts += [
        "int > -2000 DISTINCT(int)", "int IN {1000, 3000, nil} DISTINCT(int)", "TRUEPREDICATE DISTINCT(int, string)",
        "TRUEPREDICATE DISTINCT(string, int)", "int == 1000 DISTINCT(string, int)", "bool == TRUE DISTINCT(int, bool)",
        "double >= 0 DISTINCT(double)", "string BEGINSWITH 'a' DISTINCT(string)",
        "float < 1 AND int > 0 DISTINCT(float)",
      ]
      for text in texts {
        let expected = try plain.rows(text)
        for plan in try indexed.everyPlan(text) { #expect(plan.rows == expected, "\(text), plan \(plan.name)") }
        if try indexed.explain(text).contains("IndexKeys") { viaKeys += 1 }
      }
      for (place, type) in Self.types.enumerated() where type != .bool {
        for aggregate in [AggregateFunction.minimum, .maximum] {
          for text in ["TRUEPREDICATE", "\(names[place]) != nil", "int > 0", "int IN {-1000, 2000}", "double < 0"] {
            let expected = try Self.aggregate(aggregate, place, text, plain)
            let found = try Self.aggregate(aggregate, place, text, indexed)
            #expect(found.isIdentical(to: expected), "\(aggregate) of \(names[place]), \(text): \(found), \(expected)")
          }
        }
      }
    }
    #expect(viaKeys > 5)
  }

  /// Aggregates over DISTINCT of an indexed property read the objects: the keys hold only counts.
  @Test func distinctObjectsAreReduced() throws {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    let rows = Self.rows(300, &random)
    let plain = try TestStore(Self.schema(indexed: false), rows: rows)
    let indexed = try TestStore(Self.schema(indexed: true), rows: rows)
    #expect(try indexed.explain("TRUEPREDICATE DISTINCT(int)").contains("IndexKeys"))
    for aggregate in AggregateFunction.functions where aggregate != .count {
      let expected = try Self.aggregate(aggregate, 1, "TRUEPREDICATE DISTINCT(int)", plain)
      let found = try Self.aggregate(aggregate, 1, "TRUEPREDICATE DISTINCT(int)", indexed)
      #expect(found.isIdentical(to: expected), "\(aggregate): \(found), not \(expected), seed \(seed)")
      for text in [
        "GROUP BY bool SELECT bool, @\(aggregate.rawValue).double",
        "SELECT @\(aggregate.rawValue).double",
      ] {
        let statement = "Item WHERE TRUEPREDICATE DISTINCT(int) \(text)"
        let expected = try GroupingTests.rows(statement, in: plain.file)
        let found = try GroupingTests.rows(statement, in: indexed.file)
        #expect(
          found.count == expected.count
            && zip(found, expected).allSatisfy { zip($0, $1).allSatisfy { $0.isIdentical(to: $1) } },
          "\(statement): \(found), not \(expected), seed \(seed)")
      }
    }
  }

  private static func aggregate(_ kind: AggregateFunction, _ column: Int, _ text: String, _ store: TestStore) throws
    -> Value
  {
    let snapshot = try store.file.beginSnapshot()
    return try store.compile(text).plan(in: snapshot).aggregate(kind, column: column, in: snapshot)
  }

  @Test func aJumpIsExplained() throws {
    let store = try TestStore(
      Self.schema(indexed: true),
      rows: (0..<20_000).map { [.int(Int64($0 % 10)), .double(Double($0)), .null, .null, .null, .null] })
    let plan = try store.explain("TRUEPREDICATE DISTINCT(int)")
    #expect(plan.contains("IndexKeys  Item   est 10   via index int"), "\(plan)")
    #expect(try store.rows("TRUEPREDICATE DISTINCT(int)") == Array(0..<10))
    // As many keys as objects: nothing is passed over, but nothing has to be told apart either.
    let all = try store.explain("TRUEPREDICATE DISTINCT(double)")
    #expect(all.contains("IndexKeys  Item   est 20000   via index double"), "\(all)")
    // The first few of them are soon met.
    let few = try store.explain("TRUEPREDICATE DISTINCT(double) LIMIT(5)")
    #expect(few.contains("Distinct  double"), "\(few)")
    #expect(try store.rows("TRUEPREDICATE DISTINCT(double) LIMIT(5)") == Array(0..<5))
  }

  /// What is run is what is explained, though to be run less is found out.
  @Test func theQuickPlanIsTheExplainedOne() throws {
    let store = try TestStore(Samples.quakes, rows: Samples.rows(20_000))
    let snapshot = try store.file.beginSnapshot()
    var certain = 0
    for text in [
      "code == 'q777'", "magnitude > 9.98", "magnitude > 1", "place == '1 km of Japan' AND magnitude > 9",
      "place == '1 km of Japan' AND depth > 5 AND magnitude > 9.9", "code IN {'q1', 'q2', 'nothing'}",
      "code == 'q5' AND depth > 600 AND felt == nil", "felt == 3 SORT(magnitude DESC) LIMIT(2)", "felt == nil",
      "SORT(magnitude DESC) LIMIT(10)", "magnitude > 9.98 LIMIT(1)", "magnitude < 1 AND magnitude > 2",
      "code == 'q5' OR depth > 600", "depth > 3 SORT(magnitude ASC) LIMIT(4)", "code == 'q1' DISTINCT(place)",
    ] {
      var options = PlannerOptions()
      let explained = try store.compile(text).plan(in: snapshot, options: options)
      options.namesRejected = false
      let quick = try store.compile(text).plan(in: snapshot, options: options)
      #expect(quick.root.leafIndex == explained.root.leafIndex, "\(text)")
      #expect(try quick.objects(in: snapshot) == explained.objects(in: snapshot), "\(text)")
      if quick.rejected.isEmpty, !explained.rejected.isEmpty { certain += 1 }
    }
    #expect(certain > 6)
  }
}
