import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// Predicates over collections beside those that indexes and kernels answer; and how long index walks may be.
@Suite struct CollectionPlanTests {
  private func shops() throws -> TestStore {
    try TestStore(
      Shops.schema,
      rows: (0..<2_000).map { number in
        var row = Shops.rows[number % Shops.rows.count]
        row[1] = .int(Int64(number))
        return row
      })
  }

  @Test func anIndexFindsTheObjectsAQuantifierIsAskedOf() throws {
    let store = try shops()
    let text = try store.explain(
      "ANY ratings > 2 AND size == 15", PlannerOptions(access: .forceIndex(["size"])))
    #expect(text.contains("IndexRange  Shop.size = 15"))
    #expect(text.contains("Filter  ANY ratings > 2"))
    #expect(try store.rows("ANY ratings > 2 AND size == 15") == [15])
    #expect(try store.rows("ALL ratings > 2 AND size < 20 AND NOT labels CONTAINS 'cheap'") == [1, 6, 11, 16])
  }

  @Test func conditionsArePrintedByTheLanguage() throws {
    let store = try shops()
    for text in [
      "ANY ratings > 2", "ALL labels CONTAINS[c] \"x\"", "SUBQUERY(ratings, $r, $r > size).@count > 1",
      "{1, 2} == ratings",
      "prices[\"tea\"] > 3.5", "ratings[LAST] == nil", "size IN ratings", "max(ratings) > 3", "info.words.@count == 2",
    ] {
      let plan = try store.explain(text)
      #expect(plan.contains("Filter  \(text)"), "\(text): \(plan)")
    }
  }

  @Test func countsAreComparedWithoutElements() throws {
    let store = try shops()
    for text in ["ratings.@count > 1", "prices.@keys.@count + 1 == 2", "scores[SIZE] < ratings.@count"] {
      guard case .filter(let predicate)? = try store.compile(text).stages.first else { continue }
      let condition = try FilterCompiler(entity: try store.compile(text).entity).compile(predicate)
      #expect(condition is VectorFilter, "\(text)")
    }
    #expect(try store.rows("size < 10 SORT(ratings.@count DESC, size ASC) LIMIT(4)") == [0, 5, 3, 4])
    #expect(try store.rows("TRUEPREDICATE DISTINCT(ratings.@count)") == [0, 1, 2, 3])
  }

  /// Two walks that are each short enough are too long together, a page or so more than they may be.
  @Test func allWalksOfAPlanAreGivenUpTogether() throws {
    let schema = Schema(entities: [
      Entity(
        name: "Item", properties: [Property(name: "x", type: .scalar(.int)), Property(name: "y", type: .scalar(.int))],
        indexes: [Index(paths: ["x"]), Index(paths: ["y"])])
    ])
    let store = try TestStore(schema, rows: (0..<3_000).map { [.int($0 % 100), .int(($0 + 50) % 100)] })
    let snapshot = try store.file.beginSnapshot()
    let query = try store.compile("x < 50 OR y < 50")
    let union = try query.plan(in: snapshot, options: PlannerOptions(access: .forceIndex(["x", "y"])))
    let scan = try query.plan(in: snapshot, options: PlannerOptions(access: .scanOnly))
    func run(limit: Int) throws -> (count: Int, walked: Int) {
      let plan = Plan(
        entity: union.entity, root: union.root, cost: 0, fallback: scan.root, walkLimit: limit,
        options: PlannerOptions())
      let executor = Executor(plan, snapshot)
      return (try executor.count(plan.root), executor.walkedEntries)
    }
    let whole = try run(limit: 10_000)
    #expect(whole.count == 3_000)
    #expect(whole.walked == 3_000)
    let short = try run(limit: 2_000)
    #expect(short.count == 3_000)
    #expect(short.walked > 2_000 && short.walked < 2_600)
  }
}
