import Foundation
import PredicateLanguage
import Synchronization
import TestSeeds
import Testing

@testable import ObjectStoreCore

/// Queries that are asked again: whatever is kept of them, they answer as if asked for the first time.
@Suite struct RepeatedQueryTests {
  /// A store of quakes, magnitudes 0 to 99 each ten times.
  private static func store(_ count: Int = 1_000) throws -> Store {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in
      _ = try tx.add(
        (0..<count).map { Quake("q\($0)", Double($0 % 100), at: Double($0), felt: $0 % 3 == 0 ? nil : $0 % 7) })
    }
    return store
  }

  @Test func whatDependsOnTheMomentIsAskedAgain() throws {
    let store = try Self.store(1)
    let due = Date.now.addingTimeInterval(0.2)
    try store.write { tx in _ = try tx.add(Quake("due", 9, at: due.timeIntervalSinceReferenceDate)) }
    let past = try store.objects(Quake.self).filter("time < now() AND magnitude == 9")
    // Asked too early, or not: the answer is of that moment and no other.
    _ = try (past.count, past.ids)
    while Date.now <= due { usleep(10_000) }
    #expect(try past.count == 1)
    #expect(try past.ids.count == 1)
  }

  @Test func argumentsAreToldApart() throws {
    let store = try Self.store()
    for _ in 0..<3 {
      for magnitude in [3, 50, 99, 200] {
        let count = try store.objects(Quake.self).filter("magnitude == %@", magnitude).count
        #expect(count == (magnitude < 100 ? 10 : 0))
      }
      #expect(try store.objects(Quake.self).filter("magnitude == %@", 3.0).count == 10)
      #expect(try store.objects(Quake.self).filter("magnitude == %@", 3.5).count == 0)
      #expect(try store.objects(Quake.self).filter("felt == %@", nil).count == 334)
      #expect(try store.objects(Quake.self).filter("felt == %@", 0).count == 95)
      #expect(try store.objects(Quake.self).filter("magnitude < $most", ["most": 2]).count == 20)
      #expect(try store.objects(Quake.self).filter("magnitude < $most", ["most": 3]).count == 30)
      #expect(try store.objects(Quake.self).filter("magnitude IN %@", [1, 2]).count == 20)
      #expect(try store.objects(Quake.self).filter("magnitude IN %@", [1, 2, 3]).count == 30)
      #expect(try store.objects(Quake.self).filter("magnitude BETWEEN %@", 1...4).count == 40)
      #expect(try store.objects(Quake.self).filter("magnitude BETWEEN %@", 1..<4).count == 30)
      #expect(throws: QueryError.self) { try store.objects(Quake.self).filter("magnitude == %@", "five") }
      #expect(throws: QueryError.self) { try store.objects(Quake.self).filter("magnitude == %@") }
      #expect(throws: QueryError.self) { try store.objects(Quake.self).filter("magnitude == 3", 3) }
    }
  }

  /// A query that was asked with other arguments before answers, and prints itself, as one that was not.
  @Test func otherArgumentsGiveAnotherQuery() throws {
    let seed = testSeed()
    var random = Numbers(seed)
    let used = try Self.store(300)
    let filters = [
      "magnitude > %@ AND felt == %@", "magnitude <= %@ OR NOT felt != %@", "felt == $1 AND felt > $0 AND code != 'q7'",
      "code == %@ AND code BEGINSWITH %@", "code CONTAINS %@ OR code ENDSWITH[c] %@", "code LIKE %@ AND code >= %@",
      "time > %@ AND time < %@", "felt IN {%@, %@}", "felt BETWEEN {%@, %@} SORT(magnitude DESC, code ASC) LIMIT(4)",
      "%@ < magnitude AND place.name == %@", "ANY {1, 2} == %@ AND felt >= %@", "magnitude == %@ LIMIT(%@)",
      "felt + %@ > 3 AND magnitude != %@", "code MATCHES %@ OR code == %@",
      "(felt > %@ AND felt < 9) OR magnitude > %@",
    ]
    let numbers: [(any QueryArgument)?] = [1, 2, 3, 99, 2.0, 2.5, -0.0, Double.nan, Float(2.5), Int8(7), Int.max]
    let texts = ["q1", "Q2", "", "q*", "1%", "[", "2001-01-01"].map { $0 as (any QueryArgument)? }
    let others: [(any QueryArgument)?] = [
      nil, true, Date(timeIntervalSinceReferenceDate: 20), Date(timeIntervalSinceReferenceDate: 250), [1, 2], 1...3,
    ]
    let values = numbers + texts + others
    for _ in 0..<1_500 {
      let text = filters.randomElement(using: &random) ?? ""
      let arguments = Arguments((0..<2).map { _ in values.randomElement(using: &random) ?? nil })
      // One in which nothing was asked before.
      let fresh = Store(used.file)
      let expected = Result { try Self.told(fresh.objects("Quake").filter(text, arguments: arguments)) }
      let found = Result { try Self.told(used.objects("Quake").filter(text, arguments: arguments)) }
      switch (expected, found) {
      case (.success(let expected), .success(let found)): #expect(expected == found, "\(text) \(arguments)")
      case (.failure(let expected), .failure(let found)): #expect("\(expected)" == "\(found)", "\(text) \(arguments)")
      default: Issue.record("\(text) \(arguments): \(expected), \(found)")
      }
    }
  }

  /// Everything a query says.
  private static func told(_ results: DynamicResults) throws -> [String] {
    try [
      results.predicateFormat, "\(results.ids.map(\.rawValue))", "\(results.count)", results.explain().text,
      "\(results.warnings.map(\.message))",
    ]
  }

  /// As with filters: arguments by name, and statements.
  @Test func whatIsAskedAgainWithOtherNamedArgumentsAnswersTheSame() throws {
    let seed = testSeed()
    var random = Numbers(seed)
    let used = try Self.store(300)
    let filters = [
      "magnitude > $a AND felt == $b", "felt == $b AND (magnitude < $a OR code == $b)",
      "code == $a OR code BEGINSWITH $b",
      "magnitude BETWEEN {$a, $b} SORT(time DESC) LIMIT(3)", "$a < magnitude AND felt != $b", "code == $a",
      "code CONTAINS[c] $b AND time > $a",
    ]
    let statements = [
      "COUNT Quake WHERE magnitude > $a AND felt == $b",
      "Quake WHERE felt == $b OR magnitude == $a SORT BY time LIMIT 4",
      "Quake WHERE felt > $b GROUP BY felt HAVING @count > $a SELECT felt, @count AS n, @max.magnitude",
      "Quake WHERE code == $a SELECT code, magnitude + $b AS more", "EXPLAIN Quake WHERE magnitude < $a AND felt == $b",
      "Quake WHERE magnitude < $a LIMIT $b", "Quake WHERE code CONTAINS $a SORT BY magnitude + $b DESC LIMIT 2",
      "Quake WHERE nonsense == $a AND felt == $b",
    ]
    let values: [(any QueryArgument)?] = [
      1, 2, 3, 50, 2.5, "q1", "Q2", "", nil, true, Date(timeIntervalSinceReferenceDate: 9),
    ]
    for round in 0..<1_200 {
      let named = Arguments([
        "a": values.randomElement(using: &random) ?? nil, "b": values.randomElement(using: &random) ?? nil,
      ])
      let isFilter = round % 2 == 0
      let text = (isFilter ? filters : statements).randomElement(using: &random) ?? ""
      func told(_ store: Store) throws -> [String] {
        if isFilter { return try Self.told(store.objects("Quake").filter(text, arguments: named)) }
        switch try store.run(text, arguments: named) {
        case .objects(let results): return try Self.told(results)
        case .rows(let rows): return try ["\(rows.columns)", "\(rows.rows())"]
        case .count(let count): return ["\(count)"]
        case .explanation(let explanation): return [explanation.text]
        default: return []
        }
      }
      // One in which nothing was asked before.
      let fresh = Store(used.file)
      let (expected, found) = (Result { try told(fresh) }, Result { try told(used) })
      switch (expected, found) {
      case (.success(let expected), .success(let found)): #expect(expected == found, "\(text) \(named)")
      case (.failure(let expected), .failure(let found)): #expect("\(expected)" == "\(found)", "\(text) \(named)")
      default: Issue.record("\(text) \(named): \(expected), \(found)")
      }
      if round % 100 == 99 { try used.write { tx in _ = try tx.add(Quake("r\(round)", 50, felt: 2)) } }
    }
  }

  /// What was compiled is not compiled again: not even with other arguments, where they are of the same kinds. At most a
  /// plan is made for them, which is one step and one for each condition that is asked about a few clusters.
  @Test func askedAgainNothingIsBound() throws {
    let store = try Self.store()
    let quakes = try store.objects("Quake")
    func steps(_ body: () throws -> Void) throws -> Int { try StepCounter.count(body) ?? 0 }
    let filter = "magnitude > $least AND felt == $felt"
    #expect(try quakes.filter(filter, ["least": 3, "felt": 5]).count > 0)
    #expect(try steps { _ = try quakes.filter(filter, ["least": 90, "felt": 2]).count } <= 3)
    let text = "Quake WHERE magnitude > 7 AND felt == 2 SELECT code, magnitude"
    let syntax = try StatementParser.statement(text, defaultEntity: nil)
    func run(_ syntax: StatementSyntax, _ text: String) throws -> Int {
      switch try store.run(syntax, source: text) {
      case .rows(let rows): try rows.count
      case .count(let count): count
      default: -1
      }
    }
    let count = try run(syntax, text)
    #expect(try steps { _ = try run(syntax, text) } <= 3)
    let counting = "COUNT Quake WHERE magnitude > 7 AND felt == 2"
    let other = try StatementParser.statement(counting, defaultEntity: nil)
    #expect(try run(other, counting) == count)
    #expect(try steps { _ = try run(other, counting) } <= 3)
    // The same text with another tree is another statement.
    #expect(try run(try StatementParser.statement("COUNT Quake", defaultEntity: nil), counting) == 1_000)
  }

  @Test func whatOnlyLooksTheSameIsNot() throws {
    let store = try Store.inMemory(Quake.self)
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try store.write { tx in _ = try tx.add([Quake(composed, 0), Quake(decomposed, -0.0), Quake("x", .nan)]) }
    for _ in 0..<2 {
      #expect(try store.objects(Quake.self).filter("code == %@", composed).ids.map(\.number.rawValue) == [1])
      #expect(try store.objects(Quake.self).filter("code == %@", decomposed).ids.map(\.number.rawValue) == [2])
      #expect(try store.objects(Quake.self).filter("code == '\(composed)'").ids.map(\.number.rawValue) == [1])
      #expect(try store.objects(Quake.self).filter("code == '\(decomposed)'").ids.map(\.number.rawValue) == [2])
      #expect(try store.objects(Quake.self).filter("magnitude < %@", 0.0).predicateFormat == "magnitude < 0.0")
      #expect(try store.objects(Quake.self).filter("magnitude < %@", -0.0).predicateFormat == "magnitude < -0.0")
      #expect(try store.objects(Quake.self).filter("magnitude == %@", 0.0).count == 2)
      #expect(try store.objects(Quake.self).filter("magnitude == %@", Double.nan).count == 0)
    }
  }

  /// The shape that was asked for last is gone by only for the same text, over the same entity, with arguments of the same
  /// kinds.
  @Test func theShapeAskedForLastIsNotTakenForAnother() throws {
    let store = try Store.inMemory(Quake.self)
    var schema = try store.schema
    schema.entities.append(Entity(name: "Box", properties: [Property(name: "color", type: .scalar(.string))]))
    try store.declare(schema)
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try store.write { tx in
      _ = try tx.add([Quake(composed, 1), Quake(decomposed, 2), Quake("x", 3)])
    }
    func found(_ filter: String, _ arguments: (any QueryArgument)?...) throws -> [UInt64] {
      try store.objects("Quake").filter(filter, arguments: Arguments(arguments)).ids.map(\.rawValue)
    }
    for _ in 0..<3 {
      for _ in 0..<2 {
        #expect(try found("code == '\(composed)' AND magnitude > %@", 0.5) == [1])
        #expect(try found("code == '\(decomposed)' AND magnitude > %@", 0.5) == [2])
      }
      for _ in 0..<2 { #expect(try found("magnitude > %@", 1.5) == [2, 3]) }
      #expect(try found("magnitude > %@", 2) == [3])
      #expect(throws: QueryError.self) { try found("magnitude > %@", "two") }
      #expect(throws: QueryError.self) { try found("magnitude > %@", 1.5, 2.5) }
      #expect(throws: QueryError.self) { try found("magnitude > %@") }
      #expect(throws: QueryError.self) { try store.objects("Box").filter("magnitude > %@", 1.5) }
      #expect(try found("magnitude > %@", 2.5) == [3])
      #expect(
        try store.objects("Quake").filter("magnitude > $least", arguments: Arguments(["least": 1.5])).count == 2)
      #expect(try found("code == %@ AND magnitude > %@", "x", 2.5) == [3])
      #expect(try found("code == %@ AND magnitude > %@", nil, 2.5) == [])
      #expect(try found("code == %@ AND magnitude > %@", composed, 0.5) == [1])
      #expect(try found("code == %@ AND magnitude > %@", decomposed, 0.5) == [2])
    }
  }

  @Test func stepsAreToldApart() throws {
    let store = try Self.store(300)
    let quakes = try store.objects("Quake")
    for _ in 0..<2 {
      #expect(try quakes.sorted(by: "time").limit(1).ids == [ObjectNumber(1)])
      #expect(try quakes.sorted(by: "time", ascending: false).limit(1).ids == [ObjectNumber(300)])
      #expect(try quakes.distinct(by: "magnitude").count == 100)
      #expect(try quakes.filter("magnitude < 3").limit(4).count == 4)
      #expect(try quakes.filter("magnitude < 3").offset(4).count == 5)
      #expect(try quakes.limit(4).filter("magnitude < 3").count == 3)
      #expect(try quakes.filter("magnitude < 3").filter("felt == nil").count == 3)
      #expect(
        try quakes.filter("felt == nil").filter("magnitude < 3").predicateFormat == "felt == nil AND magnitude < 3")
    }
  }

  @Test func aNewSchemaIsLookedUpAgain() throws {
    let store = try Self.store()
    let count = { try store.objects("Quake").filter("magnitude == 5").count }
    #expect(try count() == 10)
    var schema = try store.schema
    let quake = try #require(schema.entities.firstIndex { $0.name == "Quake" })
    schema.entities[quake].indexes = [Index(paths: ["magnitude"])]
    try store.declare(schema)
    #expect(try count() == 10)
    #expect(try store.objects("Quake").filter("magnitude == 5").explain().text.contains("index magnitude"))
    let statement = { if case .count(let n) = try store.run("COUNT Quake WHERE magnitude == 5") { n } else { -1 } }
    #expect(try statement() == 10)
    schema.entities[quake].indexes = []
    try store.declare(schema, removing: ["@indexed Quake.magnitude"])
    #expect(try count() == 10)
    #expect(try statement() == 10)
    schema.entities[quake].properties.removeAll { $0.name == "magnitude" }
    try store.declare(schema, removing: ["Quake.magnitude"])
    #expect(throws: QueryError.self) { try count() }
    #expect(throws: QueryError.self) { try statement() }
    schema.entities[quake].properties.append(Property(name: "magnitude", type: .scalar(.string), isOptional: true))
    try store.declare(schema)
    #expect(throws: QueryError.self) { try count() }
    #expect(try store.objects("Quake").filter("magnitude == nil").count == 1_000)
  }

  /// Keys that are too long to be kept whole must be asked again, and were not while there were none.
  @Test func longTextsThatComeLaterAreFound() throws {
    let store = try Store.inMemory(Quake.self)
    let long = String(repeating: "a", count: 600)
    try store.write { tx in _ = try tx.add([Quake("short", 1)]) }
    let count = { (code: String) in try store.objects(Quake.self).filter("code == %@", code).count }
    #expect(try count(long) == 0)
    try store.write { tx in _ = try tx.add([Quake(long, 2), Quake(long + "b", 3)]) }
    #expect(try count(long) == 1)
    #expect(try count(long + "b") == 1)
    #expect(try count(long + "c") == 0)
    #expect(try count("short") == 1)
  }

  @Test func writesAreSeen() throws {
    let store = try Self.store(200)
    let count = { try store.objects(Quake.self).filter("magnitude == 5").count }
    #expect(try count() == 2)
    try store.write { tx in
      #expect(try tx.objects(Quake.self).filter("magnitude == 5").count == 2)
      _ = try tx.add(Quake("new", 5))
      #expect(try tx.objects(Quake.self).filter("magnitude == 5").count == 3)
      #expect(try count() == 3)
      _ = try tx.add(Quake("newer", 5))
      #expect(try tx.objects(Quake.self).filter("magnitude == 5").count == 4)
    }
    #expect(try count() == 4)
    struct Undone: Error {}
    #expect(throws: Undone.self) {
      try store.write { tx in
        _ = try tx.add(Quake("newest", 5))
        #expect(try tx.objects(Quake.self).filter("magnitude == 5").count == 5)
        throw Undone()
      }
    }
    #expect(try count() == 4)
    _ = try store.write { tx in try tx.add(Quake("other", 5)) }
    #expect(try count() == 5)
  }

  @Test func nowIsAlwaysNow() throws {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in
      _ = try tx.add(Quake("soon", 1, at: Date.now.timeIntervalSinceReferenceDate + 0.2))
    }
    let count = { try store.objects(Quake.self).filter("time < now()").count }
    #expect(try count() == 0)
    Thread.sleep(forTimeInterval: 0.3)
    #expect(try count() == 1)
  }

  @Test func cancellationIsOfOneQueryOnly() throws {
    let store = try Self.store()
    let cancelled = Cancellation()
    cancelled.cancel()
    let query = try store.objects(Quake.self).filter("felt == 3 AND magnitude > 5")
    let count = try query.count
    for _ in 0..<2 {
      #expect(throws: QueryCancelled.self) {
        try store.objects(Quake.self).filter("felt == 3 AND magnitude > 5").cancellable(by: cancelled).count
      }
      #expect(try store.objects(Quake.self).filter("felt == 3 AND magnitude > 5").count == count)
    }
  }

  @Test func notEverythingIsKept() throws {
    let store = try Self.store(10)
    for number in 0..<2_000 { _ = try store.objects(Quake.self).filter("felt == %@", number).count }
    // What was asked once may never be asked again.
    #expect(store.queries.count < 10)
    for number in 0..<2_000 {
      for _ in 0..<2 { _ = try store.objects(Quake.self).filter("felt == %@", number).count }
    }
    #expect(store.queries.count <= 2 * QueryCache.capacity)
    #expect(store.queries.count >= QueryCache.capacity)
    let before = store.queries.count
    let many = Array(0..<5_000)
    #expect(try store.objects(Quake.self).filter("magnitude IN %@", many).count == 10)
    #expect(store.queries.count == before)
  }

  @Test func manyThreadsAskTheSame() throws {
    let store = try Self.store()
    let wrong = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      for round in 0..<200 {
        let magnitude = (round * 7 + worker) % 100
        do {
          let count = try store.objects(Quake.self).filter("magnitude == %@ AND felt != 9", magnitude).count
          let same = try store.objects(Quake.self).filter("magnitude BETWEEN {5, 6}").count
          if count != 10 || same != 20 { wrong.withLock { $0 += 1 } }
          if worker == 0, round % 20 == 0 {
            try store.write { tx in _ = try tx.add(Quake("new \(round)", 1_000)) }
          }
        } catch { wrong.withLock { $0 += 1 } }
      }
    }
    #expect(wrong.withLock { $0 } == 0)
  }
}
