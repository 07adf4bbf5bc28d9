import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// The chosen way does not do much more work than the best way would have, whatever the values are like: work is counted
/// in index entries, clusters and objects asked, weighed as the cost model does.
@Suite struct WorkTests {
  /// Even values, values of which few are frequent, values that come in order, and values that go with others.
  private static func store(_ random: inout OracleRandom) throws -> TestStore {
    let names = ["even", "skewed", "rising", "tied", "plain"]
    let schema = Schema(entities: [
      Entity(
        name: "Item", properties: names.map { Property(name: $0, type: .scalar(.int)) },
        indexes: names.dropLast().map { Index(paths: [$0]) } + [Index(paths: ["skewed", "even"])])
    ])
    return try TestStore(
      schema,
      rows: (0..<30_000).map { place in
        let even = random.below(1_000)
        let skewed = min(999, 1_000 / (1 + random.below(1_000)))
        return [even, skewed, place / 30, even / 10 * 10 + random.below(3), random.below(1_000)].map { .int(Int64($0)) }
      })
  }

  private static func condition(_ random: inout OracleRandom) -> String {
    let name = random.pick(["even", "skewed", "rising", "tied", "plain"])
    let value = random.below(1_000)
    let width = random.pick([1, 3, 10, 30, 100, 300])
    switch random.below(5) {
    case 0: return "\(name) == \(random.pick([value, random.below(5)]))"
    case 1:
      return
        "\(name) IN {\((0..<random.pick([2, 5, 40])).map { _ in "\(random.below(1_000))" }.joined(separator: ", "))}"
    case 2: return "\(name) > \(1_000 - width)"
    default: return "\(name) BETWEEN {\(value), \(value + width)}"
    }
  }

  private static func query(_ random: inout OracleRandom) -> String {
    let parts = (0..<(1 + random.below(3))).map { _ in condition(&random) }
    return parts.joined(separator: random.once(in: 4) ? " OR " : " AND ")
  }

  @Test func theChosenWayIsNearTheBest() throws {
    var random = OracleRandom(seed: 20_260)
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    var worse: [String] = []
    var better = 0
    for _ in 0..<400 {
      let text = Self.query(&random)
      let query = try store.compile(text)
      let work = try PlanWork.compared(query, in: snapshot)
      if work.all.min() ?? 0 < 0.5 * (work.all.first ?? 0) { better += 1 }
      PlanWork.worse(text, work).map { worse.append($0) }
    }
    #expect(worse.isEmpty, "\(worse.count): \(worse.joined(separator: "\n"))")
    #expect(better > 100)
  }

  /// Who is not told of the other ways gets the same one, though hopeless ways are not looked at.
  @Test func theSameWayIsChosenWithoutNamingTheOthers() throws {
    var random = OracleRandom(seed: 20_261)
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    let memory = SelectivityCache()
    for _ in 0..<300 {
      let tail = random.pick([
        "", "", " LIMIT(3)", " SORT(even ASC)", " SORT(skewed DESC) LIMIT(20)", " DISTINCT(tied)",
      ])
      let text = Self.query(&random) + tail
      let query = try store.compile(text)
      let told = try query.plan(in: snapshot)
      var options = PlannerOptions()
      options.namesRejected = false
      options.samples = memory
      let untold = try query.plan(in: snapshot, options: options)
      #expect(Self.leaf(untold) == Self.leaf(told), "\(text)")
      #expect(untold.rejected.isEmpty)
    }
  }

  /// Where a plan's objects come from.
  private static func leaf(_ plan: Plan) -> Substring? {
    let lines = plan.explanation.text.split(separator: "\n").filter { !$0.hasPrefix("cost") }
    return lines.last?.prefix { $0 != "(" }.split(separator: "  est ").first?.drop { " │└├─".contains($0) }
  }

  /// A scan that may end early is better than a walk of a range, though that is much shorter than all clusters.
  @Test func aRangeIsNotWalkedForTheFirstOfMany() throws {
    let count = 60_000
    let store = try TestStore(.int, indexed: true, (0..<count).map { .int(Int64($0 * 7_919 % count)) })
    #expect(try store.explain("x < 1000").contains("IndexRange"))
    #expect(try !store.explain("x < 1000 LIMIT(1)").contains("IndexRange"))
    #expect(try store.explain("x < 2 LIMIT(1)").contains("IndexRange"))
  }

  /// Values that come in order lie in few clusters: one of them in the sample says far more than there are.
  @Test func aRangeIsCountedThoughTheSampleSaysItIsLong() throws {
    var schema = Samples.quakes
    schema.entities[0].indexes = [Index(paths: ["time"])]
    let store = try TestStore(schema, rows: Samples.rows(100_000))
    func moment(_ hour: Int) -> Value { .date(Instant(seconds: Double(hour) * 3_600)) }
    for count in [200, 300, 400] {
      let query = try store.compile(
        "time >= %@ AND time < %@ AND place CONTAINS 'km' AND isReviewed == FALSE",
        Arguments([moment(8_192), moment(8_192 + count)]))
      let plan = try query.plan(in: store.file.beginSnapshot())
      #expect(plan.root.leafIndex != nil, "\(plan.explanation.text)")
    }
  }

  /// A walk that is given up is not noticed by who reduces what was found.
  @Test func reductionsOutliveWalksThatAreGivenUp() throws {
    var random = OracleRandom(seed: 20_261)
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    var givenUp = 0
    for _ in 0..<300 {
      let text = Self.query(&random)
      let query = try store.compile(text)
      let scan = try query.plan(in: snapshot, options: PlannerOptions(access: .scanOnly))
      let chosen = try query.plan(in: snapshot)
      let plan = Plan(
        entity: chosen.entity, root: chosen.root, cost: chosen.cost, fallback: scan.root, walkLimit: 40,
        options: PlannerOptions())
      let metrics = ExecutionMetrics(plan: plan)
      _ = try Executor(plan, snapshot, metrics: metrics).objects(plan.root)
      if metrics.gaveUp { givenUp += 1 }
      for aggregate in AggregateFunction.functions where aggregate != .count {
        let found = try plan.aggregate(aggregate, column: 4, in: snapshot)
        #expect(try found == scan.aggregate(aggregate, column: 4, in: snapshot), "\(aggregate) of \(text)")
      }
    }
    #expect(givenUp > 50)
  }
}
