import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Stores in which the few clusters that are sampled mislead: what is chosen all the same does not take much more than the
/// better way, by the work that is counted.
@Suite struct MisleadingSampleTests {
  private static let count = 60_000
  /// `a` and `b` are small everywhere but in the sampled clusters, `c` is any number, `d` is 77 in the last objects only.
  private static let store = Result { () throws -> TestStore in
    let sampled = Set(Selectivity.sampled(of: (count + 255) / 256))
    let entity = Entity(
      name: "Item",
      properties: ["a", "b", "c", "d"].map { Property(name: $0, type: .scalar(.int)) },
      indexes: ["a", "b", "d"].map { Index(paths: [$0]) })
    return try TestStore(
      Schema(entities: [entity]),
      rows: (1...count).map { number in
        let isSampled = sampled.contains(UInt64(number) >> 8)
        let a = isSampled ? 1_000_000 : number * 7_919 % 300_000
        let b = isSampled ? 1_000_000 : number * 104_729 % 300_000
        let d = number > count - 300 ? 77 : 1_000 + number % 50
        return [a, b, number * 31 % 1_000, d].map { .int(Int64($0)) }
      })
  }

  @Test(arguments: [
    "a < 100000", "a < 20000 AND b < 20000", "b BETWEEN {100, 3000} AND a < 100000 AND c < 990", "a < 3000",
    "a < 250000 AND c < 100", "a < 1000 OR b < 60000", "d == 77 LIMIT(1)", "d == 77 AND c > 100 LIMIT(2)",
    "d == 77 OFFSET(20) LIMIT(5)", "d == 1007 LIMIT(3)", "a < 60000 LIMIT(10)",
  ])
  func doesNotCostMuchMoreThanTheBetterWay(_ text: String) throws {
    let store = try Self.store.get()
    let snapshot = try store.file.beginSnapshot()
    let work = try PlanWork.compared(try store.compile(text), in: snapshot)
    #expect(PlanWork.worse(text, work) == nil)
  }

  /// The first objects with a value of an index are found by it, in the order in which they were added.
  @Test func theFirstWithAValueAreFoundByTheIndex() throws {
    let store = try Self.store.get()
    #expect(try store.explain("d == 77 LIMIT(1)").contains("IndexOrder"))
    #expect(try store.rows("d == 77 LIMIT(2)") == [Self.count - 300, Self.count - 299])
    #expect(try store.rows("d == 77 OFFSET(298) LIMIT(5)") == [Self.count - 2, Self.count - 1])
  }

  /// Two indexes together leave next to nothing, where each alone leads to nearly every cluster.
  @Test func twoIndexesAreUsedTogetherWhereThatPays() throws {
    let store = try Self.store.get()
    #expect(try store.explain("a < 1000 AND b < 1000").contains("IndexIntersection"))
    #expect(try !store.explain("a < 150000 AND b < 150000").contains("IndexIntersection"))
  }

  /// A walk that is longer than it may be is given up for the scan, which finds the same.
  @Test(arguments: ["a < 1000 AND b < 1000", "a < 300 OR b < 300", "a BETWEEN {500, 1500} AND c > 500"])
  func aLongWalkIsGivenUp(_ text: String) throws {
    let store = try Self.store.get()
    let snapshot = try store.file.beginSnapshot()
    let plan = try store.compile(text).plan(in: snapshot)
    let scan = try store.compile(text).plan(in: snapshot, options: PlannerOptions(access: .scanOnly))
    // What it may take is a part of what the scan takes, or a little more than it should.
    let limit = Double(plan.walkLimit) * CostModel.indexEntry
    #expect(plan.fallback != nil && limit <= max(0.25 * scan.cost, 1.5 * plan.cost, 50_000), "\(limit) of \(scan.cost)")
    let short = Plan(
      entity: plan.entity, root: plan.root, cost: plan.cost, fallback: plan.fallback, walkLimit: 20,
      options: PlannerOptions())
    for (tried, isGivenUp) in [(plan, false), (short, true)] {
      let metrics = ExecutionMetrics(plan: tried)
      let found = try Executor(tried, snapshot, metrics: metrics).objects(tried.root)
      #expect(metrics.gaveUp == isGivenUp)
      #expect(found == (try scan.objects(in: snapshot).map(\.rawValue)) && !found.isEmpty)
    }
  }
}
