import Diagnostics
import PredicateLanguage
import Schema
import Storage
import TestSeeds
import Testing
import Values

@testable import QueryEngine

/// GROUP BY with all aggregates on random objects, against a computation that puts whole objects into a dictionary.
@Suite struct GroupingTests {
  private static let schema = Schema(entities: [
    Entity(
      name: "Item",
      properties: [
        Property(name: "t", type: .scalar(.string), isOptional: true),
        Property(name: "i", type: .scalar(.int), isOptional: true),
        Property(name: "d", type: .scalar(.double), isOptional: true),
        Property(name: "f", type: .scalar(.float), isOptional: true),
        Property(name: "w", type: .scalar(.date), isOptional: true),
        Property(name: "b", type: .scalar(.bool)),
        Property(name: "l", type: .array(.int), isOptional: true),
      ],
      indexes: [Index(paths: ["i"])])
  ])

  private static func value(_ column: Int, _ random: inout some RandomNumberGenerator) -> Value {
    if column != 5, Int.random(in: 0..<6, using: &random) == 0 { return .null }
    switch column {
    case 0: return .string(["", "a", "é", "e\u{301}", "long text"].randomElement(using: &random) ?? "")
    case 1: return .int(Int64.random(in: -3...3, using: &random))
    case 2: return .double([0, -0.0, .nan, 1.5, -2, 3].randomElement(using: &random) ?? 0)
    case 3: return .float([0.5, -0.0, 0, .nan, 7].randomElement(using: &random) ?? 0)
    case 4: return .date(Instant(seconds: Double(Int.random(in: 0..<4, using: &random)) * 0.5))
    case 5: return .bool(Bool.random(using: &random))
    default: return .list((0..<Int64.random(in: 0...3, using: &random)).map(Value.int))
    }
  }

  /// How many elements a collection has; nil has none.
  private static func count(_ collection: Value) -> Value {
    if case .list(let elements) = collection { return .int(Int64(elements.count)) }
    return .int(0)
  }

  /// What the rows of a statement are.
  static func rows(_ text: String, in file: StoreFile) throws -> [[Value]] {
    guard case .select(let select) = try StatementParser.statement(text) else { return [] }
    let snapshot = try file.beginSnapshot()
    let context = SourceContext(source: text)
    var objects = QueryDescription(entity: select.entity?.text ?? "")
    try objects.append(select.filter, context)
    let rows = RowDescription(
      select: select.select, groupBy: select.groupBy, having: select.having, sortBy: select.sortBy,
      distinct: select.distinct, offset: try select.offset.map { try context.count($0, of: "OFFSET") } ?? 0,
      limit: try select.limit.map { try context.count($0, of: "LIMIT") }, sectionsBy: select.sectionsBy,
      context: context)
    var found: [[Value]] = []
    let compiled = try CompiledRows(objects, rows, schema: snapshot.schema)
    try compiled.plan(in: snapshot).found(in: snapshot).forEach {
      found.append($0)
      return true
    }
    return found
  }

  // MARK: The naive computation

  private static func key(_ value: Value) -> String {
    switch value {
    case .double(let number): number.isNaN ? "NaN" : "\(number + 0)"
    case .float(let number): number.isNaN ? "NaN" : "\(number + 0)"
    case .string(let text): "'" + text.utf8.map { String($0) }.joined(separator: ",")
    default: "\(value)"
    }
  }

  private static func number(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .double(let number): number.isNaN ? nil : number
    case .float(let number): number.isNaN ? nil : Double(number)
    case .date(let instant): instant.seconds
    default: nil
    }
  }

  /// Count, count of distinct texts, sum of i, mean of d, least f, greatest w.
  private static func naive(_ objects: [[Value]], _ keys: [Int]) -> [[String]] {
    var order: [String] = []
    var members: [String: [[Value]]] = [:]
    for object in objects {
      let key = keys.map { Self.key(object[$0]) }.joined(separator: "|")
      if members[key] == nil { order.append(key) }
      members[key, default: []].append(object)
    }
    if keys.isEmpty, order.isEmpty {
      order = [""]
      members[""] = []
    }
    return order.map { name in
      let group = members[name] ?? []
      let doubles = group.compactMap { number($0[2]) }
      let mean = doubles.isEmpty ? nil : doubles.reduce(0, +) / Double(doubles.count)
      return keys.map { key(group[0][$0]) } + [
        "\(group.count)", "\(Set(group.map { $0[0] }.filter { !$0.isNull }.map(key)).count)",
        "\(Int64(group.compactMap { number($0[1]) }.reduce(0, +)))", rounded(mean),
        rounded(group.compactMap { number($0[3]) }.min()), rounded(group.compactMap { number($0[4]) }.max()),
      ]
    }
  }

  private static func rounded(_ number: Double?) -> String {
    number.map { "\(($0 * 1e6).rounded() / 1e6 + 0)" } ?? "nil"
  }

  private static func shown(_ row: [Value], keys: Int) -> [String] {
    row.enumerated().map { place, value in
      if place < keys { return key(value) }
      if case .int(let number) = value { return "\(number)" }
      return rounded(number(value))
    }
  }

  @Test func aggregatesOfRandomGroups() throws {
    let seed = testSeed()
    var random = OracleRandom(seed: seed)
    let names = ["t", "i", "d", "f", "w", "b", "l.@count"]
    for count in [0, 1, 300, 2_000] {
      let file = try StoreFile.inMemory(declaring: Self.schema)
      var objects: [[Value]] = []
      try file.write { session in
        guard let entity = session.schema.entity(named: "Item") else { return }
        for _ in 0..<count {
          let row = (0..<7).map { Self.value($0, &random) }
          let id = try session.insert(row, into: entity)
          if Int.random(in: 0..<10, using: &random) == 0 {
            try session.delete(id, of: entity)
          } else {
            objects.append(row.dropLast() + [Self.count(row[6])])
          }
        }
      }
      for _ in 0..<12 {
        let keys = names.indices.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        let limit = Int64.random(in: -3...3, using: &random)
        let isFiltered = Bool.random(using: &random)
        let least = Bool.random(using: &random) && !keys.isEmpty ? Int.random(in: 1...4, using: &random) : nil
        let columns = keys.map { names[$0] }
        let aggregates = ["@count", "@distinctUnionOfObjects.t.@count", "@sum.i", "@avg.d", "@min.f", "@max.w"]
        let text =
          "Item" + (isFiltered ? " WHERE i <= \(limit)" : "")
          + (keys.isEmpty ? "" : " GROUP BY \(columns.joined(separator: ", "))")
          + (least.map { " HAVING @count >= \($0)" } ?? "")
          + " SELECT \((columns + aggregates).joined(separator: ", "))"
        let chosen = objects.filter { object in
          guard isFiltered else { return true }
          if case .int(let number) = object[1] { return number <= limit }
          return false
        }
        let found = try Self.rows(text, in: file).map { Self.shown($0, keys: keys.count) }
        let groups = Self.naive(chosen, keys).filter { group in
          Int(group[keys.count]) ?? 0 >= least ?? 0
        }
        #expect(found == groups, "\(text), seed \(seed)")
      }
    }
  }

  // MARK: What the language says

  private func store(_ numbers: [Value]) throws -> StoreFile {
    try TestStore(.double, numbers).file
  }

  @Test func emptyNilNaNAndZero() throws {
    let none = try store([])
    #expect(
      try Self.rows("Item SELECT @count, @sum.x, @avg.x, @min.x, @max.x", in: none) == [
        [.int(0), .double(0), .null, .null, .null]
      ])
    #expect(try Self.rows("Item GROUP BY x SELECT x, @count", in: none).isEmpty)
    let some = try store([.double(.nan), .null, .double(-0.0), .double(0), .null, .double(.nan)])
    let groups = try Self.rows("Item GROUP BY x SELECT @count, @sum.x, @min.x", in: some)
    #expect(
      groups == [[.int(2), .double(0), .null], [.int(2), .double(0), .null], [.int(2), .double(0), .double(0)]])
    #expect(try Self.rows("Item GROUP BY x HAVING x == 0 SELECT x", in: some) == [[.double(0)]])
  }

  @Test func aSumOfIntThatOverflowsIsNil() throws {
    let file = try TestStore(.int, [.int(.max), .int(1), .int(-5)]).file
    #expect(try Self.rows("Item WHERE x > 0 SELECT @sum.x", in: file) == [[.null]])
    #expect(try Self.rows("Item SELECT @sum.x", in: file) == [[.int(.max - 4)]])
  }

  @Test func clausesApplyToGroupsInTheirOrder() throws {
    let numbers: [Int64?] = [3, 1, 2, 1, 3, 3, nil, 2]
    let file = try TestStore(.int, numbers.map { $0.map(Value.int) ?? .null }).file
    func rows(_ text: String) throws -> [[Value]] { try Self.rows(text, in: file) }
    #expect(try rows("Item GROUP BY x SELECT x").flatMap(\.self) == [.int(3), .int(1), .int(2), .null])
    #expect(
      try rows("Item SELECT x LIMIT 2 HAVING @count > 1 SORT BY x GROUP BY x").flatMap(\.self) == [.int(1), .int(2)])
    #expect(
      try rows("Item GROUP BY x SORT BY @count DESC, x DESC OFFSET 1 SELECT x, @count") == [
        [.int(2), .int(2)], [.int(1), .int(2)], [.null, .int(1)],
      ])
    #expect(try rows("Item GROUP BY x DISTINCT @count SELECT x") == [[.int(3)], [.int(1)], [.null]])
    #expect(try rows("Item GROUP BY x SELECT @count AS n HAVING n > 1 SORT BY n") == [[.int(2)], [.int(2)], [.int(3)]])
    // Tails belong to the objects: their order decides which group comes first.
    #expect(
      try rows("Item WHERE TRUEPREDICATE SORT(n DESC) GROUP BY x SELECT x").flatMap(\.self) == [
        .int(2), .null, .int(3), .int(1),
      ])
    #expect(
      try rows("Item WHERE TRUEPREDICATE LIMIT(3) GROUP BY x SELECT @count") == [[.int(1)], [.int(1)], [.int(1)]])
    #expect(
      try rows("Item GROUP BY x * 2 SELECT x * 2 + 1, @max.n - @min.n LIMIT 2") == [
        [.int(7), .int(5)], [.int(3), .int(2)],
      ])
    #expect(
      try rows("Item GROUP BY x SELECT @distinctUnionOfObjects.n LIMIT 1") == [[.list([.int(0), .int(4), .int(5)])]])
  }

  /// Names after AS may stand for each other; what they come to is bounded like any text.
  @Test func namesThatStandForEachOtherAreBounded() throws {
    let file = try TestStore(.int, [.int(1), .int(2)]).file
    #expect(
      try Self.rows("Item GROUP BY x SELECT @count AS a, a + a AS b, b + b AS c LIMIT 1", in: file) == [
        [.int(1), .int(2), .int(4)]
      ])
    let doubling = (0..<40).map { ", a\($0) + a\($0) AS a\($0 + 1)" }.joined()
    let chain = (0..<5_000).map { "a\($0 + 1) AS a\($0), " }.joined()
    let texts: [(String, DiagnosticCode)] = [
      ("Item GROUP BY x SELECT @count AS a0\(doubling)", .tooManyNodes),
      ("Item GROUP BY x SELECT \(chain)@count AS a5000", .nestingTooDeep),
    ]
    onSmallStack {
      for (text, code) in texts {
        let error = #expect(throws: DiagnosticError.self) { try Self.rows(text, in: file) }
        #expect(error?.diagnostics.first?.code == code)
      }
    }
  }

  @Test func nowIsReadOnceForAllClauses() throws {
    let file = try TestStore(.int, [.int(1)]).file
    let snapshot = try file.beginSnapshot()
    let text = "Item WHERE now() == CAST(5, 'NSDate') SELECT now(), now() + 1"
    guard case .select(let select) = try StatementParser.statement(text) else { return }
    let context = SourceContext(source: text)
    var objects = QueryDescription(entity: "Item")
    try objects.append(select.filter, context)
    let rows = RowDescription(select: select.select, context: context)
    let plan = try CompiledRows(objects, rows, schema: snapshot.schema)
      .plan(in: snapshot, options: PlannerOptions(now: Instant(seconds: 5)))
    var found: [[Value]] = []
    try plan.found(in: snapshot).forEach {
      found.append($0)
      return true
    }
    #expect(found == [[.date(Instant(seconds: 5)), .date(Instant(seconds: 6))]])
  }

  @Test func sectionsAreInTheOrderOfTheirFirstRow() throws {
    let file = try TestStore(.int, [3, 1, 2, 1, 3].map { Value.int($0) }).file
    let snapshot = try file.beginSnapshot()
    let text = "Item SELECT n SECTIONS BY x"
    guard case .select(let select) = try StatementParser.statement(text) else { return }
    let rows = RowDescription(
      select: select.select, sectionsBy: select.sectionsBy, context: SourceContext(source: text))
    let compiled = try CompiledRows(QueryDescription(entity: "Item"), rows, schema: snapshot.schema)
    let found = try compiled.plan(in: snapshot).found(in: snapshot)
    let sections = try found.sections()
    #expect(sections.map(\.key) == [.int(3), .int(1), .int(2)])
    #expect(sections.map(\.rows) == [[0, 4], [1, 3], [2]])
  }
}
