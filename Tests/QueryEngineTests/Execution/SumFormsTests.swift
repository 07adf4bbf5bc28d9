import PredicateLanguage
import Schema
import Testing
import Values

@testable import QueryEngine
@testable import Storage

/// The sum of one set of Doubles has the same bits in whatever form it is asked for: of all objects, of groups, of
/// linked objects, of a list, in HAVING and in SORT, as a function, from the tree and from the table, on one thread and on
/// several, and in whatever encoding the Doubles are stored.
@Suite struct SumFormsTests {
  private static let schema = Schema(entities: [
    Entity(
      name: "Item",
      properties: [Property(name: "w", type: .scalar(.double)), Property(name: "part", type: .scalar(.int))]),
    Entity(
      name: "Holder",
      properties: [
        Property(name: "part", type: .scalar(.int)), Property(name: "items", type: .list("Item")),
        Property(name: "xs", type: .array(.double)),
      ]),
  ])

  private static let sets: [[Double]] = [
    Array(repeating: 0.1, count: 10), [1e16, 1, -1e16], [1e308, 1e308, -1e308], [1e-320, 1e-320, 3e-320, -1e-320],
    [-0.0, -0.0], [1e308, 1e16, 0.1, 1e308, -1e308, 1, 1e-320, -1e16, -1e308] + Array(repeating: 0.1, count: 9),
  ]

  /// How a cluster stores the Doubles of a set.
  enum Encoding: CaseIterable {
    /// Every object has a cluster of its own, in which all values are the same.
    case same
    /// Whole numbers over a power of ten, where the set's own numbers allow that.
    case decimals
    case doubles

    /// A set with the same sum that is stored so.
    func stored(_ numbers: [Double]) -> [Double] {
      switch self {
      case .same: numbers
      case .decimals: numbers + [0.25, -0.25]
      case .doubles: numbers + [1.0 / 3, -1.0 / 3]
      }
    }
  }

  /// The set in part 0, the next greater number in part 1, and the next smaller one in part 2.
  private func store(_ numbers: [Double], _ sum: Double, _ encoding: Encoding) throws -> StoreFile {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.write { session in
      let item = try #require(session.schema.entity(named: "Item"))
      let holder = try #require(session.schema.entity(named: "Holder"))
      var next: UInt64 = 1
      for (part, numbers) in [numbers, [sum.nextUp], [sum.nextDown]].enumerated() {
        var items: [Value] = []
        for number in numbers {
          try session.writer(of: item).skipNumbers(before: next)
          next = encoding == .same ? next + 300 : next + 1
          let object = try session.insert([.double(number), .int(Int64(part))], into: item)
          items.append(.int(Int64(object.rawValue)))
        }
        next += 300
        try session.writer(of: holder).skipNumbers(before: UInt64(300 * part + 1))
        let list = Value.list(numbers.map(Value.double))
        _ = try session.insert([.int(Int64(part)), .list(items), list], into: holder)
      }
    }
    return file
  }

  private func rows(
    _ text: String, _ sum: Double, in snapshot: Snapshot, _ options: PlannerOptions
  ) throws -> [[Value]] {
    guard case .select(let select) = try StatementParser.statement(text) else { return [] }
    let context = SourceContext(
      source: text, arguments: Arguments(Array(repeating: .double(sum), count: select.allPlaceholders.count)),
      usedElsewhere: select.allPlaceholders, refusesExtraArguments: false)
    var query = QueryDescription(entity: select.entity?.text ?? "")
    try query.append(select.filter, context)
    if !select.isGrouped, !select.sortBy.isEmpty { query.stages.append(.sort(select.sortBy, context)) }
    let described = RowDescription(
      select: select.select, groupBy: select.groupBy, having: select.having,
      sortBy: select.isGrouped ? select.sortBy : [], context: context)
    let plan = try CompiledRows(query, described, schema: snapshot.schema).plan(in: snapshot, options: options)
    var rows: [[Value]] = []
    try plan.found(in: snapshot).forEach {
      rows.append($0)
      return true
    }
    return rows
  }

  @Test(arguments: sets, Encoding.allCases) func everyFormHasTheSameBits(numbers: [Double], encoding: Encoding) throws {
    let numbers = encoding.stored(numbers)
    let sum = OracleSum.of(numbers)
    func both(_ numbers: [Double]) -> [Value] {
      let sum = OracleSum.of(numbers)
      return [.double(sum), .double(sum / Double(numbers.count))]
    }
    let (part, all) = (both(numbers), both(numbers + [sum.nextUp, sum.nextDown]))
    for numbers in [numbers, numbers.reversed()] {
      let file = try store(numbers, sum, encoding)
      let snapshot = try file.beginSnapshot()
      let listed = "sum({\(numbers.indices.map { "xs[\($0)]" }.joined(separator: ", "))})"
      for links in [LinkAccess.rows, .sets] {
        for options in PlannerOptions.everyWay(links: links) {
          func expect(_ text: String, _ expected: [[Value]]) throws {
            let found = try rows(text, sum, in: snapshot, options)
            let isSame =
              found.count == expected.count
              && zip(found, expected).allSatisfy {
                $0.count == $1.count && zip($0, $1).allSatisfy(OracleValues.identical)
              }
            #expect(isSame, "\(text) of \(numbers): \(found), not \(expected); \(options.way)")
          }
          let places: [[Value]] = [[.int(2)], [.int(0)], [.int(1)]]
          try expect("Item SELECT @sum.w, @avg.w", [all])
          try expect("Item GROUP BY 1 SELECT @sum.w, @avg.w", [all])
          try expect("Item WHERE part == 0 SELECT @sum.w, @avg.w", [part])
          try expect("Item WHERE part == 0 GROUP BY part SELECT @sum.w, @avg.w", [part])
          try expect("Item WHERE part == 0 GROUP BY 1 SELECT @sum.w, @avg.w", [part])
          try expect("Item GROUP BY part SELECT @sum.w, @avg.w HAVING @sum.w == %@", [part])
          try expect("Item GROUP BY part SELECT part SORT BY @sum.w", places)
          try expect("Holder WHERE part == 0 SELECT items.@sum.w, items.@avg.w", [part])
          try expect("Holder WHERE part == 0 SELECT xs.@sum, xs.@avg", [part])
          try expect("Holder WHERE part == 0 SELECT sum(xs), average(xs)", [part])
          try expect("Holder WHERE part == 0 SELECT @sum.items.w, @avg.items.w", [part])
          try expect("Holder WHERE part == 0 GROUP BY part SELECT @sum.xs, @avg.xs", [part])
          try expect("Holder WHERE items.@sum.w == %@ AND xs.@sum == %@ SELECT part", [[.int(0)]])
          try expect("Holder WHERE \(listed) == %@ SELECT part, \(listed)", [[.int(0), .double(sum)]])
          try expect("Holder SELECT part SORT BY items.@sum.w", places)
          try expect("Holder SELECT part SORT BY xs.@sum", places)
          try expectTotals("part == 0", part, in: snapshot, options)
          try expectTotals("TRUEPREDICATE", all, in: snapshot, options)
        }
      }
    }
  }

  /// The sum and the average of a column, as `sum(of:)` and `average(of:)` ask for them.
  private func expectTotals(
    _ text: String, _ expected: [Value], in snapshot: Snapshot, _ options: PlannerOptions
  ) throws {
    var query = QueryDescription(entity: "Item")
    try query.append(try PredicateParser.filter(text), SourceContext(source: text))
    let plan = try CompiledQuery(query, schema: snapshot.schema).plan(in: snapshot, options: options)
    let found = try [AggregateFunction.sum, .average].map { try plan.aggregate($0, column: 0, in: snapshot) }
    let isSame = zip(found, expected).allSatisfy(OracleValues.identical)
    #expect(isSame, "\(text): \(found), not \(expected); \(options.way)")
  }

  /// The sets are stored as their names say, where their numbers allow it.
  @Test func everyEncodingIsThere() throws {
    for (encoding, layout) in [(Encoding.same, "same"), (.decimals, "offsets8"), (.doubles, "float64")] {
      let numbers = encoding.stored(Array(repeating: 0.1, count: 10))
      let snapshot = try store(numbers, 1, encoding).beginSnapshot()
      let item = try #require(snapshot.schema.entity(named: "Item"))
      let values = try #require(try snapshot.cluster(0, of: item)).column(0).values
      let found =
        switch values {
        case .same: "same"
        case .numbers(let block): "\(block.layout)"
        default: "other"
        }
      #expect(found == layout)
    }
  }
}
