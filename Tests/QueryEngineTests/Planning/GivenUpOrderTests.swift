import Schema
import Storage
import Testing
import Values

@testable import QueryEngine

/// A walk in order that is given up, wherever on the way and for whatever way, gives the same objects in the same order.
@Suite struct GivenUpOrderTests {
  /// Keys that many share, nils among them, and two conditions: one with an index, one without.
  private static func store() throws -> TestStore {
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: [
          Property(name: "tied", type: .scalar(.int), isOptional: true), Property(name: "even", type: .scalar(.int)),
          Property(name: "plain", type: .scalar(.int)),
        ], indexes: [Index(paths: ["tied"]), Index(paths: ["even"])])
    ])
    var random = OracleRandom(seed: 20_280)
    return try TestStore(
      schema,
      rows: (0..<6_000).map { _ in
        let tied = random.below(13)
        return [tied == 0 ? .null : .int(Int64(tied)), .int(Int64(random.below(100))), .int(Int64(random.below(100)))]
      })
  }

  @Test(arguments: ["ASC", "DESC"]) func theAnswerIsTheSame(_ direction: String) throws {
    let store = try Self.store()
    let snapshot = try store.file.beginSnapshot()
    let order = "SORT(tied \(direction))"
    var givenUp = 0
    var words: Set<Substring> = []
    for text in [
      "plain < 30 \(order) LIMIT(40)", "plain < 30 \(order) LIMIT(40) OFFSET(600)", "even < 20 \(order) LIMIT(5)",
      "even < 9 AND plain > 50 \(order) LIMIT(500)", "plain == 7 AND tied != nil \(order) LIMIT(20)",
      "plain < 3 \(order) DISTINCT(even) LIMIT(30)", "plain < 30 \(order) LIMIT(100) DISTINCT(tied)",
      "tied > 3 AND plain < 4 \(order) LIMIT(10)", "plain < 30 \(order)",
    ] {
      let query = try store.compile(text)
      let ways = try (0..<query.planCount(in: snapshot)).map {
        try query.plan(in: snapshot, options: PlannerOptions(access: .enumerated($0)))
      }
      let wanted = try ways[0].objects(in: snapshot)
      for plan in ways.flatMap({ $0.givingUpItsOrder(for: ways, after: [0, 5, 20, 80, 400]) }) {
        #expect(try plan.objects(in: snapshot) == wanted, "\(text)")
        #expect(try plan.count(in: snapshot) == wanted.count, "\(text)")
        if try plan.isGivenUp(in: snapshot) { givenUp += 1 }
        for line in try plan.analyze(in: snapshot).text.split(separator: "\n") where line.contains("abandoned") {
          words.insert(line)
        }
      }
    }
    #expect(givenUp > 30, "\(givenUp)")
    for way in ["the scan", "index even", "index tied"] {
      #expect(words.contains("the index walk was abandoned for \(way)"), "\(way)")
    }
  }
}
