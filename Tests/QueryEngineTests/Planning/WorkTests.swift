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
      let chosen = try Self.work(query.plan(in: snapshot), snapshot)
      let all = try (0..<query.planCount(in: snapshot)).map {
        try Self.work(query.plan(in: snapshot, options: PlannerOptions(access: .enumerated($0))), snapshot)
      }
      let best = all.min() ?? 0
      if best < 0.5 * (all.first ?? 0) { better += 1 }
      // What a few look-ups cost is no difference.
      if chosen > 1.25 * best + 4 * CostModel.indexSeek {
        worse.append("\(text): \(Int(chosen)) instead of \(Int(best)) of \(all.map { Int($0) })")
      }
    }
    #expect(worse.isEmpty, "\(worse.count): \(worse.joined(separator: "\n"))")
    #expect(better > 100)
  }

  /// Who is not told of the other ways gets the same one, though hopeless ways are not looked at.
  @Test func theSameWayIsChosenWithoutNamingTheOthers() throws {
    var random = OracleRandom(seed: 20_261)
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    let memory = SampleMemory()
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
      let plan = try query.plan(in: snapshot)
      let meter = Meter(plan: plan)
      _ = try Executor(plan, snapshot, meter: meter).objects(plan.root)
      if meter.gaveUp { givenUp += 1 }
      let scan = try query.plan(in: snapshot, options: PlannerOptions(access: .scanOnly))
      for aggregate in Aggregate.allCases {
        let found = try plan.aggregate(aggregate, column: 4, in: snapshot)
        #expect(try found == scan.aggregate(aggregate, column: 4, in: snapshot), "\(aggregate) of \(text)")
      }
    }
    #expect(givenUp > 0)
  }

  /// What running a plan costs, by what it did.
  private static func work(_ plan: Plan, _ snapshot: Snapshot) throws -> Double {
    let meter = Meter(plan: plan)
    let executor = Executor(plan, snapshot, meter: meter)
    _ = try executor.objects(plan.root)
    let root = meter.gaveUp ? plan.fallback ?? plan.root : plan.root
    return Double(executor.walkedEntries) * CostModel.indexEntry + work(root, meter, isAsked: false)
  }

  private static func work(_ node: PlanNode, _ meter: Meter, isAsked: Bool) -> Double {
    let counters = meter.nodes[node.id]
    switch node.kind {
    case .scan: return Double(counters.clustersRead + counters.clustersWithout) * CostModel.cluster
    case .indexRange(let range):
      return Double(range.ranges.count) * CostModel.indexSeek
        + (isAsked ? Double(counters.clustersRead) * CostModel.clusterByNumber : 0)
    case .indexUnion, .indexIntersection:
      return node.children.reduce(0) { $0 + work($1, meter, isAsked: false) }
        + (isAsked ? Double(counters.clustersRead) * CostModel.clusterByNumber : 0)
    case .filter(let conjuncts):
      guard let child = node.children.first else { return 0 }
      let isScan = if case .scan = child.kind { true } else { false }
      let asked = Double(meter.nodes[child.id].rows) * (isScan ? 1 : CostModel.askedPerObject)
      return CostModel.filter(conjuncts, objects: asked) + work(child, meter, isAsked: true)
    default: return node.children.reduce(0) { $0 + work($1, meter, isAsked: isAsked) }
    }
  }
}
