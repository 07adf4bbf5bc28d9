import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Comparisons with what TERNARY makes, asked a cluster at a time: the same objects as one by one.
@Suite struct ChoiceTests {
  private static func store(_ random: inout OracleRandom) throws -> TestStore {
    let types: [(String, ScalarType)] = [
      ("i", .int), ("d", .double), ("f", .float), ("t", .string), ("w", .date), ("b", .bool), ("s", .string),
    ]
    let properties = types.map { Property(name: $0.0, type: .scalar($0.1), isOptional: true) }
    let rows = (0..<900).map { _ -> [Value] in
      let row: [Value] = [
        .int(Int64(random.below(8)) - 2), .double(random.pick([0, -0.0, 0.1, 2.5, .nan, 7])),
        .float(random.pick([0.1, 2.5, -3, .nan])), .string(random.pick(["", "ann", "Ann", "bob", "zoë"])),
        .date(Instant(seconds: Double(random.below(5)))), .bool(random.once(in: 2)),
        .string(random.pick(["ann", "bob"]) + "\(random.below(300))"),
      ]
      return row.map { random.once(in: 6) ? .null : $0 }
    }
    return try TestStore(Schema(entities: [Entity(name: "Item", properties: properties)]), rows: rows)
  }

  private static let questions = [
    "TERNARY(i == nil, 0, i) > 2", "TERNARY(i == nil, 0, i) == 0", "TERNARY(b, i, d) >= 2.5", "TERNARY(b, d, f) == 0.1",
    "TERNARY(d > 1, f, i) != 2.5", "3 < TERNARY(i > d, i, d)", "TERNARY(b, t, s) == 'ann'", "TERNARY(b, t, s) != 'ann'",
    "TERNARY(b, t, 'x') CONTAINS[c] 'AN'", "TERNARY(t == 'bob', 'ann', t) BEGINSWITH 'an'", "TERNARY(b, t, s) == t",
    "TERNARY(b, i, nil) == nil", "TERNARY(b, nil, d) != nil", "TERNARY(b, i, 4) IN {1, 4, nil}",
    "TERNARY(b, i, d) BETWEEN {1, 3}", "TERNARY(b, t, s) IN {'ann', 'bob7'}", "TERNARY(i > 1, TERNARY(b, 1, d), i) < 2",
    "TERNARY(TERNARY(b, i, 2) == 2, d, f) > 1", "i == TERNARY(b, 1, 2)", "TERNARY(b, 1, 2) == 1",
    "TERNARY(b, 1, 2) == TERNARY(i > 2, 2, 1)", "TERNARY(b, w, nil) > CAST(2, 'NSDate')",
    "TERNARY(t LIKE 'a*', i, f) <= 0",
    "TERNARY(f == 0.1, f, 0.1) == f", "TERNARY(b, length(t), i + 1) == 3", "NOT TERNARY(b, i, d) > 2",
    "t CONTAINS TERNARY(b, 'n', 'o')", "TERNARY(b, b, i > 2) == TRUE",
    "TERNARY(b, 1, i) + 1 > 3", "-TERNARY(b, i, 4) * 2 <= -8", "~TERNARY(i > 1, i, 4) == -5",
    "10 / TERNARY(b, i, 0) == nil", "modulus:by:(TERNARY(b, i, nil), 3) == nil", "length(TERNARY(b, t, 'four')) > 3",
    "uppercase(TERNARY(t == nil, 'none', t)) == 'NONE'", "TERNARY(b, i, d) + 1 > 3",
    "TERNARY(b, 1, 2) + TERNARY(i > 2, 10, i) > 11",
    "1 < abs(TERNARY(i < 0, i, 1))", "concat(TERNARY(b, 'a', t), 'n') == 'an'",
  ]

  @Test func theyAreAskedAsOneByOne() throws {
    var random = OracleRandom(seed: testSeed())
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    var asked = 0
    for text in Self.questions {
      guard let compiled = try? store.compile(text), case .filter(let predicate)? = compiled.stages.first else {
        continue
      }
      asked += 1
      let condition = try FilterCompiler(entity: entity).compile(
        try PlannerRule.simplified(predicate, RuleContext(entity: entity, now: .now)))
      let row = RowFilter(predicate)
      let context = ExecutionContext(snapshot, nil, CancellationCheck())
      var expected: [Int] = []
      try snapshot.forEachCluster(entity) { cluster in
        var few = Mask.none
        for _ in 0..<9 { few[random.below(Mask.slotCount)] = true }
        for candidates in [cluster.present, cluster.present & few, .none] {
          let held = try row.mask(cluster, candidates, context)
          #expect(try condition.mask(cluster, candidates, context) == held, "\(text), cluster \(cluster.number)")
        }
        try row.mask(cluster, cluster.present, context).forEach { expected.append(Int(cluster.number) * 256 + $0 - 1) }
        return true
      }
      // By way of tables of clusters as well.
      #expect(try store.rows(text) == expected, "\(text)")
    }
    #expect(asked >= 35)
  }

  /// However deep they are in each other, each is asked once.
  @Test func deepOnesAreAskedOnce() throws {
    var random = OracleRandom(seed: testSeed())
    let store = try Self.store(&random)
    var text = "i > 2"
    for _ in 0..<24 { text = "TERNARY(\(text), 1, i) > 0" }
    let found = try store.rows(text)
    #expect(!found.isEmpty)
    #expect(found == (try store.rows("i > 0")))
  }

  /// On both sides each value is compared with each: too many are compared object by object.
  @Test func manyOnBothSidesAreAskedOneByOne() throws {
    var random = OracleRandom(seed: testSeed())
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    func tree(_ depth: Int) -> String { depth == 0 ? "i" : "TERNARY(b, \(tree(depth - 1)), \(tree(depth - 1)))" }
    for (depth, members, isChoice) in [(2, 0, true), (3, 0, false), (8, 0, false), (4, 10, true), (4, 1_000, false)] {
      let list = "{" + (0..<members).map { "\($0 * 2)" }.joined(separator: ",") + "}"
      let text = members == 0 ? "\(tree(depth)) == \(tree(depth))" : "\(tree(depth)) IN \(list)"
      guard case .filter(let predicate)? = try store.compile(text).stages.first else { throw QueryCancelled() }
      let simplified = try PlannerRule.simplified(predicate, RuleContext(entity: entity, now: .now))
      let isSplit = if case .comparison = simplified { false } else { true }
      #expect(isSplit == isChoice, "\(depth), \(members)")
      // Each is equal to itself.
      if members == 0 { #expect(try store.rows(text) == Array(0..<900), "\(depth)") }
    }
  }
}
