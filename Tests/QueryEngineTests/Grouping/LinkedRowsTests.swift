import PredicateLanguage
import Storage
import Testing
import Values

@testable import QueryEngine

/// Rows and groups made of what objects link to, asked object by object and gathered once.
@Suite struct LinkedRowsTests {
  private func rows(_ text: String, in works: Works, _ links: LinkAccess = .cheapest) throws -> [[Value]] {
    let snapshot = try works.file.beginSnapshot()
    var found: [[Value]] = []
    try Self.compiled(text, snapshot).plan(in: snapshot, options: PlannerOptions(links: links)).found(in: snapshot)
      .forEach {
        found.append($0)
        return true
      }
    return found
  }

  static func compiled(_ text: String, _ snapshot: Snapshot) throws -> CompiledRows {
    guard case .select(let select)? = try? StatementParser.statement(text) else { throw NoRows(text: text) }
    let context = SourceContext(source: text)
    var objects = QueryDescription(entity: select.entity?.text ?? "")
    try objects.append(select.filter, context)
    let rows = RowDescription(
      select: select.select, groupBy: select.groupBy, having: select.having, sortBy: select.sortBy,
      distinct: select.distinct, sectionsBy: select.sectionsBy, context: context)
    return try CompiledRows(objects, rows, schema: snapshot.schema)
  }

  struct NoRows: Error { let text: String }

  @Test(arguments: [
    "Task GROUP BY assignee.name", "Task GROUP BY assignee.age SELECT assignee.age, @count, @avg.priority",
    "Task WHERE priority > 3 GROUP BY assignee.home.street SELECT assignee.home.street, @count, @avg.assignee.age",
    "Task GROUP BY assignee.home.city.name, isComplete SELECT assignee.home.city.name, @max.assignee.boss.age, @count",
    "Task GROUP BY isComplete SELECT isComplete, @sum.assignee.age, @min.assignee.name, @max.assignee.home.city.size",
    "Task GROUP BY assignee.home.street SELECT @distinctUnionOfObjects.assignee.age.@count HAVING @count > 20",
    "Project GROUP BY lead.boss.home.street SELECT lead.boss.home.street, @count SORT BY @count DESC",
    "Project GROUP BY lead.home.city SELECT lead.home.city, @count",
  ])
  func groupsAreTheSameHoweverTheyAreMade(text: String) throws {
    let works = try Works(seed: 11, people: 90, tasks: 700, projects: 300)
    let expected = try rows(text, in: works, .rows)
    #expect(expected.count > 1)
    for links in LinkAccess.allCases { #expect(try rows(text, in: works, links) == expected, "\(links)") }
  }

  @Test(arguments: [
    "Task SELECT title, assignee.name, assignee.age, assignee.home.city.size, assignee.boss.home.street",
    "Task WHERE priority > 3 SORT BY assignee.age DESC SELECT assignee, assignee.boss, assignee.boss.boss.name",
    "Project SELECT name, lead.home, lead.home.city, parent.parent.name, lead.tasks.@count",
    "Task SECTIONS BY assignee.home.street SELECT title", "Task SELECT assignee.age + 1, assignee.age LIMIT 5",
  ])
  func rowsShowTheSameHoweverTheyAreMade(text: String) throws {
    let works = try Works(seed: 12, people: 20, tasks: 700, projects: 300)
    let expected = try rows(text, in: works, .rows)
    #expect(expected.count > 1)
    for links in LinkAccess.allCases { #expect(try rows(text, in: works, links) == expected, "\(links)") }
  }

  @Test func groupsByTextsOfLinkedObjectsAreNamed() throws {
    let works = try Works()
    let expected: [[Value]] = [
      [.string("Alex"), .int(2)], [.string("Bo"), .int(1)], [.null, .int(1)], [.string("Cy"), .int(1)],
    ]
    for links in LinkAccess.allCases {
      #expect(try rows("Task GROUP BY assignee.name", in: works, links) == expected, "\(links)")
    }
  }

  /// One result over what all objects of the group have, not one over the results of each.
  @Test func aggregatesOfGroupsTakePathsThroughCollections() throws {
    let works = try Works()
    for links in LinkAccess.allCases {
      let people = "Person SELECT @sum.tasks.priority, @avg.tasks.priority, @max.tasks.title, @min.tasks.estimate"
      #expect(
        try rows(people, in: works, links) == [[.int(17), .double(4.25), .string("sew"), .double(0.5)]], "\(links)")
      let tasks = "Task SELECT @max.labels, @distinctUnionOfObjects.labels, @distinctUnionOfObjects.labels.@count"
      let labels = Value.list(["a", "b", "c"].map(Value.string))
      #expect(try rows(tasks, in: works, links) == [[.string("c"), labels, .int(3)]], "\(links)")
      let projects =
        "Project GROUP BY lead.age SELECT @sum.tasks.priority, @avg.tasks.blockers.priority HAVING @max.tasks.priority > 3"
      #expect(
        try rows(projects, in: works, links) == [
          [.int(15), .double(7.0 / 3)], [.int(25), .double(7)], [.int(9), .double(3)],
        ], "\(links)")
      let nothing = "Person WHERE name == 'x' SELECT @sum.tasks.priority, @avg.tasks.priority"
      #expect(try rows(nothing, in: works, links) == [[.int(0), .null]], "\(links)")
    }
  }

  @Test func whatGroupsGatherIsExplained() throws {
    let works = try Works(seed: 11, people: 90, tasks: 700, projects: 300)
    let snapshot = try works.file.beginSnapshot()
    let text = "Task GROUP BY assignee.name SELECT assignee.name, @avg.assignee.age"
    let rows = try Self.compiled(text, snapshot)
    let plan = try rows.plan(in: snapshot, options: PlannerOptions(links: .sets)).explanation.text
    let lines = plan.split(separator: "\n").map { $0.split(separator: "  ").map { $0.trimmingPrefix(" ") } }
    let group = try #require(lines.firstIndex { $0.joined(separator: "  ").contains("Group  by assignee.name") })
    #expect(lines[group + 1].joined(separator: "  ").hasPrefix("├─ Gather  Person for Task.assignee"), "\(plan)")
    let asked = try rows.plan(in: snapshot, options: PlannerOptions(links: .rows)).explanation.text
    #expect(!asked.contains("Gather"), "\(asked)")
  }

  /// The plan says whether the values of a row are read once for all linked objects, or row by row, and runs so.
  @Test(arguments: [
    ("Task SELECT title, assignee.age, assignee.boss.age", ["Select  title, assignee.age, assignee.boss.age"]),
    ("Task SECTIONS BY assignee.age SELECT title", ["Sections  assignee.age"]),
    ("Task SECTIONS BY assignee.age SELECT assignee.age + 1, assignee.age", ["Sections  ", "Select  "]),
    ("Task SECTIONS BY assignee.home.street SELECT title", ["Sections  assignee.home.street"]),
  ])
  func whatRowsGatherIsExplained(text: String, nodes: [String]) throws {
    for (people, tasks, gathers) in [(20, 700, true), (9_000, 5, false)] {
      let works = try Works(seed: 12, people: people, tasks: tasks, projects: 1)
      let snapshot = try works.file.beginSnapshot()
      let plan = try Self.compiled(text, snapshot).plan(in: snapshot)
      for explained in [plan.explanation.text, try plan.analyze(in: snapshot).text] {
        let lines = explained.split(separator: "\n")
        for node in nodes {
          let place = try #require(lines.firstIndex { $0.contains(node) }, "\(explained)")
          let isGathered = lines[place + 1].contains("─ Gather  Person for Task.assignee")
          #expect(isGathered == gathers, "\(explained)")
          let hasRows = !gathers || text.contains("+ 1") && node.hasPrefix("Select")
          #expect(lines[place].contains("row by row") == hasRows, "\(explained)")
        }
      }
      let asked = try Self.compiled(text, snapshot).plan(in: snapshot, options: PlannerOptions(links: .rows))
      #expect(!asked.explanation.text.contains("Gather"), "\(asked.explanation.text)")
    }
  }

  @Test func aStructBehindALinkIsSelectedWhole() throws {
    let works = try Works()
    let rome = Value.object(ObjectReference(entity: "City", number: ObjectNumber(1)))
    let found = try rows("Task SELECT title, assignee.home", in: works)
    #expect(found.map { Array($0.suffix(2)) }.prefix(2) == [[rome, .string("Via A")], [rome, .string("Via A")]])
    #expect(found.map { $0[1].isNull } == [false, false, false, true, false])
    #expect(found[3] == [.string("sell"), .null, .null, .null])
  }

  @Test func aStructBehindTwoLinksIsSelectedWhole() throws {
    let works = try Works()
    let found = try rows("Task SELECT assignee.home.city.place", in: works)
    #expect(found.map { Array($0.dropFirst()) }.prefix(1) == [[.double(12.5), .double(41.9)]])
    #expect(found[3] == [.null, .null, .null])
  }
}
