import ObjectStoreCore
import Testing

/// How often observed queries are run: once at the start, and again only after changes that cannot be followed.
@Suite struct LiveResultsCostTests {
  /// Projects of tasks, which belong to people with mentors; and quakes, which link to nothing.
  private struct Works {
    let store: Store
    let people: [ObjectID<Person>]
    let tasks: [ObjectID<Task>]
    let projects: [ObjectID<Project>]

    init() throws {
      let store = try Store.inMemory(Project.self, Task.self, Person.self, Quake.self)
      self.store = store
      (people, tasks, projects) = try store.write { tx in
        let people = try tx.add((0..<5).map { Person("p\($0)") })
        try tx.update(people[0]) { $0.mentor = Link(people[1]) }
        // The last person has no tasks.
        let tasks = try tx.add((0..<40).map { Task("t\($0)", priority: $0 % 8, owner: Link(people[$0 % 4])) })
        let projects = try tx.add(
          (0..<4).map { number in
            Project(
              "x\(number)",
              tasks: List(
                tasks.enumerated().compactMap {
                  $0.offset % 4 == number ? $0.element : nil
                }))
          })
        return (people, tasks, projects)
      }
    }

    func write(_ body: (WriteTransaction) throws -> Void) throws { try store.write(body) }
  }

  /// A query, and how often it was run when `change` and a modification were reported.
  private func runs(_ query: String, _ change: (Works) throws -> Void) async throws -> Int {
    let works = try Works()
    let results = try works.store.objects(Task.self).filter(query)
    var changes = results.changes().makeAsyncIterator()
    var ids: [ObjectID<Task>] = []
    try await changes.next()?.apply(to: &ids)
    try change(works)
    // Some change to report: no query here reads the minutes.
    let first = try #require(try results.ids.first)
    try works.write { tx in try tx.update(first) { $0.progressMinutes += 1 } }
    try await changes.next()?.apply(to: &ids)
    #expect(try ids == results.ids)
    return changes.runs - 1
  }

  private static let queries = [
    "TRUEPREDICATE", "priority > 3", "priority > 2 SORT(priority DESC)", "TRUEPREDICATE LIMIT(5)",
    "priority > 1 SORT(priority) OFFSET(3) LIMIT(4)", "TRUEPREDICATE OFFSET(10)", "TRUEPREDICATE DISTINCT(priority)",
    "owner.name == 'p1'", "owner.mentor.name == 'p1'", "ANY projects.name == 'x2'", "TRUEPREDICATE SORT(owner.name)",
    "SUBQUERY(projects.tasks, $t, $t.priority > 6).@count > 0",
    "ANY projects.name == 'x1' SORT(owner.name DESC) LIMIT(3)", "TRUEPREDICATE LIMIT(20) FILTER(owner.name != 'p1')",
    "TRUEPREDICATE DISTINCT(owner.name)",
  ]

  @Test(arguments: queries) func aChangeThatCannotMatterCostsNothing(query: String) async throws {
    let runs = try await runs(query) { works in
      // Another entity, other properties, and properties of linked objects that the query does not read.
      try works.write { tx in _ = try tx.add(Quake.five) }
      try works.write { tx in try tx.update(works.people[0]) { $0.friends = List([works.people[2]]) } }
      try works.write { tx in try tx.update(works.tasks[7]) { $0.labels = ["a"] } }
    }
    #expect(runs == 0)
  }

  @Test(arguments: queries) func aLinkedObjectThatNothingReachesCostsNothing(query: String) async throws {
    let runs = try await runs(query) { works in
      try works.write { tx in try tx.update(works.people[4]) { $0.name = "nobody" } }
      try works.write { tx in _ = try tx.add(Project("empty")) }
      try works.write { tx in _ = try tx.delete(works.people[4]) }
    }
    #expect(runs == 0)
  }

  struct Followed: Sendable, CustomTestStringConvertible {
    let query: String
    let change: @Sendable (WriteTransaction, [ObjectID<Person>], [ObjectID<Task>], [ObjectID<Project>]) throws -> Void
    let runs: Int

    init(
      _ query: String, runs: Int = 0,
      _ change:
        @escaping @Sendable (
          WriteTransaction, [ObjectID<Person>], [ObjectID<Task>], [ObjectID<Project>]
        ) throws -> Void
    ) {
      (self.query, self.change, self.runs) = (query, change, runs)
    }

    var testDescription: String { query }
  }

  static let followed: [Followed] = [
    // Links: one object is tested for each that leads to what changed.
    Followed("owner.name == 'p1' OR name == 't39'") { tx, people, _, _ in try tx.update(people[1]) { $0.name = "q" } },
    Followed("owner.name == 'p1' OR name == 't39'") { tx, people, tasks, _ in
      try tx.update(tasks[0]) { $0.owner = Link(people[1]) }
    },
    Followed("owner.mentor.name == 'p1' OR name == 't39'") { tx, people, _, _ in
      try tx.update(people[1]) { $0.name = "q" }
    },
    Followed("owner.mentor.name == 'p1' OR name == 't39'") { tx, people, _, _ in
      try tx.update(people[0]) { $0.mentor = nil }
    },
    Followed("ANY projects.name == 'x2'") { tx, _, _, projects in try tx.update(projects[1]) { $0.name = "x2" } },
    Followed("ANY projects.name == 'x2'") { tx, _, tasks, projects in
      try tx.update(projects[2]) { $0.tasks = List([tasks[0]]) }
    },
    Followed("ANY projects.name == 'x2' OR priority > 6") { tx, _, _, projects in _ = try tx.delete(projects[1]) },
    Followed("TRUEPREDICATE SORT(owner.name)") { tx, people, _, _ in try tx.update(people[1]) { $0.name = "z" } },
    Followed("SUBQUERY(projects.tasks, $t, $t.priority > 6).@count > 0") { tx, _, tasks, _ in
      try tx.update(tasks[0]) { $0.priority = 7 }
    },
    // Windows: what changes after the end does not matter, and what enters puts the last ones out.
    Followed("TRUEPREDICATE LIMIT(5)") { tx, _, tasks, _ in _ = try tx.delete(tasks[20]) },
    Followed("priority < 9 LIMIT(5)") { tx, _, tasks, _ in try tx.update(tasks[20]) { $0.priority = 10 } },
    Followed("TRUEPREDICATE SORT(priority DESC) LIMIT(3)") { tx, _, tasks, _ in
      try tx.update(tasks[0]) { $0.priority = 4 }
    },
    Followed("TRUEPREDICATE SORT(priority DESC) LIMIT(3)") { tx, _, tasks, _ in
      try tx.update(tasks[0]) { $0.priority = 9 }
    },
    Followed("TRUEPREDICATE SORT(priority DESC) OFFSET(3) LIMIT(3)") { tx, _, tasks, _ in
      try tx.update(tasks[0]) { $0.priority = 1 }
    },
    Followed("priority > 1 SORT(owner.name) LIMIT(3)") { tx, people, _, _ in
      try tx.update(people[3]) { $0.name = "p4a" }
    },
    // A window that is not full has all that match: what leaves lets nothing in, and what enters may fill it.
    Followed("priority > 6 LIMIT(6)") { tx, _, tasks, _ in try tx.update(tasks[7]) { $0.priority = 0 } },
    Followed("priority > 6 SORT(name DESC) LIMIT(6)") { tx, _, tasks, _ in
      try tx.update(tasks[0]) { $0.priority = 7 }
      try tx.update(tasks[39]) { $0.name = "t0" }
    },
    Followed("priority > 6 SORT(name) LIMIT(6)") { tx, _, tasks, _ in
      for task in tasks[..<4] { try tx.update(task) { $0.priority = 7 } }
    },
    Followed("owner.name == 'nobody' OR name == 't9' LIMIT(8)") { tx, people, _, _ in
      try tx.update(people[2]) { $0.name = "nobody" }
    },
    Followed("priority > 6 OFFSET(1) LIMIT(6)", runs: 1) { tx, _, tasks, _ in
      try tx.update(tasks[0]) { $0.priority = 7 }
    },
    // An object that leaves a window lets one in that nobody knows.
    Followed("TRUEPREDICATE LIMIT(5)", runs: 1) { tx, _, tasks, _ in _ = try tx.delete(tasks[2]) },
    Followed("TRUEPREDICATE SORT(priority DESC) LIMIT(3)", runs: 1) { tx, _, tasks, _ in
      try tx.update(tasks[7]) { $0.priority = 0 }
    },
    Followed("TRUEPREDICATE OFFSET(3)", runs: 1) { tx, _, tasks, _ in _ = try tx.delete(tasks[0]) },
    Followed("TRUEPREDICATE DISTINCT(priority)", runs: 1) { tx, _, tasks, _ in
      try tx.update(tasks[0]) { $0.priority = 20 }
    },
    Followed("priority > 1 AND now() > 2001-01-01@00:00:00", runs: 1) { tx, _, tasks, _ in
      try tx.update(tasks[0]) { $0.priority = 4 }
    },
  ]

  @Test(arguments: followed) func onlyWhatCannotBeFollowedIsRunAgain(followed: Followed) async throws {
    let runs = try await runs(followed.query) { works in
      try works.write { tx in try followed.change(tx, works.people, works.tasks, works.projects) }
    }
    #expect(runs == followed.runs)
  }
}
