import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// What queries of one shape tell each other: what part of the objects their conditions leave, and nothing else.
@Suite struct ShapeMemoryTests {
  private static let text = "magnitude < %@ AND place CONTAINS %@"

  private static func store(indexed: Bool) throws -> TestStore {
    var schema = Samples.quakes
    schema.entities[0].indexes = indexed ? [Index(paths: ["magnitude"])] : []
    return try TestStore(schema, rows: Samples.rows(10_000))
  }

  /// Plans the query with some arguments; a step for the plan and one for each condition that its planning asked.
  private static func plan(
    _ arguments: [Value], of query: CompiledQuery, _ old: [Value], _ memory: PlanShapeCache, in snapshot: Snapshot
  ) throws -> Int? {
    let next = try #require(
      query.refilled(try PredicateParser.filter(text), from: Arguments(old), to: Arguments(arguments), sharing: memory))
    var found: Plan?
    let steps = try StepCounter.count {
      var options = PlannerOptions()
      options.namesRejected = false
      found = try next.plan(in: snapshot, options: options)
    }
    let fresh = try next.plan(in: snapshot, options: PlannerOptions(access: .scanOnly)).objects(in: snapshot)
    #expect(try found?.objects(in: snapshot) == fresh)
    return steps
  }

  @Test(arguments: [false, true]) func conditionsAreAskedLessOften(indexed: Bool) throws {
    let store = try Self.store(indexed: indexed)
    let snapshot = try store.file.beginSnapshot()
    let old: [Value] = [.double(0), .string("a")]
    let memory = PlanShapeCache()
    let query = try store.compile(Self.text, Arguments(old))
    var asked: [Int] = []
    for number in 0..<60 {
      let new: [Value] = [
        .double(Double(number % 20) / 4 + 1), .string(["Alaska", "of", "km", "Japan"][number % 4]),
      ]
      guard let steps = try Self.plan(new, of: query, old, memory, in: snapshot) else { return }
      asked.append(steps)
    }
    let most = asked.first ?? 0
    let few = asked.min() ?? 0
    #expect(few < most)
    // What an index has counted is never asked, all else now and then.
    #expect(most == (indexed ? 2 : 3))
    #expect(asked.count { $0 == most } <= 8, "\(asked)")
    #expect(asked.dropFirst(10).contains(most), "\(asked)")
    #expect(few == 1, "\(asked)")
  }

  /// How far an index is walked in its order goes by what all conditions leave: nothing of that is remembered.
  @Test func walksInOrderGoByTheirOwnArguments() throws {
    let store = try Self.store(indexed: true)
    let snapshot = try store.file.beginSnapshot()
    let text = "time < %@ AND isReviewed == %@ SORT(magnitude ASC) LIMIT(5)"
    let syntax = try PredicateParser.filter(text)
    func arguments(_ hours: Double, _ flag: Bool) -> Arguments {
      Arguments([.date(Instant(seconds: hours * 3_600)), .bool(flag)])
    }
    var options = PlannerOptions()
    options.namesRejected = false
    let old = arguments(10_000, true)
    let query = try store.compile(text, old)
    let memory = PlanShapeCache()
    for hour in 0..<12 {
      let next = try #require(
        query.refilled(syntax, from: old, to: arguments(Double(9_000 + hour), false), sharing: memory))
      _ = try next.plan(in: snapshot, options: options)
    }
    let rare = arguments(-1, false)
    let next = try #require(query.refilled(syntax, from: old, to: rare, sharing: memory))
    let (found, alone) = try (
      next.plan(in: snapshot, options: options), store.compile(text, rare).plan(in: snapshot, options: options)
    )
    #expect(found.cost == alone.cost)
    #expect(found.explanation.text == alone.explanation.text)
  }

  @Test func whatIsRememberedIsOfTheSameCondition() throws {
    let schema = try Self.store(indexed: false).file.beginSnapshot().schema
    let entity = try #require(schema.entities.first)
    func likeness(_ column: Int, _ question: SargablePredicate.Question, least: Double = 0) -> FilterLikeness? {
      let test = BoundPredicate.test(
        SargablePredicate(column: column, question: question, syntax: PredicateSyntax(.constant(true))))
      let condition = try? FilterCompiler(entity: entity).compile(test)
      return condition.flatMap {
        FilterLikeness(
          Conjunct(predicate: test, filter: $0, selectivity: 0.5, cost: CostModel.perObject(test)),
          costingAtLeast: least)
      }
    }
    let one = try #require(likeness(1, .interval(.exactly(.double(1)))))
    #expect(one == likeness(1, .interval(.exactly(.double(2)))))
    #expect(one != likeness(2, .interval(.exactly(.double(1)))))
    #expect(likeness(1, .isNil) == nil)
    #expect(likeness(1, .interval(.exactly(.double(1))), least: 4) == nil)
    let memory = PlanShapeCache()
    for _ in 0..<4 {
      #expect(memory.selectivity(of: one, at: 0) == nil)
      memory.keep(held: 10, of: 100, one, at: 0)
    }
    let part = try #require(memory.selectivity(of: one, at: 0))
    #expect(abs(part - 0.1) < 0.01)
    #expect(memory.selectivity(of: one, at: 1) == nil)
    let other = try #require(likeness(1, .oneOf([.double(1), .double(2)])))
    #expect(memory.selectivity(of: other, at: 0) == nil)
    // It is told so often, and then found out again; what is new counts more than what is old.
    #expect((0..<100).count { _ in memory.selectivity(of: one, at: 0) != nil } == 31)
    for _ in 0..<40 { memory.keep(held: 90, of: 100, one, at: 0) }
    #expect(try #require(memory.selectivity(of: one, at: 0)) > 0.85)
    memory.keep(held: 1, of: 100, other, at: 0)
    #expect(memory.selectivity(of: other, at: 0) == nil)
  }

  /// How soon a scan ends that stops at the first object goes by what the conditions leave of these arguments.
  @Test func theFirstOfManyGoesByItsOwnArguments() throws {
    let schema = Schema(entities: [
      Entity(
        name: "Item", properties: ["a", "b"].map { Property(name: $0, type: .scalar(.int)) },
        indexes: [Index(paths: ["a"])])
    ])
    let store = try TestStore(
      schema, rows: (0..<60_000).map { [.int(Int64($0 % 3_000)), .int(Int64($0 / 3_000 % 2))] })
    let snapshot = try store.file.beginSnapshot()
    let text = "a == %@ AND b < %@ LIMIT(1)"
    let syntax = try PredicateParser.filter(text)
    func arguments(_ a: Int, _ b: Int) -> Arguments { Arguments([.int(Int64(a)), .int(Int64(b))]) }
    let old = arguments(1, 1)
    let query = try store.compile(text, old)
    let memory = PlanShapeCache()
    var options = PlannerOptions()
    options.namesRejected = false
    options.samples = SelectivityCache()
    for a in 0..<10 {
      let next = try #require(query.refilled(syntax, from: old, to: arguments(a, 2 + a), sharing: memory))
      _ = try next.plan(in: snapshot, options: options)
    }
    let rare = arguments(50, -5)
    let next = try #require(query.refilled(syntax, from: old, to: rare, sharing: memory))
    let found = try next.plan(in: snapshot, options: options).explanation.text
    let alone = try store.compile(text, rare).plan(in: snapshot).explanation.text
    #expect(alone.contains("IndexRange"))
    #expect(found.contains("IndexRange"), "\(found)")
  }
}
