import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Sums of Doubles are exact but for one rounding, and the same in whatever way the objects are found and parted.
@Suite struct ExactSumsTests {
  private static let count = 5_000

  /// Cents of a store: what digits there are behind the point, and so how they are kept, changes from cluster to cluster.
  private static func cents(_ place: Int) -> Int64? {
    if place % 41 == 7 { return nil }
    let number = Int64(place * 7_919 % 90_001) - 3_000
    return place / 256 % 3 == 0 ? number * 100 : place / 256 % 3 == 1 ? number * 10 : number
  }

  private static let store: Result<TestStore, any Error> = Result {
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: [
          Property(name: "x", type: .scalar(.double), isOptional: true), Property(name: "few", type: .scalar(.string)),
          Property(name: "many", type: .scalar(.int)), Property(name: "half", type: .scalar(.int)),
        ], indexes: [Index(paths: ["half"])])
    ])
    return try TestStore(
      schema,
      rows: (0..<count).map { place -> [Value] in
        let text = ["a", "b", "c"][place % 97 % 3]
        return [
          cents(place).map { .double(Double($0) / 100) } ?? .null, .string(text), .int(Int64(place % 50)),
          .int(Int64(place % 2)),
        ]
      })
  }

  /// What the sum of some objects must be.
  private static func sum(_ isWanted: (Int) -> Bool) -> Double {
    OracleSum.of((0..<count).filter(isWanted).compactMap { cents($0).map { Double($0) / 100 } })
  }

  /// A value that all objects of a cluster have, or none of those that are asked for, is taken as often as it is there:
  /// infinity times nothing is no number.
  @Test(arguments: [Double.infinity, -.infinity, .nan, 2.5]) func oneValueIsTakenAsOftenAsItIsThere(value: Double)
    throws
  {
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: [
          Property(name: "x", type: .scalar(.double), isOptional: true), Property(name: "n", type: .scalar(.int)),
        ])
    ])
    let store = try TestStore(
      schema, rows: (0..<600).map { [$0 % 3 == 0 ? .null : .double(value), .int(Int64($0 % 3))] })
    let snapshot = try store.file.beginSnapshot()
    for _ in 0..<4 {
      func isTotal(_ aggregate: AggregateFunction, _ text: String, _ expected: Value) throws -> Bool {
        let found = try store.compile(text).plan(in: snapshot).aggregate(aggregate, column: 0, in: snapshot)
        return OracleValues.identical(found, expected)
      }
      #expect(try isTotal(.sum, "n == 0", .double(0)))
      #expect(try isTotal(.average, "n == 0", .null))
      #expect(try isTotal(.sum, "n == 1", .double(value.isNaN ? 0 : value * 200)))
      #expect(try isTotal(.average, "TRUEPREDICATE", value.isNaN ? .null : .double(value)))
      #expect(try isTotal(.maximum, "n != 0", value.isNaN ? .null : .double(value)))
    }
  }

  @Test func everyWayGivesTheSame() throws {
    let store = try Self.store.get()
    let all = Value.double(Self.sum { _ in true })
    let half = Value.double(Self.sum { $0 % 2 == 1 })
    // The first time clusters are walked, later there is a table of them.
    for _ in 0..<3 {
      for threads in [ScanThreads.one, .always(4)] {
        let snapshot = try store.file.beginSnapshot()
        func isSum(_ text: String, _ expected: Value, _ access: AccessChoice = .cheapest) throws -> Bool {
          var options = PlannerOptions(access: access)
          options.threads = threads
          let plan = try store.compile(text).plan(in: snapshot, options: options)
          return OracleValues.identical(try plan.aggregate(.sum, column: 0, in: snapshot), expected)
        }
        #expect(try isSum("TRUEPREDICATE", all))
        #expect(try isSum("many >= 0 AND few != 'z'", all))
        for number in 0..<(try store.compile("half == 1").planCount(in: snapshot)) {
          #expect(try isSum("half == 1", half, .enumerated(number)))
        }
        #expect(try isSum("half == 1 SORT(many DESC)", half))
      }
      for (key, parts) in [("few", ["a", "b", "c"].map(Value.string)), ("many", (0..<50).map { Value.int($0) })] {
        let rows = try GroupingTests.rows("Item GROUP BY \(key) SELECT \(key), @sum.x, @avg.x", in: store.file)
        #expect(rows.count == parts.count)
        for row in rows {
          func isWanted(_ place: Int) -> Bool {
            key == "few"
              ? row[0] == .string(["a", "b", "c"][place % 97 % 3]) : row[0] == .int(Int64(place % 50))
          }
          let sum = Self.sum(isWanted)
          let number = (0..<Self.count).count { isWanted($0) && Self.cents($0) != nil }
          #expect(OracleValues.identical(row[1], .double(sum)), "\(row)")
          #expect(OracleValues.identical(row[2], .double(sum / Double(number))), "\(row)")
        }
      }
    }
  }

  /// How many digits are kept behind the point, for objects that are summed up or for others beside them, changes
  /// nothing: the sum is the Double nearest to the exact one.
  @Test func digitsChangeNothing() throws {
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: [
          Property(name: "x", type: .scalar(.double), isOptional: true), Property(name: "part", type: .scalar(.int)),
        ])
    ])
    for seed in 1...12 {
      // Cents in the first four clusters; in the last some nil and, among them, hundred-thousandths.
      let cents = (0..<1023).map { Int64($0 * 7_919 % 997 * 1_000_000_007 + seed * 40_013) }
      let store = try TestStore(
        schema,
        rows: (0..<1279).map { place -> [Value] in
          if place < 1023 { return [.double(Double(cents[place]) / 100), .int(0)] }
          return place % 2 == 0 ? [.null, .int(0)] : [.double(Double(place) / 100_000), .int(1)]
        })
      let numbers = cents.map { Double($0) / 100 }
      let small = (1023..<1279).filter { $0 % 2 == 1 }.map { Double($0) / 100_000 }
      for (text, summands) in [("part == 0", numbers), ("TRUEPREDICATE", numbers + small)] {
        let nearest = OracleSum.of(summands)
        for threads in [ScanThreads.one, .one, .always(2), .always(5)] {
          let snapshot = try store.file.beginSnapshot()
          var options = PlannerOptions()
          options.threads = threads
          let plan = try store.compile(text).plan(in: snapshot, options: options)
          let found = try plan.aggregate(.sum, column: 0, in: snapshot)
          #expect(OracleValues.identical(found, .double(nearest)), "\(text) \(seed)")
        }
      }
    }
  }

  /// Threads share the work, and the result is the same.
  @Test func threadsAddTheSame() throws {
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: [
          Property(name: "real", type: .scalar(.double), isOptional: true),
          Property(name: "mixed", type: .scalar(.double)), Property(name: "large", type: .scalar(.int)),
          Property(name: "single", type: .scalar(.float)),
        ])
    ])
    let store = try TestStore(
      schema,
      rows: (0..<Self.count).map { place -> [Value] in
        let real = Double(place * 7_919 % 90_001) / 7 * (place % 3 == 0 ? 1e9 : 1)
        let cluster = place / 256
        return [
          place % 31 == 4 ? .null : .double(real),
          .double(cluster % 3 == 0 ? real : cluster % 3 == 1 ? Double(place % 1000) / 10 : 0.1),
          .int(cluster % 4 == 2 ? .max : Int64(place)), .float(Float(real)),
        ]
      })
    for (column, type) in ["real", "mixed", "large", "single"].enumerated() {
      for text in ["TRUEPREDICATE", "mixed > 3 AND modulus:by:(large, 7) != 2", "large < 0"] {
        for aggregate in [AggregateFunction.sum, .average, .minimum, .maximum] {
          var values: [Value] = []
          for threads in [ScanThreads.one, .one, .always(2), .always(4), .always(7)] {
            let snapshot = try store.file.beginSnapshot()
            var options = PlannerOptions()
            options.threads = threads
            let plan = try store.compile(text).plan(in: snapshot, options: options)
            values.append(try plan.aggregate(aggregate, column: column, in: snapshot))
          }
          let areSame = values.allSatisfy { OracleValues.identical($0, values[0]) }
          #expect(areSame, "\(aggregate) of \(type) where \(text): \(values)")
        }
      }
    }
  }
}
