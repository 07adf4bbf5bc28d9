import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Texts asked about as functions change them a cluster at a time: the same objects as one by one, whatever the texts are
/// like and however they are kept.
@Suite struct StringVectorTests {
  /// Clusters of ASCII, of other scripts, of few texts, of one, of long ones and of nothing but nil.
  private static let texts: [Value] = {
    let words = [
      "Ann", "ANN", "anna", "", "Zoë", "İstanbul", "straße", "ΣΑΣ", "ﬁn", "日本", "a\u{301}", "ǅ", "@[`{~",
      "\r\n", "\r", "👩‍👩‍👧", "a\u{0}",
    ]
    return (0..<2_600).map { place -> Value in
      switch place / 256 {
      case 0, 1: .string("Text \(place) Of ann \(place % 7)")
      case 2, 3: .string(words[place % words.count] + "\(place % 50)")
      case 4: .string(words[place % 3])
      case 5: .string("Same")
      case 6: .string(words[place % words.count])
      case 7: .string(String(repeating: "LONG long É", count: place % 9 * 60) + words[place % words.count])
      case 8: .null
      default: place % 5 == 0 ? .null : .string(words[place % words.count] + "xyz")
      }
    }
  }()

  private static let questions = [
    "== 'ann'", "!= 'ann'", "== 'ANN'", "CONTAINS 'ann'", "CONTAINS 'AN'", "CONTAINS 'ss'", "BEGINSWITH 'te'",
    "BEGINSWITH 'TE'", "ENDSWITH '5'", "> 'b'", "<= 'ann'", "LIKE '*a?n*'", "LIKE 'ANN*'", "MATCHES '.*[aA]nn.*'",
    "==[c] 'aNN'", "CONTAINS[cd] 'zoe'", "CONTAINS[d] 'e'", "IN {'ann', 'SAME', 'zoë3', ''}", "== ''", "== 'same'",
    "CONTAINS 'long é'", "!=[c] 'ANN'", "CONTAINS 'i̇'", "== 'σας'", "CONTAINS '日'", "== 'A'", "== 'a'", "IN {'T', '日'}",
    "== '\r\n'", "== '\r'", "== 'a\u{301}'", "== '👩‍👩‍👧'", "< 'B'", "== nil", "!= nil", "IN {'ann', nil}", "== x",
    "!= x", "==[c] x", "CONTAINS[cd] x", "BEGINSWITH x", "LIKE[c] x", "< uppercase(x)", "BETWEEN {'B', 'P'}",
    "BETWEEN {x, 'z'}", "IN {x, 'T'}", "IN[c] {'ANN', 'same'}", "== TERNARY(x == nil, 'none', lowercase(x))",
  ]

  private static let keys = [
    "lowercase(x)", "uppercase(x)", "firstLetter(x)", "concat(x, '-é')", "concat('É', x, x)", "concat(lowercase(x), x)",
  ]

  @Test(arguments: keys)
  func theyAreAskedAsOneByOne(_ key: String) throws {
    let store = try TestStore(.string, Self.texts)
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    var random = OracleRandom(seed: testSeed())
    var found = 0
    for question in Self.questions {
      let text = "\(key) \(question)"
      guard case .filter(let predicate)? = try store.compile(text).stages.first else { throw QueryCancelled() }
      let condition = try FilterCompiler(entity: entity).compile(predicate)
      #expect(!(condition is RowFilter), "\(text)")
      let row = RowFilter(predicate)
      let context = ExecutionContext(snapshot, nil, CancellationCheck())
      try snapshot.forEachCluster(entity) { cluster in
        var few = Mask.none
        for _ in 0..<5 { few[random.below(Mask.slotCount)] = true }
        for candidates in [cluster.present, cluster.present & few, .none] {
          let expected = try row.mask(cluster, candidates, context)
          #expect(try condition.mask(cluster, candidates, context) == expected, "\(text), cluster \(cluster.number)")
          found += expected.count
        }
        return true
      }
    }
    #expect(found > 5_000)
  }

  /// What groups and sorts go by is the same as what is shown of each object.
  @Test(arguments: keys)
  func theyAreKeysAsOneByOne(_ key: String) throws {
    let store = try TestStore(.string, Self.texts)
    let shown = try GroupingTests.rows("\(store.entityName) SELECT \(key)", in: store.file).map { $0[0] }
    #expect(shown.count == Self.texts.count)
    var counts: [Value: Int] = [:]
    var order: [Value] = []
    for text in shown {
      if counts[text] == nil { order.append(text) }
      counts[text, default: 0] += 1
    }
    let groups = try GroupingTests.rows(
      "\(store.entityName) GROUP BY \(key) SELECT \(key), @count", in: store.file)
    #expect(groups == order.map { [$0, .int(Int64(counts[$0] ?? 0))] })
    #expect(groups.count > 10)
    for (direction, sign) in [("", 1), ("DESC", -1)] {
      let sorted = try store.rows("SORT(\(key) \(direction))")
      let expected = shown.indices.sorted { left, right in
        let order = SortOrder.compare(shown[left], shown[right]) * sign
        return order == 0 ? left < right : order < 0
      }
      #expect(sorted == expected)
      #expect(try store.rows("SORT(length(x), \(key) \(direction))").count == shown.count)
    }
  }

  /// Several texts of a cluster may become one: what its objects have is met in their order.
  @Test func oneThatWasSeveralIsMetInOrder() throws {
    let rows = (0..<600).map { place -> [Value] in [.string(place % 2 == 0 ? "ann" : "Ann")] }
    let schema = Schema(entities: [Entity(name: "Word", properties: [Property(name: "s", type: .scalar(.string))])])
    let store = try TestStore(schema, rows: rows)
    for function in ["lowercase", "uppercase"] {
      let groups = try GroupingTests.rows(
        "Word GROUP BY \(function)(s) SELECT @count, @distinctUnionOfObjects.s", in: store.file)
      #expect(groups == [[.int(600), .list([.string("ann"), .string("Ann")])]])
    }
  }
}
