import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

@Suite struct OrderTests {
  static let numbers: [Value] = (0..<1000).map { n in
    n % 50 == 7 ? .null : n % 50 == 9 ? .double(.nan) : .double([0, -0.0, 1, -1, .infinity, -.infinity][n % 6])
  }

  /// What SORT must give, by the plainest means.
  private func expected(_ values: [Value], ascending: Bool) -> [Int] {
    values.indices.sorted { left, right in
      let order = SortOrder.compare(values[left], values[right])
      return order == 0 ? left < right : (order < 0) == ascending
    }
  }

  @Test func textsOfOtherScalarsAreOthers() throws {
    let spellings = ["caf\u{E9}", "cafe\u{301}"]
    let store = try TestStore(.string, indexed: true, (spellings + spellings).map(Value.string))
    #expect(try store.rows("DISTINCT(x)") == [0, 1])
    #expect(try store.rows("DISTINCT(x, uppercase(x))") == [0, 1])
    for word in ["==", "CONTAINS", "MATCHES", "LIKE"] {
      let text = spellings.map { "x \(word) '\($0)'" }.joined(separator: " OR ")
      #expect(try store.rows(text) == [0, 1, 2, 3], "\(word)")
    }
  }

  @Test(arguments: [false, true], [false, true])
  func numbersSort(_ ascending: Bool, _ indexed: Bool) throws {
    let store = try TestStore(.double, indexed: indexed, Self.numbers)
    let wanted = expected(Self.numbers, ascending: ascending)
    let direction = ascending ? "ASC" : "DESC"
    for plan in try store.everyPlan("SORT(x \(direction))") { #expect(plan.rows == wanted, "plan \(plan.name)") }
    for count in [0, 1, 10, 300, 5000] {
      for plan in try store.everyPlan("SORT(x \(direction)) LIMIT(\(count)) OFFSET(3)") {
        #expect(plan.rows == Array(wanted.dropFirst(3).prefix(count)), "limit \(count), plan \(plan.name)")
      }
    }
    let some = wanted.filter { $0 % 2 == 0 }
    for plan in try store.everyPlan("modulus:by:(n, 2) == 0 SORT(x \(direction)) LIMIT(40)") {
      #expect(plan.rows == Array(some.prefix(40)))
    }
  }

  @Test(arguments: [ScalarType.string, .uuid, .bool, .int, .date, .data, .decimal])
  func everyTypeSorts(_ type: ScalarType) throws {
    let values: [Value] = (0..<600).map { n in
      if n % 13 == 0 { return .null }
      switch type {
      case .string: return .string(["b", "", "a", "ab", "é", "Z"][n % 6])
      case .uuid: return .uuid(UUIDBytes(high: UInt64(n % 5), low: UInt64(n % 3)))
      case .bool: return .bool(n % 2 == 0)
      case .int: return .int([.min, .max, 0, -1, 1][n % 5])
      case .date: return .date(Instant(seconds: Double(n % 9) - 4))
      case .decimal: return .decimal(DecimalValue("\(n % 9 - 4)e-\(n % 4)") ?? .nan)
      default: return .data([UInt8(n % 4), UInt8(n % 3)])
      }
    }
    for indexed in [false, true] {
      let store = try TestStore(type, indexed: indexed, values)
      for ascending in [true, false] {
        let wanted = expected(values, ascending: ascending)
        let direction = ascending ? "ASC" : "DESC"
        for plan in try store.everyPlan("SORT(x \(direction))") { #expect(plan.rows == wanted) }
        for plan in try store.everyPlan("SORT(x \(direction)) LIMIT(70)") {
          #expect(plan.rows == Array(wanted.prefix(70)))
        }
      }
    }
  }

  @Test func severalKeys() throws {
    let rows = Samples.rows(2_000)
    let store = try TestStore(Samples.quakes, rows: rows)
    for (text, keys) in [
      ("SORT(felt, magnitude DESC)", [(5, true), (1, false)]),
      ("SORT(place DESC, magnitude DESC)", [(3, false), (1, false)]),
      ("SORT(place, magnitude)", [(3, true), (1, true)]),
      ("SORT(isReviewed DESC, depth, time)", [(6, false), (4, true), (2, true)]),
    ] {
      let wanted = rows.indices.sorted { left, right in
        for (column, ascending) in keys {
          let order = SortOrder.compare(rows[left][column], rows[right][column])
          if order != 0 { return (order < 0) == ascending }
        }
        return left < right
      }
      for plan in try store.everyPlan(text) { #expect(plan.rows == wanted, "\(text), plan \(plan.name)") }
      for limit in [1, 7, 300, 1_999, 3_000] {
        for plan in try store.everyPlan("\(text) LIMIT(\(limit))") {
          #expect(plan.rows == Array(wanted.prefix(limit)), "\(text) LIMIT(\(limit)), plan \(plan.name)")
        }
      }
    }
  }

  @Test func tailsApplyLeftToRight() throws {
    let store = try TestStore(.int, [3, 1, 2, 3, 1].map { .int($0) })
    #expect(try store.rows("SORT(x) LIMIT(3)") == [1, 4, 2])
    #expect(try store.rows("LIMIT(3) SORT(x)") == [1, 2, 0])
    #expect(try store.rows("SORT(x DESC) DISTINCT(x)") == [0, 2, 1])
    #expect(try store.rows("DISTINCT(x) SORT(x)") == [1, 2, 0])
    #expect(try store.rows("SORT(x) LIMIT(4) SORT(x DESC) LIMIT(2)") == [0, 2])
    #expect(try store.rows("SORT(x DESC) SORT(n DESC)") == [4, 3, 2, 1, 0])
    #expect(try store.rows("LIMIT(2) OFFSET(1)") == [1, 2])
    #expect(try store.rows("OFFSET(10)") == [])
    #expect(try store.rows("LIMIT(0)") == [])
  }

  @Test func sortsAreStable() throws {
    let store = try TestStore(.int, [3, 1, 2, 3, 1].map { .int($0) })
    for plan in try store.everyPlan("SORT(n DESC) SORT(x)") { #expect(plan.rows == [4, 1, 2, 3, 0], "\(plan.name)") }
    #expect(try store.rows("SORT(n DESC) SORT(x) LIMIT(2)") == [4, 1])
    #expect(try store.rows("SORT(n DESC) LIMIT(4) SORT(x DESC)") == [3, 2, 4, 1])
    #expect(try store.rows("SORT(n DESC) DISTINCT(n) SORT(x)") == [4, 1, 2, 3, 0])
    #expect(try store.rows("SORT(x) SORT(x DESC)") == [0, 3, 2, 1, 4])
  }

  @Test func distinctKeepsTheFirst() throws {
    let store = try TestStore(.double, Self.numbers)
    var seen: Set<Value> = []
    let wanted = Self.numbers.indices.filter { seen.insert(DistinctKey.of(Self.numbers[$0])).inserted }
    #expect(wanted.count == 7)
    #expect(try store.rows("DISTINCT(x)") == wanted)
    #expect(try store.rows("DISTINCT(x, x)") == wanted)
    let texts = try TestStore(.string, (0..<600).map { $0 % 5 == 0 ? .null : .string("t\($0 % 7)") })
    #expect(try texts.rows("DISTINCT(x)") == (0..<8).map { [0, 1, 2, 3, 4, 6, 12, 7][$0] }.sorted())
  }

  @Test func aggregates() throws {
    let store = try TestStore(.int, [.int(5), .null, .int(-2), .int(9)])
    let file = store.file
    let snapshot = try file.beginSnapshot()
    let all = try store.compile("TRUEPREDICATE").plan(in: snapshot)
    #expect(try all.aggregate(.minimum, column: 1, in: snapshot) == .int(-2))
    #expect(try all.aggregate(.maximum, column: 1, in: snapshot) == .int(9))
    #expect(try all.aggregate(.sum, column: 1, in: snapshot) == .int(12))
    #expect(try all.aggregate(.average, column: 1, in: snapshot) == .double(4))
    let none = try store.compile("x > 100").plan(in: snapshot)
    #expect(try none.aggregate(.minimum, column: 1, in: snapshot) == .null)
    #expect(try none.aggregate(.sum, column: 1, in: snapshot) == .int(0))
    #expect(try none.aggregate(.average, column: 1, in: snapshot) == .null)
    let some = try store.compile("n < 3 SORT(x) LIMIT(2)").plan(in: snapshot)
    #expect(try some.aggregate(.maximum, column: 1, in: snapshot) == .int(-2))
    let doubles: [Value] = (0..<700).map { $0 % 50 == 0 ? .null : $0 % 333 == 5 ? .double(.nan) : .double(Double($0)) }
    let many = try TestStore(.double, doubles)
    let version = try many.file.beginSnapshot()
    let numbers = doubles.compactMap { if case .double(let number) = $0, !number.isNaN { number } else { nil } }
    let whole = try many.compile("TRUEPREDICATE").plan(in: version)
    #expect(try whole.aggregate(.sum, column: 1, in: version) == .double(numbers.reduce(0, +)))
    #expect(
      try whole.aggregate(.average, column: 1, in: version) == .double(numbers.reduce(0, +) / Double(numbers.count)))
    let big = try TestStore(.int, [.int(.max), .int(1)])
    let after = try big.file.beginSnapshot()
    #expect(try big.compile("TRUEPREDICATE").plan(in: after).aggregate(.sum, column: 1, in: after) == .null)
  }

  @Test func cancelledQueriesStop() throws {
    let store = try TestStore(.int, (0..<1000).map { .int($0) })
    #expect(throws: QueryCancelled.self) {
      try store.rows("x > 5", options: PlannerOptions(isCancelled: { true }))
    }
  }

  /// Every plan of queries that indexes can serve finds the same.
  @Test(arguments: [
    "code == 'q77'", "code IN {'q1', 'q9', 'q1', 'none'}", "magnitude > 5", "magnitude BETWEEN {1, 2} AND felt == 3",
    "place == '1 km of Japan'", "place == '1 km of Japan' AND magnitude > 3", "place BEGINSWITH '1'",
    "place > '3' AND place < '4'",
    "felt == nil", "felt != nil", "felt IN {nil, 3} AND magnitude < 5", "code == 'q5' OR magnitude > 9 OR felt == 1",
    "code == 'q5' OR depth > 600", "NOT (code == 'q5' OR magnitude > 1)", "location == nil AND magnitude > 9",
    "location.latitude > 80 AND place CONTAINS[c] 'JAPAN'", "magnitude > 9 SORT(magnitude DESC) LIMIT(5)",
    "felt > 3 SORT(felt) LIMIT(7)", "place != nil SORT(place DESC, magnitude DESC) LIMIT(9)",
    "isReviewed AND felt > 40",
    "network != nil", "magnitude > 9 SORT(place) DISTINCT(place) LIMIT(3) OFFSET(1)",
  ])
  func everyPlanFindsTheSame(_ text: String) throws {
    let store = try TestStore(Samples.quakes, rows: Samples.rows(3_000))
    let plans = try store.everyPlan(text)
    for plan in plans { #expect(plan.rows == plans[0].rows, "plan \(plan.name)") }
  }

  /// What is the same for all objects changes no order.
  @Test func aConstantKeyChangesNoOrder() throws {
    let store = try TestStore(.int, [5, 3, 9, 3, 7, 5].map { .int($0) })
    #expect(try store.rows("SORT(x DESC) DISTINCT(x)") == [2, 4, 0, 1])
    for limit in ["", " LIMIT(10)"] {
      #expect(try store.rows("SORT(x DESC) DISTINCT(x) SORT(@type DESC)" + limit) == [2, 4, 0, 1])
      #expect(try store.rows("SORT(x DESC) LIMIT(3) SORT(@type ASC)" + limit) == [2, 4, 0])
    }
    #expect(try store.rows("SORT(x DESC) DISTINCT(x) SORT(@type DESC) LIMIT(3)") == [2, 4, 0])
    #expect(try store.rows("SORT(@type DESC) LIMIT(3)") == [0, 1, 2])
  }
}
