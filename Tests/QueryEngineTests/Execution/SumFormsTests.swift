import PredicateLanguage
import Schema
import Testing
import Values

@testable import QueryEngine
@testable import Storage

/// The sum of one set of Doubles has the same bits in whatever form it is asked for: of all objects, of groups, of
/// linked objects, of a list, in HAVING and in SORT, from the tree and from the table, on one thread and on several.
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

  /// The set in part 0, the next greater number in part 1, and the next smaller one in part 2. Every object has a
  /// cluster of its own.
  private func store(_ numbers: [Double], _ sum: Double) throws -> StoreFile {
    let file = try StoreFile.inMemory(declaring: Self.schema)
    try file.write { session in
      let item = try #require(session.schema.entity(named: "Item"))
      let holder = try #require(session.schema.entity(named: "Holder"))
      var next: UInt64 = 1
      for (part, numbers) in [numbers, [sum.nextUp], [sum.nextDown]].enumerated() {
        var items: [Value] = []
        for number in numbers {
          try session.writer(of: item).skipNumbers(before: next)
          let object = try session.insert([.double(number), .int(Int64(part))], into: item)
          items.append(.int(Int64(object.rawValue)))
          next += 300
        }
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

  @Test(arguments: sets) func everyFormHasTheSameBits(numbers: [Double]) throws {
    let sum = OracleSum.of(numbers)
    let average = sum / Double(numbers.count)
    for numbers in [numbers, numbers.reversed()] {
      let file = try store(numbers, sum)
      let snapshot = try file.beginSnapshot()
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
          let both: [Value] = [.double(sum), .double(average)]
          let places: [[Value]] = [[.int(2)], [.int(0)], [.int(1)]]
          try expect("Item WHERE part == 0 SELECT @sum.w, @avg.w", [both])
          try expect("Item WHERE part == 0 GROUP BY part SELECT @sum.w, @avg.w", [both])
          try expect("Item GROUP BY part SELECT @sum.w, @avg.w HAVING @sum.w == %@", [both])
          try expect("Item GROUP BY part SELECT part SORT BY @sum.w", places)
          try expect("Holder WHERE part == 0 SELECT items.@sum.w, items.@avg.w", [both])
          try expect("Holder WHERE part == 0 SELECT xs.@sum, xs.@avg", [both])
          try expect("Holder WHERE part == 0 SELECT @sum.items.w, @avg.items.w", [both])
          try expect("Holder WHERE part == 0 GROUP BY part SELECT @sum.xs, @avg.xs", [both])
          try expect("Holder WHERE items.@sum.w == %@ AND xs.@sum == %@ SELECT part", [[.int(0)]])
          try expect("Holder SELECT part SORT BY items.@sum.w", places)
          try expect("Holder SELECT part SORT BY xs.@sum", places)
        }
      }
    }
  }
}
