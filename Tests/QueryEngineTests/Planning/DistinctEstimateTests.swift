import PredicateLanguage
import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// How many different values EXPLAIN says there are, against how many there are.
@Suite struct DistinctEstimateTests {
  /// Few values, many, values that come in order, and values that no two objects share; two of them with an index.
  private static func store() throws -> TestStore {
    var random = OracleRandom(seed: 4_711)
    let names = ["few", "many", "rising", "own", "indexed", "skewed"]
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: names.map { Property(name: $0, type: .scalar(.int)) } + [
          Property(name: "word", type: .scalar(.string), isOptional: true)
        ], indexes: [Index(paths: ["indexed"])])
    ])
    return try TestStore(
      schema,
      rows: (0..<20_000).map { place in
        let numbers = [
          random.below(12), random.below(3_000), place / 4, place, random.below(700), 1_000 / (1 + random.below(1_000)),
        ]
        return numbers.map { .int(Int64($0)) } + [place % 9 == 0 ? .null : .string("w\(random.below(40))")]
      })
  }

  @Test(arguments: [
    "DISTINCT(few)", "DISTINCT(many)", "DISTINCT(rising)", "DISTINCT(own)", "DISTINCT(indexed)", "DISTINCT(skewed)",
    "DISTINCT(word)", "DISTINCT(few, word)", "few == 3 DISTINCT(word)", "few == 3 DISTINCT(many)",
    "few < 6 DISTINCT(indexed)", "indexed < 100 DISTINCT(few)", "own < 5 DISTINCT(many)",
    "few + 1 > 4 DISTINCT(few * 2)",
    "own < 0 DISTINCT(many)", "SORT(many) DISTINCT(few)",
  ])
  func isNearTheNumber(_ text: String) throws {
    let store = try Self.store()
    let snapshot = try store.file.beginSnapshot()
    let plan = try store.compile(text).plan(in: snapshot)
    let actual = Double(try plan.count(in: snapshot))
    let expected = plan.root.rows
    #expect((0.5...2).contains((expected + 5) / (actual + 5)), "\(expected) for \(actual)\n\(plan.explanation.text)")
  }

  /// With a limit not many more objects are looked at than it takes to find so many values.
  @Test(arguments: ["", "n >= 600 "]) func aLimitEndsTheSearch(_ condition: String) throws {
    let store = try TestStore(.int, (0..<20_000).map { .int(Int64($0 / 3 % 1_000)) })
    let snapshot = try store.file.beginSnapshot()
    let plan = try store.compile("\(condition.isEmpty ? "TRUEPREDICATE " : condition)DISTINCT(x) LIMIT(5)").plan(
      in: snapshot)
    #expect(try store.rows("\(condition.isEmpty ? "TRUEPREDICATE " : condition)DISTINCT(x) LIMIT(5)").count == 5)
    let text = try plan.analyze(in: snapshot).text
    #expect(text.contains("clusters 1 of") && !text.contains("actual 20000"), "\(text)")
  }
}
