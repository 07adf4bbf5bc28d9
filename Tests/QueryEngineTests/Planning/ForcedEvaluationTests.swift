import Schema
import Testing
import Values

@testable import QueryEngine

/// A plan shows that it evaluates expressions the way that its options demand, so tests that compare the ways compare
/// what they name.
struct ForcedEvaluationTests {
  @Test(arguments: ["x > 5", "x IN {1, 2}", "x * 2 > 5", "NOT x == nil", "x > 5 AND x < 9"])
  func theWayIsTheOneDemanded(text: String) throws {
    let property = Property(name: "x", type: .scalar(.int), isOptional: true)
    let schema = Schema(entities: [Entity(name: "Item", properties: [property], indexes: [Index(paths: ["x"])])])
    let store = try TestStore(schema, rows: (0..<600).map { [$0 % 7 == 0 ? .null : .int(Int64($0 % 12))] })
    let rows = try store.explain(text, PlannerOptions(evaluation: .rows))
    #expect(rows.contains("row by row") && !rows.contains("IndexRange"), "\(rows)")
    let vectors = try store.explain(text, PlannerOptions(evaluation: .vectors))
    #expect(!vectors.contains("row by row") && !vectors.contains("IndexRange"), "\(vectors)")
    for options in PlannerOptions.everyWay() {
      #expect(try store.rows(text, options: options) == store.rows(text), "\(options.way)")
    }
  }
}
