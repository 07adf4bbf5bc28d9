import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Two columns of texts compared with each other a cluster at a time, as object by object; and sorts by what is made of
/// texts, whose first few come as from sorting all.
@Suite struct StringPairTests {
  private static func store(_ random: inout OracleRandom) throws -> TestStore {
    let words = ["Ann", "ann", "Anna", "", "bob", "Bob Ann", "Zoë", "ZOË", "straße", "ann\u{0}x", "Ännchen"]
    let properties = ["a", "b"].map { Property(name: $0, type: .scalar(.string), isOptional: true) }
    let rows = (0..<1_500).map { place -> [Value] in
      let long = String(repeating: "Long ", count: 500)
      let kept = place / 256 == 2 ? 2 : words.count
      return (0..<2).map { _ in
        if random.once(in: 7) { return .null }
        if place / 256 == 3 { return .string("Same") }
        let word = random.pick(Array(words.prefix(kept)))
        return .string(
          place / 256 == 4 && random.once(in: 30) ? long + word : place / 256 == 1 ? word + "\(place)" : word)
      }
    }
    return try TestStore(Schema(entities: [Entity(name: "Pair", properties: properties)]), rows: rows)
  }

  @Test func theyAreComparedAsObjectByObject() throws {
    var random = OracleRandom(seed: testSeed())
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    for comparator in [
      "==", "!=", "<", "<=", ">", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "==[c]", "<[cd]", "CONTAINS[c]",
      "ENDSWITH[d]",
    ] {
      let text = "a \(comparator) b"
      guard case .filter(let predicate)? = try store.compile(text).stages.first else { throw QueryCancelled() }
      let condition = try FilterCompiler(entity: entity).compile(predicate)
      #expect(condition is VectorFilter, "\(text)")
      let row = RowFilter(predicate)
      let context = ExecutionContext(snapshot, nil, CancellationCheck())
      var found = 0
      try snapshot.forEachCluster(entity) { cluster in
        let expected = try row.mask(cluster, cluster.present, context)
        #expect(try condition.mask(cluster, cluster.present, context) == expected, "\(text), cluster \(cluster.number)")
        found += expected.count
        return true
      }
      #expect(found > 100)
    }
  }

  /// Where clusters share dictionaries, each pair of their entries is evaluated once for the whole table.
  @Test func dictionariesAreComparedOnce() throws {
    let words = ["Ann", "ann", "", "bob", "Bob Ann", "Zoë", "ZOË"]
    let properties = ["a", "b"].map { Property(name: $0, type: .scalar(.string), isOptional: true) }
    let rows = (0..<256 * 40).map { place -> [Value] in
      // Object IDs start at 1. Each cluster has the same words in the same order, but for one with many.
      let (cluster, slot) = ((place + 1) / 256, (place + 1) % 256)
      return [
        slot % 11 == 10 ? .null : .string(words[slot % 5] + (cluster == 20 ? "\(place)" : "")),
        slot % 13 == 7 ? .null : .string(words[slot * 7 % 256 % 7]),
      ]
    }
    let store = try TestStore(Schema(entities: [Entity(name: "Pair", properties: properties)]), rows: rows)
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    // Scans validate the clusters; a table made after them knows their dictionaries.
    for _ in 0..<5 { _ = try store.compile("a == b").plan(in: snapshot).objects(in: snapshot) }
    let table = try #require(try snapshot.tableScan(entity, for: .scan))
    for text in [
      "a == b", "a != b", "a < b", "a >= b", "a CONTAINS b", "a ENDSWITH[cd] b", "a LIKE b", "a ==[c] b",
      "uppercase(a) == uppercase(b)", "length(a) > length(b)", "TERNARY(a == nil, 'x', a) <= concat(b, '!')",
      "length(a) + 4 == length(b)",
    ] {
      guard case .filter(let predicate)? = try store.compile(text).stages.first else { throw QueryCancelled() }
      let filter = try FilterCompiler(entity: entity).compile(predicate)
      let scan = try TableFilterScan(table, for: filter)
      let answers: PairAnswers? = scan.finding(of: filter)
      #expect(answers != nil || text == "a LIKE b", "\(text)")
      var masks = (0..<table.count).map { table.present($0) }
      let context = ExecutionContext(snapshot, nil, CancellationCheck())
      try masks.withUnsafeMutableBufferPointer { masks in
        guard let base = masks.baseAddress else { return }
        try filter.narrow(ScanRows(scan, 0..<table.count, at: base), context)
      }
      let row = RowFilter(predicate)
      var found = 0
      for place in 0..<table.count {
        let view = try table.view(place)
        let expected = try row.mask(view, view.present, context)
        #expect(masks[place] == expected, "\(text), row \(place) of the table")
        found += expected.count
      }
      #expect(found > 100 && found < rows.count, "\(text)")
    }
  }

  @Test(arguments: [
    "lowercase(a)", "uppercase(a) DESC", "firstLetter(a)", "lowercase(a), uppercase(b) DESC", "b, lowercase(a) DESC",
    "TERNARY(a == nil, b, a)",
  ])
  func theFirstAreThoseOfAll(_ keys: String) throws {
    var random = OracleRandom(seed: testSeed())
    let store = try Self.store(&random)
    let all = try store.rows("SORT(\(keys))")
    #expect(all.count == 1_500)
    for count in [1, 10, 300] {
      for filter in ["", "b != 'bob' ", "b == 'ann' "] {
        let expected = filter.isEmpty ? all : try store.rows("\(filter)SORT(\(keys))")
        #expect(try store.rows("\(filter)SORT(\(keys)) LIMIT(\(count))") == Array(expected.prefix(count)), "\(count)")
      }
    }
    // What sorting all gives is what the values say.
    let snapshot = try store.file.beginSnapshot()
    guard case .sort(let bound)? = try store.compile("SORT(\(keys))").stages.first else { throw QueryCancelled() }
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    let values = try ExpressionEvaluation.values(
      bound.map(\.expression), of: all.map { UInt64($0 + 1) }, entity, snapshot,
      ExecutionContext(snapshot, nil, CancellationCheck()))
    for place in 1..<values.count {
      let order =
        zip(bound, zip(values[place - 1], values[place])).lazy
        .map { key, pair in SortOrder.compare(pair.0, pair.1) * (key.ascending ? 1 : -1) }.first { $0 != 0 } ?? 0
      #expect(order < 0 || order == 0 && all[place - 1] < all[place])
    }
  }
}
