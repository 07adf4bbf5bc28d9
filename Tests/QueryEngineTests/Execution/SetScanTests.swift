import PredicateLanguage
import Schema
import Testing
import Values

@testable import QueryEngine
@testable import Storage

/// What is asked of objects that an index found: the same by the table of clusters as by the tree.
@Suite struct SetScanTests {
  /// 60 clusters, of which some are gone altogether and some have gaps.
  private func store() throws -> TestStore {
    let properties = [
      Property(name: "key", type: .scalar(.int)), Property(name: "x", type: .scalar(.double), isOptional: true),
      Property(name: "word", type: .scalar(.string)),
    ]
    let entity = Entity(name: "Thing", properties: properties, indexes: [Index(paths: ["key"])])
    let rows = (0..<60 * 256).map { n -> [Value] in
      let decimal: Value = n % 50 == 0 ? .null : .double(Double(n % 97))
      return [.int(Int64(n * 7919 % 5000)), decimal, .string("word \(n % 5)")]
    }
    let store = try TestStore(Schema(entities: [entity]), rows: rows)
    try store.file.write { session in
      guard let entity = session.schema.entity(named: "Thing") else { return }
      for n in 1..<60 * 256 where [3, 4, 5, 31, 32, 58].contains(n >> 8) || n % 11 == 0 {
        _ = try session.delete(ObjectNumber(UInt64(n)), of: entity)
      }
    }
    return store
  }

  @Test(arguments: [
    "key < 3 AND x > 40", "key < 60 AND word == 'word 3'", "key BETWEEN {900, 1400} AND x * 2 < 100",
    "key IN {1, 77, 4000, 4999} AND x != nil", "key == 9999 AND x > 1", "key < 900 AND (x < 3 OR word CONTAINS '4')",
    "key < 400 AND uppercase:(word) ENDSWITH '2'",
    // What the index says of them is all.
    "key < 60", "key < 900 SORT(x ASC)", "key < 20 SORT(x DESC)", "key BETWEEN {900, 1400} SORT(x DESC) LIMIT(9)",
    "key < 300 DISTINCT(word)", "key < 400 SORT(word ASC, x DESC)", "key IN {1, 77, 4000} SORT(word DESC) LIMIT(30)",
    "key < 700 AND x > 3 SORT(x ASC)",
  ])
  func findsTheSameByTable(_ text: String) throws {
    let store = try store()
    let indexed = PlannerOptions(access: .forceIndex(["key"]))
    let wanted = try store.rows(text, options: PlannerOptions(access: .scanOnly))
    let entity = try #require(try store.file.beginSnapshot().schema.entity(named: "Thing"))
    var hadTable = false
    for _ in 0..<200 {
      let snapshot = try store.file.beginSnapshot()
      let plan = try store.compile(text).plan(in: snapshot, options: indexed)
      #expect(plan.explanation.text.lowercased().contains("index"), "\(plan.explanation.text)")
      #expect(try plan.objects(in: snapshot).map { Int($0.rawValue) - 1 } == wanted)
      #expect(try plan.count(in: snapshot) == wanted.count)
      let scan = try store.compile(text).plan(in: snapshot, options: PlannerOptions(access: .scanOnly))
      for aggregate in [AggregateFunction.sum, .average, .maximum] {
        #expect(
          try plan.aggregate(aggregate, column: 1, in: snapshot) == scan.aggregate(aggregate, column: 1, in: snapshot))
      }
      var given: [Int] = []
      try plan.forEach(in: snapshot) { object in
        given.append(Int(object.rawValue) - 1)
        return given.count < 7
      }
      #expect(given == Array(wanted.prefix(7)))
      if try snapshot.tableScan(entity, for: .visits(0)) != nil {
        if hadTable { return }
        hadTable = true
      }
    }
    #expect(wanted.isEmpty, "a table was made on the way")
  }

  @Test func analysisCountsTheSame() throws {
    let store = try store()
    func counters() throws -> [String] {
      let snapshot = try store.file.beginSnapshot()
      let plan = try store.compile("key < 60 AND x > 40").plan(in: snapshot)
      return try plan.analyze(in: snapshot).text.split(separator: "\n").filter {
        !$0.contains(" ms") && !$0.contains("µs")
      }.map(String.init)
    }
    let first = try counters()
    for _ in 0..<20 { #expect(try counters() == first) }
  }

  @Test func rowsAreFoundByNumber() throws {
    let store = try store()
    let snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: "Thing"))
    let table = try #require(try snapshot.tableScan(entity, for: .place))
    let numbers = (0..<table.count).map { table.number($0) }
    #expect(numbers.count < 61 && numbers == numbers.sorted())
    for start in 0..<table.count {
      for number in UInt64(0)...65 {
        let wanted = numbers.firstIndex(of: number).flatMap { $0 >= start ? $0 : nil }
        #expect(table.row(of: number, from: start) == wanted, "\(number) from \(start)")
      }
      #expect(table.row(of: .max, from: start) == nil)
    }
    #expect(table.row(of: 1, from: table.count) == nil && table.row(of: 1, from: -1) == nil)
  }

  /// A table is made only for those who have gone to as many clusters as would pay for it, version by version.
  @Test func tablesAreMadeForThoseWhoComeOften() throws {
    let store = try store()
    var snapshot = try store.file.beginSnapshot()
    let entity = try #require(snapshot.schema.entity(named: "Thing"))
    let total = try snapshot.clusterCount(entity)
    let half = (total + 1) / 2
    for _ in 0..<half - 1 { #expect(try snapshot.tableScan(entity, for: .visits(1)) == nil) }
    let scan = try #require(try snapshot.tableScan(entity, for: .visits(1)))
    #expect(try scan.column(1) != nil)
    try store.file.write { session in
      if let entity = session.schema.entity(named: "Thing") {
        _ = try session.insert([.int(1), .null, .string("")], into: entity)
      }
    }
    snapshot = try store.file.beginSnapshot()
    #expect(try snapshot.tableScan(entity, for: .visits(1)) == nil)
    // Where scans made one it is used, with the columns it has.
    _ = try store.rows("x > 1", options: PlannerOptions(access: .scanOnly))
    _ = try store.rows("x > 1", options: PlannerOptions(access: .scanOnly))
    let known = try #require(try snapshot.tableScan(entity, for: .visits(1)))
    #expect(try known.column(1) != nil && known.column(2) == nil)
  }

  /// Where each cluster has a dictionary of its own, only those are asked in which an index found something.
  @Test func dictionariesAreAskedWhereThereAreCandidates() throws {
    let entity = Entity(
      name: "Thing",
      properties: [Property(name: "key", type: .scalar(.int)), Property(name: "word", type: .scalar(.string))],
      indexes: [Index(paths: ["key"])])
    let rows = (0..<100 * 256).map { n -> [Value] in
      [.int(Int64(n % 5_000)), .string("word \(n % 7) of \(n / 256)")]
    }
    let store = try TestStore(Schema(entities: [entity]), rows: rows)
    var scanning = PlannerOptions(access: .scanOnly)
    scanning.threads = .one
    for text in [
      "word CONTAINS '3 of 1'", "word ==[c] 'WORD 3 OF 19'", "word MATCHES 'word [35] of .*'", "word > 'word 3 of 4'",
    ] {
      let wanted = rows.indices.filter { place in
        let (word, cluster) = (place % 7, place / 256)
        return switch text {
        case "word CONTAINS '3 of 1'": word == 3 && "\(cluster)".hasPrefix("1")
        case "word ==[c] 'WORD 3 OF 19'": word == 3 && cluster == 19
        case "word > 'word 3 of 4'":
          "word \(word) of \(cluster)".utf8.lexicographicallyPrecedes("word 3 of 4".utf8) == false
            && "word \(word) of \(cluster)" != "word 3 of 4"
        default: word == 3 || word == 5
        }
      }
      let both = "key BETWEEN {1000, 1003} AND \(text)"
      for _ in 0..<4 {
        let snapshot = try store.file.beginSnapshot()
        let query = try store.compile(text)
        #expect(
          try query.plan(in: snapshot, options: scanning).objects(in: snapshot).map { Int($0.rawValue) - 1 } == wanted)
        var options = PlannerOptions(access: .forceIndex(["key"]))
        options.threads = .one
        let plan = try store.compile(both).plan(in: snapshot, options: options)
        var found: [Int] = []
        let steps = try StepCounter.count { found = try plan.objects(in: snapshot).map { Int($0.rawValue) - 1 } }
        #expect(found == wanted.filter { 1_000...1_003 ~= $0 % 5_000 }, "\(text)")
        if let steps { #expect(steps <= 20, "\(text): \(steps)") }
      }
    }
  }
}
