import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// Comparisons of expressions of every kind: evaluated by vectors, by dictionaries and by tables of clusters they hold
/// for the same objects as row by row.
@Suite struct VectorFilterTests {
  private static let types: [(String, ScalarType)] = [
    ("i", .int), ("j", .int16), ("d", .double), ("f", .float), ("t", .string), ("s", .string), ("w", .date),
    ("b", .bool), ("u", .uuid), ("n", .data),
  ]

  private static func store(_ random: inout OracleRandom) throws -> TestStore {
    var properties = types.map { Property(name: $0.0, type: .scalar($0.1), isOptional: true) }
    properties.append(Property(name: "xs", type: .array(.int)))
    properties.append(Property(name: "names", type: .dictionary(.string)))
    let words = ["", "ann", "Ann", "bob", "zoë", "ZOË", "straße", "STRASSE", "ann b"]
    let rows = (0..<1_400).map { place -> [Value] in
      // Some clusters have few strings, which are coded; some many; some one; some none.
      func string() -> Value {
        switch place / 256 {
        case 1: .string(random.pick(words) + "\(place)")
        case 2: .string("ann")
        case 3: .null
        default: .string(random.pick(words))
        }
      }
      var row: [Value] = [
        .int(Int64(random.below(8)) - 2), .int(Int64(random.below(5))),
        .double(random.pick([0, -0.0, 0.1, 2.5, .nan, 7])), .float(random.pick([0.1, 2.5, -3, .nan])), string(),
        string(), .date(Instant(seconds: Double(random.below(5)) * 86_400)), .bool(random.once(in: 2)),
        .uuid(UUIDBytes(high: 0, low: UInt64(random.below(4)))), .data([UInt8(random.below(3))]),
      ]
      row = row.map { random.once(in: 6) ? .null : $0 }
      row.append(.list((0..<random.below(4)).map { _ in .int(Int64(random.below(4))) }))
      row.append(.embedded([EmbeddedField(name: "k", value: .string(random.pick(words)))]))
      return row
    }
    return try TestStore(Schema(entities: [Entity(name: "Item", properties: properties)]), rows: rows)
  }

  /// Expressions by kind; any two of a kind can be compared.
  private static let numbers = [
    "i", "j", "d", "f", "2", "2.5", "nil", "i + j * 2", "-i", "d / i", "TERNARY(i > 1, i, j)",
    "TERNARY(b == TRUE, i, 4)",
    "TERNARY(t == 'ann', 1, nil)", "TERNARY(i == nil, d, 0.5) + 1", "TERNARY(b == TRUE, i, d)",
    "TERNARY(b == TRUE, i, d) + 1", "length(t)", "length(uppercase(t))", "length(TERNARY(b == TRUE, t, s))", "abs(i)",
    "xs.@count", "xs[0]", "xs.@sum + 1", "xs[i]", "day(w)", "abs(TERNARY(i > 1, i, j))", "modulus:by:(i, 3)",
    "max({i, j})", "sqrt(TERNARY(d > 1, d, 4.0))", "xs.@avg",
  ]
  private static let strings = [
    "t", "s", "'ann'", "'Zoë'", "nil", "uppercase(t)", "lowercase(uppercase(t))", "firstLetter(t)",
    "firstLetter(lowercase(s))", "concat(t, s)", "concat('<', uppercase(t), '>')", "concat(t, t)",
    "lowercase(concat(s, ' ', concat(t, 'Ä')))", "concat(TERNARY(i > 2, t, s), t)", "TERNARY(t == nil, 'none', t)",
    "TERNARY(i > 2, t, s)",
    "TERNARY(i > 2, uppercase(t), lowercase(s))", "names['k']", "uppercase(names['k'])",
    "TERNARY(length(t) > 3, t, nil)",
    "lowercase(TERNARY(b == TRUE, t, uppercase(s)))",
  ]
  private static let relations = ["==", "!=", "<", "<=", ">", ">="]

  private static func question(_ random: inout OracleRandom) -> String {
    func number() -> String { random.pick(numbers) }
    func string() -> String { random.pick(strings) }
    let options = random.pick(["", "", "[c]", "[d]", "[cd]"])
    switch random.below(9) {
    case 0, 1: return "\(number()) \(random.pick(relations)) \(number())"
    case 2: return "\(number()) BETWEEN {\(number()), \(number())}"
    case 3: return "\(number()) IN {\(number()), 1, \(number())}"
    case 4: return "\(string()) \(random.pick(relations))\(options) \(string())"
    case 5:
      return "\(string()) \(random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"]))\(options) \(string())"
    case 6: return "\(string()) IN\(options) {'ann', \(string()), 'BOB'}"
    case 7: return "\(string()) BETWEEN {\(string()), \(string())}"
    default:
      return random.pick([
        "b == TERNARY(i > 2, TRUE, b)", "TERNARY(b == TRUE, b, FALSE) < b", "u == TERNARY(i > 2, u, nil)",
        "n <= TERNARY(i > 2, n, nil)", "w + 86400 > TERNARY(b == TRUE, w, nil)", "w - w == 0",
        "TERNARY(b == TRUE, w, nil) IN {CAST(0, 'NSDate'), CAST(86400, 'NSDate')}", "t MATCHES '[aA]nn.*'",
        "uppercase(t) MATCHES 'A.*'", "TERNARY(i > 2, t, s) MATCHES 'a.*b?'",
        "i IN {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34}",
        "i * 2 IN {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34.5}",
      ])
    }
  }

  @Test func theyHoldForTheSameObjectsAsRowByRow() throws {
    var random = OracleRandom(seed: testSeed())
    let store = try Self.store(&random)
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: store.entityName))
    for _ in 0..<700 {
      let text = Self.question(&random)
      guard case .filter(let predicate)? = try store.compile(text).stages.first else {
        Issue.record("\(text) is no filter")
        continue
      }
      let condition = try FilterCompiler(entity: entity).compile(predicate)
      let row = RowFilter(predicate)
      let context = ExecutionContext(snapshot, nil, CancellationCheck())
      try snapshot.forEachCluster(entity) { cluster in
        var few = Mask.none
        for _ in 0..<5 { few[random.below(Mask.slotCount)] = true }
        for candidates in [cluster.present, cluster.present & few, .none] {
          let expected = try row.mask(cluster, candidates, context)
          let found = try condition.mask(cluster, candidates, context)
          #expect(found == expected, "\(text), cluster \(cluster.number)")
        }
        return true
      }
      guard let scan = try snapshot.tableScan(entity, for: .scan) else { continue }
      try Self.compareByTable(condition, row, scan, context, text)
    }
  }

  /// The same by way of a table of clusters, where dictionaries are asked first.
  private static func compareByTable(
    _ condition: any Filter, _ row: RowFilter, _ table: TableScan, _ context: ExecutionContext, _ text: String
  ) throws {
    let scan = try TableFilterScan(table, for: condition)
    var masks = (0..<table.count).map { table.present($0) }
    try masks.withUnsafeMutableBufferPointer { masks in
      guard let base = masks.baseAddress else { return }
      try condition.narrow(ScanRows(scan, 0..<table.count, at: base), context)
    }
    for place in 0..<table.count {
      let view = try table.view(place)
      #expect(masks[place] == (try row.mask(view, view.present, context)), "\(text), row \(place) of the table")
    }
  }

  /// All objects of one cluster are on one side of TERNARY, all of another on the other, and both have one dictionary.
  @Test func clustersWithOneDictionaryMayChooseDifferently() throws {
    let words = ["Tau", "phi", "Rho"]
    let rows = (0..<2_048).map { place -> [Value] in [.int(Int64(place)), .string(words[place % 3])] }
    let schema = Schema(entities: [
      Entity(
        name: "Item",
        properties: [Property(name: "n", type: .scalar(.int)), Property(name: "s", type: .scalar(.string))])
    ])
    let store = try TestStore(schema, rows: rows)
    for key in [
      "TERNARY(n < 1024, uppercase(s), lowercase(s))", "TERNARY(n < 1024, s, uppercase(s))",
      "lowercase(TERNARY(n < 1024, s, firstLetter(s)))", "concat(s, TERNARY(n < 1024, '<', '>'))",
      "TERNARY(n < 1024, s, 'Tau')", "TERNARY(n < 512, nil, TERNARY(n < 1024, 'Tau', s))", "TERNARY(n < 700, 'a', 'a')",
      "TERNARY(n < 1024, n, 5)", "TERNARY(modulus:by:(n, 2) == 0, 1, TERNARY(n < 9, 1, nil))",
    ] {
      let shown = try GroupingTests.rows("Item SELECT \(key)", in: store.file).map { $0[0] }
      let groups = try GroupingTests.rows("Item GROUP BY \(key) SELECT \(key), @count", in: store.file)
      var counts: [Value: Int] = [:]
      for value in shown { counts[value, default: 0] += 1 }
      #expect(Dictionary(uniqueKeysWithValues: groups.map { ($0[0], $0[1]) }) == counts.mapValues { .int(Int64($0)) })
      let expected = shown.indices.sorted { left, right in
        let order = SortOrder.compare(shown[left], shown[right])
        return order == 0 ? left < right : order < 0
      }
      #expect(try store.rows("SORT(\(key))") == expected, "\(key)")
      #expect(try store.rows("TRUEPREDICATE DISTINCT(\(key))").count == counts.count, "\(key)")
    }
  }

  @Test(arguments: [VectorFilterTests.numbers, VectorFilterTests.strings])
  func keysAreTheSameAsRowByRow(_ expressions: [String]) throws {
    var random = OracleRandom(seed: testSeed())
    let store = try Self.store(&random)
    for key in expressions where key != "nil" && !key.hasPrefix("'") && Double(key) == nil {
      let shown = try GroupingTests.rows("Item SELECT \(key)", in: store.file).map { $0[0] }
      var counts: [Value: Int] = [:]
      var firsts: [Value] = []
      for value in shown {
        let known = DistinctKey.of(value)
        if counts[known] == nil { firsts.append(value) }
        counts[known, default: 0] += 1
      }
      let groups = try GroupingTests.rows("Item GROUP BY \(key) SELECT \(key), @count", in: store.file)
      #expect(groups.map { DistinctKey.of($0[0]) } == firsts.map { DistinctKey.of($0) }, "\(key)")
      #expect(groups.map { $0[1] } == firsts.map { .int(Int64(counts[DistinctKey.of($0)] ?? 0)) }, "\(key)")
      for (direction, sign) in [("", 1), ("DESC", -1)] {
        let expected = shown.indices.sorted { left, right in
          let order = SortOrder.compare(shown[left], shown[right]) * sign
          return order == 0 ? left < right : order < 0
        }
        #expect(try store.rows("SORT(\(key) \(direction))") == expected, "\(key)")
        #expect(try store.rows("SORT(\(key) \(direction)) LIMIT(7)") == Array(expected.prefix(7)), "\(key)")
        #expect(try store.rows("SORT(\(key) \(direction), i) LIMIT(7)").count == 7, "\(key)")
      }
      guard Self.types.contains(where: { $0.0 == key }) else { continue }
      let least = shown.filter(ValueOrder.isComparable).min { SortOrder.compare($0, $1) < 0 } ?? .null
      let found = try GroupingTests.rows("Item GROUP BY 1 SELECT @min.\(key)", in: store.file).first?.first ?? .null
      #expect(SortOrder.compare(found, least) == 0, "\(key)")
    }
  }
}
