import Foundation
import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// SORT, LIMIT, OFFSET, DISTINCT and GROUP BY over thousands of objects, so that clusters differ: against the plainest
/// computation on rows in memory.
///
/// `SEED=…` repeats a run.
@Suite struct SortingTests {
  private static let names = ["i", "j", "d", "f", "t", "u", "l", "b", "w"]
  private static let schema = Schema(entities: [
    Entity(
      name: "Item",
      properties: [
        Property(name: "i", type: .scalar(.int), isOptional: true),
        Property(name: "j", type: .scalar(.int)),
        Property(name: "d", type: .scalar(.double), isOptional: true),
        Property(name: "f", type: .scalar(.float), isOptional: true),
        Property(name: "t", type: .scalar(.string), isOptional: true),
        Property(name: "u", type: .scalar(.string)),
        Property(name: "l", type: .scalar(.string), isOptional: true),
        Property(name: "b", type: .scalar(.bool), isOptional: true),
        Property(name: "w", type: .scalar(.date), isOptional: true),
      ])
  ])

  /// How the values of one column depend on the object's place.
  private enum Shape: CaseIterable { case random, ascending, descending, blocks, same, rare }

  /// Objects with the store they are in; nil where one was deleted.
  private struct World {
    let file: StoreFile
    var rows: [[Value]?]
  }

  private static func world(_ count: Int, _ random: inout OracleRandom) throws -> World {
    let shapes = names.map { _ in Shape.allCases.randomElement(using: &random) ?? .random }
    let file = try StoreFile.inMemory(declaring: schema)
    var rows: [[Value]?] = (0..<count).map { place in
      names.indices.map { value($0, shapes[$0], place, count, &random) }
    }
    try file.write { session in
      guard let entity = session.schema.entity(named: "Item") else { return }
      var numbers: [ObjectNumber] = []
      for row in rows { numbers.append(try session.insert(row ?? [], into: entity)) }
      // Holes, whole clusters without objects, and values that came later.
      for place in rows.indices where Int.random(in: 0..<40, using: &random) == 0 {
        try session.delete(numbers[place], of: entity)
        rows[place] = nil
      }
      if count > 2_000 {
        for place in 600..<1_300 where rows[place] != nil {
          try session.delete(numbers[place], of: entity)
          rows[place] = nil
        }
      }
    }
    return World(file: file, rows: rows)
  }

  private static func value(
    _ column: Int, _ shape: Shape, _ place: Int, _ count: Int, _ random: inout OracleRandom
  ) -> Value {
    let isOptional = ![1, 5].contains(column)
    let step: Int
    switch shape {
    case .random: step = Int.random(in: 0..<count, using: &random)
    case .ascending: step = place
    case .descending: step = count - place
    case .blocks: step = place / 300
    case .same: step = 7
    case .rare: step = Int.random(in: 0..<200, using: &random) == 0 ? Int.random(in: 0..<9, using: &random) : 0
    }
    if isOptional, shape == .rare ? step == 0 && place / 256 % 2 == 0 : Int.random(in: 0..<12, using: &random) == 0 {
      return .null
    }
    switch column {
    case 0: return .int(Int64(step % 50) - 10)
    case 1: return .int(step % 3 == 0 && shape == .random ? Int64.max - Int64(step) : Int64(step) - 700)
    case 2: return .double([.nan, 0, -0.0, .infinity, -.infinity][safe: step % 29] ?? Double(step) / 8 - 20)
    case 3: return .float([.nan, -0.0, 0][safe: step % 17] ?? Float(step % 300) / 4)
    case 4: return .string(["earthquake", "quarry blast", "", "é", "e\u{301}", "a\u{0}"][step % 6])
    case 5: return .string("u\(step)")
    case 6:
      return .string(
        step % 4 == 0 ? String(repeating: "long text ", count: 5) + "\(step % 90)" : "long text \(step % 300)")
    case 7: return .bool(step % 2 == 0)
    default: return .date(Instant(seconds: step % 31 == 0 ? .nan : Double(step) * 0.5))
    }
  }

  // MARK: The plain computation

  private static func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .double(let number) where number.isNaN: 1
    case .float(let number) where number.isNaN: 1
    case .date(let instant) where instant.seconds.isNaN: 1
    default: 2
    }
  }

  /// Whether a value comes before another in ascending order.
  private static func comesBefore(_ left: Value, _ right: Value) -> Bool {
    if rank(left) != 2 || rank(right) != 2 { return rank(left) < rank(right) }
    switch (left, right) {
    case (.int(let a), .int(let b)): return a < b
    case (.double(let a), .double(let b)): return a < b
    case (.float(let a), .float(let b)): return a < b
    case (.date(let a), .date(let b)): return a.seconds < b.seconds
    case (.bool(let a), .bool(let b)): return !a && b
    case (.string(let a), .string(let b)): return a.utf8.lexicographicallyPrecedes(b.utf8)
    default: return false
    }
  }

  private static func areSame(_ left: Value, _ right: Value) -> Bool {
    !comesBefore(left, right) && !comesBefore(right, left)
  }

  private typealias Key = (column: Int, ascending: Bool)

  private static func sorted(_ places: [Int], _ rows: [[Value]?], _ keys: [Key]) -> [Int] {
    // Ties keep the order they had.
    places.enumerated().sorted { left, right in
      guard let a = rows[left.element], let b = rows[right.element] else { return left.offset < right.offset }
      for key in keys {
        if comesBefore(a[key.column], b[key.column]) { return key.ascending }
        if comesBefore(b[key.column], a[key.column]) { return !key.ascending }
      }
      return left.offset < right.offset
    }.map(\.element)
  }

  /// A text for each value that is the same for values that count as one.
  private static func name(_ value: Value) -> String {
    switch value {
    case .double(let number): number.isNaN ? "NaN" : "\(number + 0)"
    case .float(let number): number.isNaN ? "NaN" : "\(number + 0)"
    case .date(let instant): instant.seconds.isNaN ? "NaN" : "\(instant.seconds)"
    case .string(let text): "'" + text.utf8.map { "\($0)" }.joined(separator: ",")
    default: "\(value)"
    }
  }

  private static func distinct(_ places: [Int], _ rows: [[Value]?], _ columns: [Int]) -> [Int] {
    var seen: Set<String> = []
    return places.filter { place in
      seen.insert(columns.map { name(rows[place]?[$0] ?? .null) }.joined(separator: "|")).inserted
    }
  }

  // MARK: Tests

  private static let seed = testSeed()

  private typealias Filter = (text: String, holds: ([Value]) -> Bool)

  private static func filter(_ random: inout OracleRandom) -> Filter {
    let filters: [Filter] = [
      ("", { _ in true }), ("", { _ in true }),
      ("b == TRUE ", { $0[7] == .bool(true) }),
      ("t != nil ", { $0[4] != .null }),
      ("t == 'quarry blast' ", { $0[4] == .string("quarry blast") }),
      ("i == 3 ", { $0[0] == .int(3) }),
      (
        "i > 0 AND b != TRUE ",
        { row in
          if case .int(let number) = row[0] { number > 0 && row[7] != .bool(true) } else { false }
        }
      ),
      ("u == 'none' ", { _ in false }),
    ]
    return filters.randomElement(using: &random) ?? filters[0]
  }

  @Test func randomOrders() throws {
    print("SortingTests: SEED=\(Self.seed)")
    var random = OracleRandom(seed: Self.seed)
    for count in [0, 1, 255, 700, 3_500, 3_500] {
      let world = try Self.world(count, &random)
      let snapshot = try world.file.beginSnapshot()
      for _ in 0..<(count > 1_000 ? 60 : 15) {
        let filter = Self.filter(&random)
        var places = world.rows.indices.filter { world.rows[$0].map(filter.holds) ?? false }
        var text = filter.text.isEmpty ? "" : filter.text
        for _ in 0..<Int.random(in: 1...2, using: &random) {
          if Int.random(in: 0..<5, using: &random) == 0 {
            let columns = Array(
              Self.names.indices.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
            text += "DISTINCT(\(columns.map { Self.names[$0] }.joined(separator: ", "))) "
            places = Self.distinct(places, world.rows, columns)
          }
          let keys = Self.names.indices.shuffled(using: &random).prefix(
            [1, 1, 2, 3].randomElement(using: &random) ?? 1
          )
          .map { (column: $0, ascending: Bool.random(using: &random)) }
          let shown = keys.map { "\(Self.names[$0.column]) \($0.ascending ? "ASC" : "DESC")" }
          text += "SORT(\(shown.joined(separator: ", "))) "
          places = Self.sorted(places, world.rows, keys)
          if Int.random(in: 0..<5, using: &random) > 0 {
            let limit = [0, 1, 2, 10, 40, 300, 2_500].randomElement(using: &random) ?? 1
            let offset = [0, 0, 1, 30, 600].randomElement(using: &random) ?? 0
            text += "LIMIT(\(limit)) OFFSET(\(offset)) "
            places = Array(places.dropFirst(offset).prefix(limit))
          }
        }
        try check(text, places, world.file, snapshot)
      }
    }
  }

  private func check(_ text: String, _ places: [Int], _ file: StoreFile, _ snapshot: Snapshot) throws {
    let store = TestStore(file, entityName: "Item")
    let query = try store.compile(text)
    for number in 0..<(try query.planCount(in: snapshot)) {
      let plan = try query.plan(in: snapshot, options: PlannerOptions(access: .enumerated(number)))
      let found = try plan.objects(in: snapshot).map { Int($0.rawValue) - 1 }
      let problem = Comment(rawValue: "SEED=\(Self.seed) \(text): \(found.prefix(12)), expected \(places.prefix(12))")
      #expect(found == places, problem)
      #expect(try plan.count(in: snapshot) == places.count, problem)
      // What EXPLAIN ANALYZE runs gives the same, too.
      _ = try plan.analyze(in: snapshot)
    }
  }

  @Test func randomGroups() throws {
    var random = OracleRandom(seed: Self.seed &+ 1)
    for count in [0, 700, 3_500] {
      let world = try Self.world(count, &random)
      for _ in 0..<(count > 1_000 ? 40 : 10) {
        let filter = Self.filter(&random)
        let places = world.rows.indices.filter { world.rows[$0].map(filter.holds) ?? false }
        let keys = Array(
          Self.names.indices.shuffled(using: &random).prefix([1, 1, 2, 3].randomElement(using: &random) ?? 1))
        let key = keys.map { Self.names[$0] }.joined(separator: ", ")
        let condition = filter.text.isEmpty ? "" : "WHERE \(filter.text)"
        let text =
          "Item \(condition)GROUP BY \(key) SELECT \(key), @count, @sum.i, @avg.i, @min.d, @max.j, @max.w, @min.l, "
          + "@distinctUnionOfObjects.t.@count, @distinctUnionOfObjects.i, @avg.d"
        let found = try GroupingTests.rows(text, in: world.file)
        let problem = Comment(rawValue: "SEED=\(Self.seed) \(text)")
        let groups = Self.groups(places, world.rows, keys)
        #expect(found.count == groups.count, problem)
        for (row, members) in zip(found, groups) {
          let values = members.compactMap { world.rows[$0] }
          let shown = row.dropLast().map(Self.name)
          #expect(shown == Self.aggregates(values, keys), problem)
          let mean = Self.mean(values.map { $0[2] })
          if case .double(let number)? = row.last, let mean, mean.isFinite {
            #expect(abs(number - mean) <= 1e-9 * max(1, abs(mean)), problem)
          } else if mean == nil {
            #expect(row.last == .null, problem)
          }
        }
      }
    }
  }

  /// The members of each group, in the order of the first.
  private static func groups(_ places: [Int], _ rows: [[Value]?], _ keys: [Int]) -> [[Int]] {
    var order: [[Int]] = []
    var groupOfName: [String: Int] = [:]
    for place in places {
      let name = keys.map { Self.name(rows[place]?[$0] ?? .null) }.joined(separator: "|")
      if let group = groupOfName[name] {
        order[group].append(place)
      } else {
        groupOfName[name] = order.count
        order.append([place])
      }
    }
    return order
  }

  /// Keys and aggregates of a group, as names.
  private static func aggregates(_ rows: [[Value]], _ keys: [Int]) -> [String] {
    func least(_ column: Int, _ isBetter: (Value, Value) -> Bool) -> Value {
      var best = Value.null
      for value in rows.map({ $0[column] }) where rank(value) == 2 {
        if best.isNull || isBetter(value, best) { best = value }
      }
      return best
    }
    let integers = rows.compactMap { row -> Int64? in if case .int(let number) = row[0] { number } else { nil } }
    let sum = integers.reduce(0, +)
    var texts: Set<String> = []
    var distinct: [Value] = []
    var seen: Set<Int64> = []
    for row in rows {
      if !row[4].isNull { texts.insert(name(row[4])) }
      if case .int(let number) = row[0], seen.insert(number).inserted { distinct.append(row[0]) }
    }
    let values: [Value] =
      keys.map { rows[0][$0] } + [
        .int(Int64(rows.count)), .int(sum), integers.isEmpty ? .null : .double(Double(sum) / Double(integers.count)),
        least(2, comesBefore), least(1) { comesBefore($1, $0) }, least(8) { comesBefore($1, $0) },
        least(6, comesBefore), .int(Int64(texts.count)), .list(distinct),
      ]
    return values.map(name)
  }

  private static func mean(_ values: [Value]) -> Double? {
    let numbers = values.compactMap { value -> Double? in
      if case .double(let number) = value, !number.isNaN { number } else { nil }
    }
    return numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
  }

  @Test func aggregatesOfEverything() throws {
    var random = OracleRandom(seed: Self.seed &+ 2)
    for count in [0, 300, 3_500] {
      let world = try Self.world(count, &random)
      let snapshot = try world.file.beginSnapshot()
      let store = TestStore(world.file, entityName: "Item")
      for _ in 0..<12 {
        let filter = Self.filter(&random)
        let rows = world.rows.compactMap { $0 }.filter(filter.holds)
        let plan = try store.compile(filter.text.isEmpty ? "TRUEPREDICATE" : filter.text).plan(in: snapshot)
        let problem = Comment(rawValue: "SEED=\(Self.seed) \(filter.text)")
        for column in Self.names.indices {
          let values = rows.map { $0[column] }.filter { Self.rank($0) == 2 }
          let low = values.min(by: Self.comesBefore) ?? .null
          let high = values.max(by: Self.comesBefore) ?? .null
          let least = try plan.aggregate(.minimum, column: column, in: snapshot)
          let greatest = try plan.aggregate(.maximum, column: column, in: snapshot)
          #expect(Self.areSame(least, low) && Self.areSame(greatest, high), problem)
        }
        let integers = rows.compactMap { row -> Int64? in if case .int(let number) = row[0] { number } else { nil } }
        #expect(try plan.aggregate(.sum, column: 0, in: snapshot) == .int(integers.reduce(0, +)), problem)
        // Sums of whole numbers are exact however far they go on the way.
        let wide = rows.reduce(Int128(0)) { sum, row in
          if case .int(let number) = row[1] { sum + Int128(number) } else { sum }
        }
        #expect(
          try plan.aggregate(.sum, column: 1, in: snapshot) == Int64(exactly: wide).map(Value.int) ?? .null, problem)
      }
    }
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
