import PredicateLanguage
import Storage
import Testing
import Values

@testable import QueryEngine

/// Conditions over linked objects, asked object by object and a set at a time.
@Suite struct LinkPlanTests {
  /// Queries with what the plan a set at a time says of itself.
  static let queries: [(entity: String, text: String, words: String)] = [
    ("Task", "assignee.age > 70", "Targets"), ("Task", "assignee.age == nil", "Targets"),
    ("Task", "NOT assignee.age > 20", "Targets"), ("Task", "assignee.name BEGINSWITH 'p1'", "Targets"),
    ("Task", "assignee.boss.boss.age < 9", "Targets"), ("Task", "assignee.home.city.size == 3", "Targets"),
    ("Task", "assignee.age + assignee.boss.age > 120", "Targets"), ("Task", "assignee.age > priority * 7", "Gather"),
    ("Task", "assignee.home.street == 's1' AND priority > 4", "Targets"), ("Task", "assignee == 'p7'", "Targets"),
    ("Task", "assignee.age BETWEEN {10, 20}", "Targets"), ("Task", "assignee.age IN {3, nil}", "Targets"),
    ("Person", "boss.home.city == home.city", ""), ("Person", "boss == boss.boss.boss", "Targets"),
    ("Project", "ANY tasks.priority > 9", "Targets"), ("Project", "ALL tasks.priority > 2", "Targets"),
    ("Project", "NONE tasks.priority == 5", "Targets"), ("Project", "ANY tasks.title == 't7'", "Targets"),
    ("Project", "ANY tasks.assignee.age > 78", "Targets"), ("Project", "ANY tasks.assignee == nil", "Targets"),
    ("Project", "ANY tasks.labels == 'l5'", "Targets"),
    ("Project", "ALL tasks.labels IN {'l1', 'l2', 'l3'}", "Targets"),
    ("Project", "ANY tasks.blockers.priority == 10", "Targets"),
    ("Project", "ALL tasks.blockers.assignee.age < 60", "Targets"),
    ("Project", "ANY tasks.priority > 8 AND ANY tasks.estimate < 2 AND NONE tasks.title == 't7'", "Targets"),
    ("Project", "ANY tasks.priority > 9 OR (ALL tasks.estimate < 9 AND ANY tasks.isComplete)", "Targets"),
    ("Project", "tasks.title CONTAINS '9'", "Targets"), ("Project", "ANY tasks == object('Task', 5)", "Targets"),
    ("Project", "parent.lead.age > 40 OR ANY tasks.priority > 9", "Targets"),
    ("Project", "ANY parent.tasks.priority > 9", "Targets"), ("Project", "ALL parent.tasks.isComplete", "Targets"),
    ("Project", "ANY tasks.priority > lead.age", "Gather"), ("Project", "tasks.@count > 5", ""),
    ("Project", "tasks.@avg.priority > 5", "Gather"), ("Project", "tasks.@sum.priority > 30", "Gather"),
    ("Project", "tasks.@max.estimate > 9.5", "Gather"), ("Project", "tasks.@min.estimate == nil", ""),
    ("Project", "tasks.@avg.estimate BETWEEN {3, 5}", "Gather"), ("Project", "tasks.@sum.assignee.age > 200", "Gather"),
    ("Project", "tasks.blockers.@count > 12", "Gather"),
    ("Project", "tasks.@sum.estimate / tasks.@count > 5.5", "Gather"),
    ("Project", "parent.tasks.@avg.priority > 6", "Targets"), ("Project", "tasks.@avg.priority != 5", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, $t.isComplete == FALSE AND $t.priority > 6).@count > 2", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, $t.isComplete).@sum.priority > 20", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, $t.isComplete).@count * 2 > tasks.@count", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, $t.assignee == lead).@count > 0", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, SUBQUERY($t.blockers, $b, $b.priority > 8).@count > 0).@count > 3", "Gather"),
    ("Project", "ANY SUBQUERY(tasks, $t, $t.priority > 4).title == 't3'", "Targets"),
    ("Project", "name == 'j77' AND ANY tasks.priority > 9", "Targets"),
    ("Project", "ANY tasks.priority > 9 SORT(tasks.@avg.priority DESC, name) LIMIT(20)", "Targets"),
    ("Task", "assignee == object('Person', 9)", ""), ("Task", "assignee IN {object('Person', 9), nil}", ""),
    ("Project", "object('Task', 5) IN tasks AND name != 'j3'", "Targets"),
    ("Project", "ANY tasks IN {object('Task', 5), object('Task', 900), nil}", "Targets"),
    ("Task", "isComplete SORT(assignee.age DESC) LIMIT(30)", ""),
  ]

  /// The same about conditions that also name the object asked about, and about several links.
  static let routes: [(entity: String, text: String, words: String)] = [
    ("Project", "SUBQUERY(tasks, $t, $t.isComplete == FALSE AND $t.priority > lead.age / 8).@count > 1", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, $t.isComplete == FALSE AND $t.priority <= lead.age).@count == 0", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, $t.isComplete AND $t.assignee != lead).@sum.priority > 20", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, NOT lead.age >= $t.assignee.age).@max.estimate > 5", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, $t.estimate > tasks.@avg.estimate * 1.5).@count > 1", "each compared"),
    ("Project", "ANY tasks.priority > tasks.@max.blockers.priority", ""),
    ("Project", "ANY tasks.estimate > tasks.@avg.estimate", "each compared"),
    (
      "Project", "SUBQUERY(tasks, $t, $t.estimate > SUBQUERY(tasks, $u, $u.isComplete).@avg.estimate).@count > 2",
      "each compared"
    ),
    (
      "Project", "SUBQUERY(tasks, $t, $t.priority > SUBQUERY(tasks, $u, $u.priority < $t.priority).@count).@count > 2",
      ""
    ),
    ("Project", "SUBQUERY(tasks, $t, $t.isComplete AND $t.title != name).@count > 1", "Elements"),
    (
      "Project", "SUBQUERY(tasks, $t, $t.priority > 3 AND $t.title != name AND $t.assignee == lead).@count > 0",
      "Elements"
    ),
    ("Project", "SUBQUERY(tasks, $t, $t.priority > 3 AND $t.title != name).@count > tasks.@count / 2", "Elements"),
    ("Project", "ALL SUBQUERY(tasks, $t, $t.priority > 3 AND $t.title != name).labels != 'l3'", "Elements"),
    ("Project", "SUBQUERY(tasks.assignee, $p, $p.age == nil AND $p.name != name).@count > 0", "Elements"),
    (
      "Project",
      "SUBQUERY(tasks, $t, SUBQUERY($t.blockers, $b, $b.isComplete AND $b.title != name).@count > 0).@count > 1",
      "Elements"
    ),
    ("Project", "SUBQUERY(tasks, $t, $t.priority > 6 AND ANY $t.blockers.assignee == lead).@count > 0", "Elements"),
    ("Project", "SUBQUERY(tasks.blockers, $b, $b.priority > 6).@avg.estimate > 4", "Gather"),
    ("Project", "SUBQUERY(tasks, $t, $t.isComplete).blockers.@sum.priority > 20", "Gather"),
    ("Project", "tasks.blockers.@min.estimate < 1", "Gather"), ("Project", "tasks.labels.@count > 7", "Gather"),
    ("Project", "tasks.assignee.boss.tasks.@count > 40", "Gather"),
    ("Project", "ANY tasks.assignee.tasks.priority > lead.age", "Gather"),
    ("Project", "ALL tasks.priority < lead.age", ""),
    ("Project", "SUBQUERY(tasks, $t, $t.priority > lead.age / 8).assignee.@sum.age > 60", ""),
    ("Project", "SUBQUERY(tasks, $t, $t.priority > lead.age / 8).assignee.@max.age >= 50", ""),
    ("Project", "SUBQUERY(tasks, $t, $t.priority > lead.age / 8).projects.@count > 3", ""),
    ("Project", "NONE lead.tasks.projects == SELF", "Gather"),
    ("Project", "NONE parent.tasks.assignee == lead", "Gather"), ("Project", "parent.tasks.@count == 0", "Targets"),
    ("Project", "parent.tasks.@sum.priority > 30", "Targets"), ("Person", "tasks.@avg.priority > 5", "Gather"),
    ("Person", "@links.Task.assignee.@max.estimate > 9", "Gather"), ("Person", "tasks.projects.@count > 3", "Gather"),
    ("Person", "tasks.projects.tasks.@avg.estimate > 5", "Gather"), ("Person", "tasks.@count > 6", "Gather"),
    ("Task", "projects.lead.@count > 2", "Gather"), ("Task", "projects.lead.@avg.age > 40", "Gather"),
    ("Task", "projects.lead.tasks.@count > projects.@count * 5", "Gather"), ("Person", "boss.boss == SELF", ""),
    ("Person", "SUBQUERY(tasks, $t, $t.priority > age / 10).@count > 2", "Gather"),
    ("Person", "age > 20 SORT(tasks.projects.@count DESC, name) LIMIT(30)", ""),
    ("Task", "assignee.age > 20 AND assignee.name != 'p7'", "Targets"),
    ("Task", "assignee.age > 70 OR assignee.boss.age > 70 OR assignee.home.street == 's1'", "Targets"),
    ("Task", "isComplete SORT(assignee.name DESC, title) LIMIT(30)", "Gather"),
    ("Task", "isComplete SORT(assignee.home.street, assignee.age DESC)", "Gather"),
    ("Task", "priority > 2 SORT(assignee.home.city.name DESC)", "Gather"),
    ("Task", "TRUEPREDICATE DISTINCT(assignee.home.street)", "Gather"),
    ("Task", "TRUEPREDICATE DISTINCT(assignee.boss.age)", "Gather"),
    ("Task", "TRUEPREDICATE SORT(title) DISTINCT(assignee.home.street, priority, assignee.age)", "Gather"),
    ("Task", "TRUEPREDICATE SORT(title) LIMIT(90) DISTINCT(assignee.boss.name, assignee.home.city.size)", "Gather"),
    ("Task", "priority > 2 DISTINCT(assignee.home.city.name, assignee.home.street)", "Gather"),
  ]

  @Test func everyWayFindsTheSame() throws {
    try expectSame(Self.queries, in: try Works(seed: 7, people: 300, tasks: 1_500, projects: 700))
  }

  @Test func everyRouteLeadsToTheSame() throws {
    try expectSame(Self.routes, in: try Works(seed: 8, people: 60, tasks: 300, projects: 150))
  }

  /// Numbers that begin high and lie far apart are no reason for sets as large.
  @Test(arguments: [3_000_000, 200_000_000_000] as [Int64]) func scatteredNumbersAreNoHindrance(gap: Int64) throws {
    try expectSame(Self.queries, in: try Works(seed: 7, people: 300, tasks: 700, projects: 300, gap: gap))
    try expectSame(Self.routes, in: try Works(seed: 8, people: 60, tasks: 300, projects: 150, gap: gap))
  }

  private func expectSame(_ queries: [(entity: String, text: String, words: String)], in works: Works) throws {
    let snapshot = try works.file.beginSnapshot()
    for (entity, text, words) in queries {
      let query = try works.compile(entity, text)
      let rows = try query.plan(in: snapshot, options: PlannerOptions(access: .scanOnly, links: .rows))
      let expected = try rows.objects(in: snapshot)
      for links in LinkAccess.allCases {
        for number in 0..<(try query.planCount(in: snapshot)) {
          let options = PlannerOptions(access: .enumerated(number), links: links)
          let plan = try query.plan(in: snapshot, options: options)
          let found = try plan.objects(in: snapshot)
          #expect(found == expected, "\(text), plan \(number), \(links)\n\(plan.explanation.text)")
          #expect(try plan.count(in: snapshot) == expected.count, "\(text), plan \(number), \(links)")
        }
      }
      let plan = try query.plan(in: snapshot, options: PlannerOptions(access: .scanOnly, links: .sets))
      #expect(words.isEmpty || plan.explanation.text.contains(words), "\(text)\n\(plan.explanation.text)")
    }
  }

  /// What EXPLAIN shows of conditions over linked objects: `Goldens/links.txt`. A line begins with the entity.
  @Test func plansAreExplained() throws {
    let works = try Works(seed: 7, people: 300, tasks: 1_500, projects: 700)
    let snapshot = try works.file.beginSnapshot()
    try GoldenScript.run("links") { line in
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      do {
        let plan = try works.compile(parts[0], parts[1]).plan(in: snapshot)
        return plan.explanation.text + "\n" + plan.explanation.json
      } catch {
        return "\(error)"
      }
    }
  }

  @Test func analyzeCountsLinkedObjects() throws {
    let works = try Works(seed: 7, people: 300, tasks: 1_500, projects: 700)
    let snapshot = try works.file.beginSnapshot()
    let options = PlannerOptions(access: .scanOnly, links: .sets)
    let plan = try works.compile("Project", "ANY tasks.priority > 9").plan(in: snapshot, options: options)
    let targets = try works.compile("Task", "priority > 9").plan(in: snapshot).count(in: snapshot)
    let lines = try plan.analyze(in: snapshot).text.split(separator: "\n")
    #expect(lines.contains { $0.contains("Targets") && $0.contains("actual \(targets)") }, "\(lines)")
  }

  /// How often a query asked whether to go on, and when it is told not to.
  private final class CancellationCheck: @unchecked Sendable {
    var asked = 0
    var limit = Int.max

    func isAtItsEnd() -> Bool {
      asked += 1
      return asked > limit
    }
  }

  @Test(arguments: [
    ("Project", "ANY tasks.priority > 9"), ("Project", "tasks.@avg.priority > 5"),
    ("Person", "tasks.@avg.priority > 5"),
    ("Person", "tasks.projects.@count > 3"), ("Project", "SUBQUERY(tasks, $t, $t.priority > lead.age).@count > 0"),
  ])
  func findingLinkedObjectsIsCancelled(entity: String, text: String) throws {
    let works = try Works(seed: 7, people: 300, tasks: 1_500, projects: 700)
    let snapshot = try works.file.beginSnapshot()
    let cancellation = CancellationCheck()
    let options = PlannerOptions(access: .scanOnly, links: .sets, isCancelled: { cancellation.isAtItsEnd() })
    let plan = try works.compile(entity, text).plan(in: snapshot, options: options)
    cancellation.asked = 0
    _ = try plan.count(in: snapshot)
    let all = cancellation.asked
    // Once for each cluster of both entities at least.
    #expect(all > (1_500 + 300) / 256)
    for limit in 0..<min(all, 20) {
      (cancellation.asked, cancellation.limit) = (0, limit)
      #expect(throws: QueryCancelled.self) { try plan.count(in: snapshot) }
    }
  }

  /// What is found is found in the snapshot that asks: a plan keeps nothing of another.
  @Test func setsAreFoundAnewForEveryExecution() throws {
    let works = try Works()
    let options = PlannerOptions(links: .sets)
    let before = try works.file.beginSnapshot()
    let plan = try works.compile("Project", "ANY tasks.priority > 9").plan(in: before, options: options)
    #expect(try plan.count(in: before) == 1)
    try works.file.write { session in
      guard let task = session.schema.entity(named: "Task") else { return }
      try session.update(ObjectNumber(3), of: task, [(task.column(at: "priority") ?? 0, .int(10))])
    }
    #expect(try plan.count(in: before) == 1)
    #expect(try works.numbers("Project", "ANY tasks.priority > 9") == [1, 2, 4])
  }
}
