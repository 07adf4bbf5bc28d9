import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Least and greatest values and counts without groups, from the ends of indexes: the same as all objects have.
@Suite struct IndexEndsTests {
  private static let kinds = ["a", "b", "c"]

  private static func store(_ count: Int, indexed: Bool = true) throws -> TestStore {
    var random = OracleRandom(seed: 77)
    func property(_ name: String, _ type: ScalarType) -> Property {
      Property(name: name, type: .scalar(type), isOptional: true)
    }
    let indexes = [
      Index(paths: ["whole"]), Index(paths: ["real"]), Index(paths: ["small"]), Index(paths: ["text"]),
      Index(paths: ["moment"]), Index(paths: ["flag"]), Index(paths: ["kind", "real"]), Index(paths: ["zeros"]),
      Index(paths: ["kind", "flag", "whole"]), Index(paths: ["nothing"]), Index(kind: .folded, paths: ["kind"]),
      Index(paths: ["single"]),
    ]
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: [
          property("whole", .int), property("real", .double), property("small", .int8), property("text", .string),
          property("moment", .date), property("flag", .bool), property("kind", .string), property("zeros", .double),
          property("nothing", .int), property("single", .float), property("plain", .int),
        ], indexes: indexed ? indexes : [])
    ])
    return try TestStore(
      schema,
      rows: (0..<count).map { place in
        func some(_ value: Value) -> Value { random.once(in: 9) ? .null : value }
        let number = random.below(2_000)
        return [
          some(.int(Int64(number) - 700)), some(random.once(in: 50) ? .double(.nan) : .double(Double(number) / 8 - 40)),
          some(.int(Int64(number % 200) - 100)), some(.string("t\(number)")),
          some(.date(Instant(seconds: Double(place)))), some(.bool(number % 2 == 0)),
          some(.string(random.pick(kinds))), some(.double(random.pick([0, -0.0, -1]))), .null,
          some(.float(Float(number) / 4)), .int(Int64(number)),
        ]
      })
  }

  private static let selected = [
    "@max.whole", "@min.whole", "@max.real, @min.real", "@max.small", "@min.text, @max.text",
    "@max.moment, @min.moment",
    "@max.flag", "@min.kind", "@max.zeros", "@min.zeros", "@max.nothing", "@count", "@count, @max.whole, @min.real",
    "@max.single", "@max.plain", "@max.whole, @max.plain", "@sum.whole, @max.whole", "@avg.real", "@max.whole + 1",
  ]
  private static let conditions = [
    "", "whole > 100", "whole BETWEEN {-50, 40}", "whole == 7", "whole IN {1, 2, 5000}", "whole == nil", "whole > 9000",
    "kind == 'b'", "kind == 'b' AND flag == TRUE", "kind IN {'a', 'c'} AND real < 3", "kind == nil", "kind ==[c] 'B'",
    "text BEGINSWITH 't19'", "real < 0", "moment > CAST(100, 'NSDate')", "zeros >= 0", "whole > 100 AND plain < 900",
    "plain > 5", "FALSEPREDICATE", "real != nil", "kind == 'b' AND whole > 5", "whole > 3 OR kind == 'a'",
  ]

  private static func rows(_ select: String, _ condition: String, _ store: TestStore) throws -> CompiledRows {
    let text = "\(store.entityName)\(condition.isEmpty ? "" : " WHERE \(condition)") SELECT \(select)"
    guard case .select(let syntax) = try StatementParser.statement(text) else { throw QueryCancelled() }
    let context = SourceContext(source: text, arguments: Arguments())
    var found = QueryDescription(entity: store.entityName)
    try found.append(syntax.filter, context)
    let rows = RowDescription(
      select: syntax.select, groupBy: [], having: nil, sortBy: [], distinct: [], offset: 0, limit: nil, sectionsBy: nil,
      context: context)
    return try CompiledRows(found, rows, schema: try store.file.beginSnapshot().schema)
  }

  private static func values(_ plan: Plan, _ snapshot: Snapshot) throws -> [[Value]] {
    var rows: [[Value]] = []
    try plan.found(in: snapshot).forEach { row in
      rows.append(row)
      return true
    }
    return rows
  }

  private static let large = Result { try store(16_000) }

  @Test func everyPlanTellsTheSame() throws {
    let store = try Self.store(6_000)
    let plain = try Self.store(6_000, indexed: false)
    let snapshot = try store.file.beginSnapshot()
    let plainSnapshot = try plain.file.beginSnapshot()
    var byEnds = 0
    for select in Self.selected {
      for condition in Self.conditions {
        let expected = try Self.values(Self.rows(select, condition, plain).plan(in: plainSnapshot), plainSnapshot)
        let compiled = try Self.rows(select, condition, store)
        for number in -1..<(try compiled.planCount(in: snapshot)) {
          let access: AccessChoice = number < 0 ? .cheapest : .enumerated(number)
          let plan = try compiled.plan(in: snapshot, options: PlannerOptions(access: access))
          let found = try Self.values(plan, snapshot)
          let isSame = zip(found.joined(), expected.joined()).allSatisfy { $0.isIdentical(to: $1) || $0 == $1 }
          #expect(
            isSame && found.count == 1 && expected.count == 1,
            "\(select) of \(condition): \(found) not \(expected)\n\(plan.explanation.text)")
          let text = plan.explanation.text
          if number < 0, text.contains("IndexMinMax") || text.contains("IndexCount") { byEnds += 1 }
          if number < 0 {
            #expect(try Self.values(compiled.plan(in: snapshot, options: .remembering()), snapshot) == found)
            #expect(try plan.analyze(in: snapshot).text.contains("actual"))
          }
        }
      }
    }
    #expect(byEnds > 30, "\(byEnds)")
  }

  @Test(arguments: [
    ("@max.whole", "", "IndexMinMax  Item.whole"),
    ("@min.whole, @max.real, @count", "", "IndexMinMax  Item.whole, Item.real"),
    ("@max.whole", "whole < 100", "IndexMinMax  Item.whole where Item.whole in (-∞, 100)"),
    ("@max.real, @count", "kind == 'b'", "IndexMinMax  Item.real where Item.kind = \"b\""),
    ("@max.whole", "kind IN {'a', 'c'} AND flag == TRUE", "IndexMinMax  Item.whole where Item.kind in {\"a\", \"c\"}"),
    ("@max.plain", "whole < 100", "Filter  whole < 100"), ("@max.whole", "plain < 100", "Filter  plain < 100"),
    ("@count", "flag == TRUE", "IndexCount  Item.flag = TRUE"), ("@sum.whole", "", "Scan"),
  ])
  func isExplained(_ select: String, _ condition: String, _ line: String) throws {
    let store = try Self.large.get()
    let snapshot = try store.file.beginSnapshot()
    let plan = try Self.rows(select, condition, store).plan(in: snapshot)
    #expect(plan.explanation.text.contains(line), "\(plan.explanation.text)")
    let analyzed = try plan.analyze(in: snapshot).text
    #expect(!analyzed.contains("IndexMinMax") || analyzed.contains("est 1   actual 1"), "\(analyzed)")
  }

  /// A count beside the ends is what there is, however well the counts of other ranges are remembered.
  @Test func aCountIsExact() throws {
    // Squares, so that between two counts there is not their mean.
    let store = try TestStore(.double, indexed: true, (0..<20_000).map { .double(Double($0 * $0)) })
    let snapshot = try store.file.beginSnapshot()
    let memory = SelectivityCache()
    for limit in [300_000, 350_000, 310_000, 340_000, 301_000, 300_001] {
      let compiled = try Self.rows("@count, @max.x", "x < \(limit)", store)
      let plan = try compiled.plan(in: snapshot, options: .remembering(memory))
      let exact = (0..<20_000).count { $0 * $0 < limit }
      #expect(try Self.values(plan, snapshot).first?.first == .int(Int64(exact)), "x < \(limit)")
    }
  }

  /// What the API asks of a column goes the same way.
  @Test func oneAggregateGoesByTheEndsToo() throws {
    let store = try Self.store(6_000)
    let snapshot = try store.file.beginSnapshot()
    for (text, column) in [("whole > -600", 0), ("kind == 'a'", 1)] {
      let query = try store.compile(text)
      for aggregate in AggregateFunction.functions where aggregate != .count {
        var options = PlannerOptions()
        options.reduction = AggregateOnlyQuery(aggregate, of: column)
        let plan = try query.plan(in: snapshot, options: options)
        let scan = try query.plan(in: snapshot, options: PlannerOptions(access: .scanOnly))
        #expect(plan.explanation.text.contains("IndexMinMax") == (options.reduction != nil))
        #expect(
          try plan.aggregate(aggregate, column: column, in: snapshot)
            == scan.aggregate(aggregate, column: column, in: snapshot), "\(aggregate) of \(text)")
      }
    }
  }

  /// Zero is the least of much that is measured: its key says which zero no more than any other key, but its first
  /// object does.
  @Test func zeroIsFoundAtTheEnd() throws {
    for zero in [0.0, -0.0] {
      let store = try TestStore(
        .double, indexed: true, (0..<12_000).map { .double($0 == 7_700 ? zero : Double($0 + 1)) })
      let plan = try Self.rows("@min.x", "", store).plan(in: try store.file.beginSnapshot())
      let snapshot = try store.file.beginSnapshot()
      let found = try Self.values(plan, snapshot)
      #expect(found.count == 1 && found[0][0].isIdentical(to: .double(zero)))
      let text = try plan.analyze(in: snapshot).text
      #expect(text.contains("IndexMinMax") && !text.contains("not run") && !text.contains("Scan"), "\(text)")
    }
  }
}
