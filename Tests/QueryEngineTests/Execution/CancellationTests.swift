import PredicateLanguage
import Storage
import Testing
import Values

@testable import QueryEngine

/// Every query looks now and then whether it is still wanted, whatever it is at: told so at any time, it ends, and the
/// store is as good as before.
@Suite struct CancellationTests {
  private static let tasks = 1_500
  private static let works = Result { try Works(seed: 5, people: 120, tasks: tasks, projects: 150) }

  /// How often a query asked whether to go on, and after how many times it is told not to.
  private final class Caller: @unchecked Sendable {
    var asked = 0
    var limit = Int.max

    func hasEnough() -> Bool {
      asked += 1
      return asked > limit
    }
  }

  /// Queries, each with one that does the same but for one thing, which takes a step for as many objects.
  private static let queries: [(entity: String, text: String, without: String?, steps: Int)] = [
    ("Task", "title LIKE '*7'", nil, tasks), ("Task", "title MATCHES 't[0-9]+'", nil, tasks),
    ("Task", "uppercase(title) == 'T7'", nil, tasks), ("Task", "ANY labels == 'l3'", nil, tasks),
    ("Task", "priority > 2 AND isComplete", nil, tasks), ("Task", "priority * 2 > estimate", nil, tasks),
    ("Task", "assignee.age == 3", nil, 120), ("Task", "assignee.age > 3 AND priority == 5", nil, 120),
    ("Project", "ANY tasks.priority > 9", nil, 150), ("Project", "tasks.@avg.priority > 5", nil, 150),
    ("Person", "tasks.@avg.priority > 5", nil, 120), ("Person", "tasks.projects.@count > 3", nil, 120),
    ("Project", "SUBQUERY(tasks, $t, $t.priority > lead.age).@count > 0", nil, 150),
    ("Project", "SUBQUERY(tasks, $t, ANY $t.blockers.title == $t.title).@count > 0", nil, 150),
    ("Task", "priority > 0 SORT(title)", "priority > 0", tasks),
    ("Task", "priority > 0 SORT(title, estimate DESC)", "priority > 0 SORT(estimate DESC)", tasks),
    ("Task", "priority > 0 SORT(uppercase(title))", "priority > 0", tasks),
    ("Task", "priority > 0 SORT(assignee.name DESC, title)", "priority > 0", tasks),
    ("Task", "priority > 0 SORT(priority)", "priority > 0", 0), ("Task", "SORT(title) LIMIT(5)", nil, tasks),
    ("Task", "SORT(estimate) LIMIT(700)", nil, tasks), ("Task", "DISTINCT(title, priority)", nil, tasks),
    ("Task", "SORT(title) DISTINCT(priority, estimate)", "SORT(title)", tasks),
    ("Task", "DISTINCT(uppercase(title), assignee.name)", nil, tasks), ("Task", "priority IN {2, 3}", nil, 0),
    ("Task", "SORT(title) LIMIT(1400) DISTINCT(title) SORT(priority)", "SORT(title) LIMIT(1400)", tasks),
  ].map {
    (
      $0.0, $0.1.hasPrefix("SORT") || $0.1.hasPrefix("DISTINCT") ? "TRUEPREDICATE " + $0.1 : $0.1,
      $0.2.map { $0.hasPrefix("SORT") ? "TRUEPREDICATE " + $0 : $0 }, $0.3
    )
  }

  /// Runs `body` until it is told to stop at all kinds of moments; how often it asked when it was not.
  private func stopped(_ caller: Caller, _ what: String, _ body: () throws -> [[Value]]) throws -> Int {
    // What the store remembers of earlier runs changes how often is asked.
    caller.limit = .max
    _ = try body()
    _ = try body()
    caller.asked = 0
    let expected = try body()
    let all = caller.asked
    #expect(all > 0, "\(what) never asks")
    for limit in Set([0, all / 3, all * 2 / 3, all - 1]) where 0..<all ~= limit {
      (caller.asked, caller.limit) = (0, limit)
      #expect(throws: QueryCancelled.self, "\(what), stopped after \(limit) of \(all)") { try body() }
      // A scan within a scan asks again at each level on its way out.
      #expect(caller.asked <= limit + 3, "\(what) goes on though stopped after \(limit) of \(all)")
    }
    caller.limit = .max
    // NaN is not equal to itself.
    #expect("\(try body())" == "\(expected)", "\(what), after it was stopped")
    return all
  }

  @Test func everyPlanIsStopped() throws {
    let works = try Self.works.get()
    let snapshot = try works.file.beginSnapshot()
    for (entity, text, without, steps) in Self.queries {
      for links in LinkAccess.allCases {
        let query = try works.compile(entity, text)
        for number in 0..<(try query.planCount(in: snapshot)) {
          func asked(_ text: String) throws -> Int {
            let caller = Caller()
            var options = PlannerOptions(
              access: .enumerated(number), links: links, isCancelled: { caller.hasEnough() })
            options.threads = .one
            let query = try works.compile(entity, text)
            return try stopped(caller, "\(text), plan \(number), \(links)") {
              let plan = try query.plan(in: snapshot, options: options)
              let objects = try plan.objects(in: snapshot)
              return [objects.map { .int(Int64($0.rawValue)) }, [.int(Int64(try plan.count(in: snapshot)))]]
            }
          }
          let all = try asked(text)
          // The first plan is the scan, of both.
          if number > 0 { continue }
          let other = try without.map(asked) ?? 0
          #expect(all - other >= (steps + 4095) / 4096, "\(text), plan \(number), \(links): \(all) and \(other)")
        }
      }
    }
  }

  /// One object with thousands of others is not one step.
  @Test(arguments: [
    "name == 'j77' AND SUBQUERY(tasks, $t, ANY $t.blockers.title == name).@count > 0",
    "name == 'j77' AND SUBQUERY(tasks, $t, ANY tasks.title != $t.title).@count > 0",
    "name == 'j77' AND ALL tasks.title != name", "name == 'j77' AND tasks.@count == median(tasks.priority)",
  ])
  func aLongListIsStopped(_ text: String) throws {
    let works = try Self.works.get()
    let snapshot = try works.file.beginSnapshot()
    let caller = Caller()
    let options = PlannerOptions(access: .scanOnly, links: .rows, isCancelled: { caller.hasEnough() })
    let query = try works.compile("Project", text)
    let without = try stopped(caller, "name") {
      [
        try works.compile("Project", "name == 'j77'").plan(in: snapshot, options: options).objects(in: snapshot)
          .map { .int(Int64($0.rawValue)) }
      ]
    }
    let all = try stopped(caller, text) {
      [try query.plan(in: snapshot, options: options).objects(in: snapshot).map { .int(Int64($0.rawValue)) }]
    }
    #expect(all - without >= 1, "\(all) and \(without)")
  }

  /// Statements with hundreds of expressions, of which each takes its time for each row.
  private static let wide = (0..<300).map { "priority + \($0)" }.joined(separator: ", ")
  private static let wideCounts = (0..<300).map { "@count + \($0)" }.joined(separator: ", ")

  /// Statements, and how many steps they take at least.
  private static let rows: [(text: String, steps: Int)] = [
    ("Task GROUP BY title SELECT title, @count, @avg.estimate", tasks),
    ("Task GROUP BY assignee.name SELECT assignee.name, @max.assignee.age, @min.assignee.boss.name", tasks),
    ("Task GROUP BY title, estimate, priority, assignee HAVING @count > 0 SORT BY @count DESC", tasks * 3),
    ("Task GROUP BY uppercase(title), priority SELECT @count DISTINCT @count", tasks),
    ("Task WHERE priority > 2 GROUP BY assignee.age, priority SELECT @count", tasks),
    ("Task SELECT title, assignee.boss.home.city.name", tasks), ("Task SECTIONS BY assignee.name", tasks),
    ("Project SELECT name, SUBQUERY(tasks, $t, $t.assignee.age > lead.age).@count", 150),
    ("Task SELECT \(wide)", 300 * tasks), ("Project GROUP BY name SELECT \(wideCounts)", 300 * 150),
  ]

  @Test(arguments: rows)
  func rowsAreStopped(_ text: String, steps: Int) throws {
    let works = try Self.works.get()
    let snapshot = try works.file.beginSnapshot()
    for links in LinkAccess.allCases {
      let caller = Caller()
      var options = PlannerOptions(access: .scanOnly, links: links, isCancelled: { caller.hasEnough() })
      options.threads = .one
      let rows = try LinkedRowsTests.compiled(text, snapshot)
      let all = try stopped(caller, "\(text), \(links)") {
        let found = try rows.plan(in: snapshot, options: options).found(in: snapshot)
        var values: [[Value]] = []
        if rows.objects.rows.section != nil {
          return try found.sections().map { [$0.key, .int(Int64($0.rows.count))] }
        }
        try found.forEach {
          values.append($0)
          return true
        }
        return values
      }
      #expect(all >= (steps + 4095) / 4096, "\(text), \(links): \(all)")
    }
  }

  @Test(
    arguments: [AggregateFunction.minimum, .maximum, .sum, .average],
    ["priority > 2", "TRUEPREDICATE", "estimate != nil"])
  func aggregatesAreStopped(_ aggregate: AggregateFunction, _ text: String) throws {
    let works = try Self.works.get()
    let snapshot = try works.file.beginSnapshot()
    let caller = Caller()
    let options = PlannerOptions(access: .scanOnly, isCancelled: { caller.hasEnough() })
    let query = try works.compile("Task", text)
    let column = try #require(query.entity.column(at: "estimate"))
    let plan = try query.plan(in: snapshot, options: options)
    // What the directories of clusters say is there at once.
    if text == "TRUEPREDICATE", aggregate == .minimum || aggregate == .maximum { return }
    _ = try stopped(caller, "\(aggregate) of \(text)") {
      [[try plan.aggregate(aggregate, column: column, in: snapshot)]]
    }
  }

  /// What UPDATE sets is worked out for all objects before any is changed.
  @Test func assignmentsAreStopped() throws {
    let works = try Self.works.get()
    let snapshot = try works.file.beginSnapshot()
    guard
      case .update(_, let assignments) = try StatementParser.statement(
        "UPDATE Task SET priority = SUBQUERY(blockers, $b, $b.title != title).@count")
    else { return }
    let entity = try #require(snapshot.schema.entity(named: "Task"))
    let changes = try CompiledAssignments(
      assignments, context: SourceContext(source: ""), entity: entity, in: snapshot,
      structs: { _, _ in CompiledAssignments.WrittenStruct(values: [], mistakes: []) })
    let objects = try works.compile("Task", "TRUEPREDICATE").plan(in: snapshot).objects(in: snapshot)
    let caller = Caller()
    let all = try stopped(caller, "UPDATE") {
      try changes.changes(of: objects, in: snapshot) { caller.hasEnough() }.map { $0.map(\.value) }
    }
    #expect(all >= 2)
  }

  /// A scan on several threads ends on all of them.
  @Test func scansOnSeveralThreadsAreStopped() throws {
    let works = try Self.works.get()
    let snapshot = try works.file.beginSnapshot()
    for text in ["uppercase(title) == 'T7'", "SUBQUERY(labels, $l, $l != title).@count > 0"] {
      let caller = Caller()
      var options = PlannerOptions(access: .scanOnly, isCancelled: { caller.asked >= caller.limit })
      options.threads = .always(3)
      let query = try works.compile("Task", text)
      for _ in 0..<3 { _ = try query.plan(in: snapshot, options: options).count(in: snapshot) }
      caller.limit = 0
      #expect(throws: QueryCancelled.self) {
        try query.plan(in: snapshot, options: options).count(in: snapshot)
      }
    }
  }
}
