import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// The first few in an order are not found with much more work than the best way would have taken, wherever in the order
/// those lie for which the conditions hold: at its beginning, at its end, in the middle of it or anywhere.
@Suite struct OrderedWorkTests {
  private static let indexed = ["even", "skewed", "rising", "along"]
  private static let plain = ["with", "against", "late", "plain"]
  private static let count = 20_000
  private static let top = 10_000
  /// Of so few objects, one in a thousand, nobody sees beforehand where they lie: an order in which they happen to come
  /// first would have taken less than the scan, which is taken since on average they don't.
  private static let few = 20

  /// `along`, `with` and `against` go with `even`, `late` with the order of objects as `rising` does.
  private static func store(_ random: inout OracleRandom) throws -> TestStore {
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: (indexed + plain).map { Property(name: $0, type: .scalar(.int)) }
          + [Property(name: "kind", type: .scalar(.string))],
        indexes: indexed.map { Index(paths: [$0]) })
    ])
    func near(_ value: Int, _ noise: Int) -> Int { max(0, min(top - 1, value + random.below(2 * noise) - noise)) }
    return try TestStore(
      schema,
      rows: (0..<count).map { place in
        let even = random.below(top)
        let rising = place * top / count
        let numbers = [
          even, min(top - 1, top / (1 + random.below(1_000))), near(rising, 30), near(even, 1_500), near(even, 400),
          near(top - even, 400), near(rising, 800), random.below(top),
        ]
        let kind = ["low", "middle", "high"][near(even, 800) * 3 / top]
        return numbers.map { .int(Int64($0)) } + [
          .string(random.once(in: 50) ? "other" : "\(kind) \(random.below(30))")
        ]
      })
  }

  private static func clause(_ random: inout OracleRandom) -> String {
    let name = random.pick(indexed + plain + plain + ["kind"])
    let value = random.below(top)
    if name == "kind" {
      let word = random.pick(["CONTAINS", "BEGINSWITH", "CONTAINS[c]"])
      return "kind \(word) '\(random.pick(["low", "high 2", "middle", "other", "high"]))'"
    }
    let width = random.pick([3, 30, 300, 1_000, 3_000, 6_000])
    switch random.below(6) {
    case 0: return "\(name) < \(width)"
    case 1: return "\(name) > \(top - width)"
    case 2:
      return "\(name) IN {\((0..<random.pick([5, 40])).map { _ in "\(random.below(top))" }.joined(separator: ", "))}"
    default: return "\(name) BETWEEN {\(value), \(value + width)}"
    }
  }

  static func query(_ random: inout OracleRandom) -> String {
    let parts = (0..<(1 + random.below(3))).map { _ in clause(&random) }
    let condition = parts.joined(separator: random.once(in: 8) ? " OR " : " AND ")
    let key = random.pick(random.once(in: 8) ? plain : indexed) + random.pick([" ASC", " DESC"])
    return "\(condition) SORT(\(key)) LIMIT(\(random.pick([1, 5, 20, 100, 500])))"
  }

  /// Of some values of the key of the order the first is looked up, then the next, until enough is found.
  @Test func fewOfManyValuesAreLookedUpInOrder() throws {
    var random = OracleRandom(seed: 20_276)
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    let values = (0..<60).map { "\($0 * 167 % Self.top)" }.joined(separator: ", ")
    for tail in ["SORT(even ASC) LIMIT(1)", "SORT(even DESC) LIMIT(3)", "SORT(even DESC) LIMIT(3) OFFSET(2)"] {
      for condition in ["even IN {\(values)}", "even IN {\(values), 167} AND plain > 2000"] {
        let query = try store.compile("\(condition) \(tail)")
        let plan = try query.plan(in: snapshot)
        #expect(plan.explanation.text.contains("IndexOrder"), "\(plan.explanation.text)")
        let scan = try query.plan(in: snapshot, options: PlannerOptions(access: .scanOnly))
        #expect(try plan.objects(in: snapshot) == scan.objects(in: snapshot), "\(condition) \(tail)")
        let work = try PlanWork.compared(query, choosing: plan, in: snapshot)
        #expect(work.chosen < 0.3 * (work.all.first ?? 0), "\(condition) \(tail): \(work)")
      }
    }
  }

  @Test(arguments: [20_270, 20_271, 20_272, 20_273, 20_274, 20_275] as [UInt64])
  func theFirstAreFoundWithLittleMore(seed: UInt64) throws {
    var random = OracleRandom(seed: seed)
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    var worse: [String] = []
    var far: [String] = []
    var unguarded = 0
    var ordered = 0
    for _ in 0..<150 {
      let text = Self.query(&random)
      let query = try store.compile(text)
      let plan = try query.plan(in: snapshot)
      let work = try PlanWork.compared(query, choosing: plan, in: snapshot)
      PlanWork.worse(text, work).map { worse.append($0) }
      if try plan.count(in: snapshot) > Self.few { PlanWork.worse(text, work, than: 2).map { far.append($0) } }
      guard plan.explanation.text.contains("IndexOrder") else { continue }
      ordered += 1
      // The same, but to the end.
      let stubborn = Plan(
        entity: plan.entity, root: plan.root, cost: plan.cost, options: PlannerOptions())
      if PlanWork.worse(text, (try PlanWork.of(stubborn, in: snapshot), work.all)) != nil { unguarded += 1 }
    }
    print(
      "OrderedWorkTests: SEED=\(seed): \(worse.count) worse, \(unguarded) if no walk were given up, \(ordered) in order"
    )
    #expect(worse.count <= 2, "SEED=\(seed), \(worse.count): \(worse.joined(separator: "\n"))")
    #expect(far.isEmpty, "SEED=\(seed), \(far.count): \(far.joined(separator: "\n"))")
    #expect(ordered > 12, "\(ordered)")
  }
}
