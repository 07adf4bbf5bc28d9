import Foundation
import GRDB
import ObjectStoreCore

/// Questions about objects and those they link to: projects of 5 to 15 tasks each, with owners. In SQLite a task has
/// its project's number, with an index, as every link has its inverse here.
struct LinkQuestions {
  private let store: Store
  private let sqlite: SQLiteSide
  private let columns: LinkColumns

  private static let schema = Schema(entities: [
    Entity(
      name: "Person",
      properties: [
        Property(name: "name", type: .scalar(.string)), Property(name: "age", type: .scalar(.int)),
      ]),
    Entity(
      name: "Task",
      properties: [
        Property(name: "priority", type: .scalar(.int)),
        Property(name: "isComplete", type: .scalar(.bool)),
        Property(name: "assignee", type: .scalar(.string), isOptional: true),
        Property(
          name: "projects", type: .linkingObjects(entity: "Project", property: "tasks")),
      ]),
    Entity(
      name: "Project",
      properties: [
        Property(name: "name", type: .scalar(.string)),
        Property(name: "owner", type: .link("Person"), isOptional: true),
        Property(name: "tasks", type: .list("Task")),
      ]),
  ])

  /// Makes both sides' objects: `projects` of them, ten times as many tasks, a hundredth as many people.
  init(projects count: Int, folder: URL, sqlite: SQLiteSide) throws {
    self.sqlite = sqlite
    let store = try Store.openDynamic(
      folder.appendingPathComponent("projects.store").path, mode: .create,
      schema: Self.schema)
    self.store = store
    let names = ["Alex", "Ali", "Jamie", "Sam", "Robin", "Kim", "Noor", "Max", "Lee", "Ana"]
    var random = Generator(seed: 5)
    let people = (0..<max(1, count / 100)).map { (name: "p\($0)", age: 18 + random.below(60)) }
    try sqlite.makeProjects()
    try sqlite.insert(into: "person (name, age)", people.map { [$0.name, $0.age] })
    var columns = LinkColumns(ages: people.map(\.age))
    var tasks: [[(any DatabaseValueConvertible)?]] = []
    var projects: [[(any DatabaseValueConvertible)?]] = []
    try store.write { tx in
      func reference(_ entity: String, _ number: ObjectNumber) -> Value {
        .object(ObjectReference(entity: entity, number: number))
      }
      let person = try tx.inserter(for: "Person")
      let owners = try people.map {
        reference("Person", try person.append([.string($0.name), .int(Int64($0.age))]))
      }
      let task = try tx.inserter(for: "Task")
      let project = try tx.inserter(for: "Project")
      for number in 0..<count {
        var own: [Value] = []
        for _ in 0..<(5 + random.below(11)) {
          let priority = random.below(10) + (random.below(50) == 0 ? 1 : 0)
          let isComplete = random.below(2) == 0
          let assignee = random.below(10) == 0 ? nil : names[random.below(names.count)]
          own.append(
            reference(
              "Task",
              try task.append([
                .int(Int64(priority)), .bool(isComplete), assignee.map { .string($0) } ?? .null,
              ])))
          tasks.append([number + 1, priority, isComplete, assignee])
          columns.addTask(priority: priority, isComplete: isComplete, assignee: assignee)
        }
        let owner = random.below(20) == 0 ? nil : random.below(owners.count)
        _ = try project.append([
          .string("project \(number)"), owner.map { owners[$0] } ?? .null, .list(own),
        ])
        projects.append(["project \(number)", owner.map { $0 + 1 }])
        columns.endProject(owner: owner)
      }
    }
    self.columns = columns
    try sqlite.insert(into: "project (name, owner)", projects)
    try sqlite.insert(into: "task (project, priority, is_complete, assignee)", tasks)
    try sqlite.finishProjects()
  }

  func ask(_ report: Report) throws {
    let columns = columns
    let some = "SELECT count(*) FROM project p WHERE EXISTS (SELECT 1 FROM task t WHERE t.project = p.id AND"
    let each = "SELECT count(*) FROM (SELECT project FROM task GROUP BY project HAVING"
    let owned = "SELECT count(*) FROM project p JOIN person o ON o.id = p.owner WHERE"
    func count(
      _ entity: String, _ filter: String, _ sql: String, goal: Double? = nil, limit: (() -> Int)? = nil
    ) throws {
      try report.question(
        "count \(filter)", goal: goal.map(report.goal), ours: { try store.objects(entity).filter(filter).count },
        sqlite: { try sqlite.integer(sql) }, limit: limit)
    }
    try count("Project", "tasks.@count > 5", "\(each) count(*) > 5)", goal: 0.5) {
      columns.projects { $0.count > 5 }
    }
    try count("Project", "ANY tasks.priority > 9", "\(some) t.priority > 9)", goal: 4) {
      columns.projects { $0.contains { columns.priorities[$0] > 9 } }
    }
    try count("Project", "tasks.@avg.priority > 5", "\(each) avg(priority) > 5)", goal: 6) {
      columns.projects { tasks in
        Double(tasks.reduce(0) { $0 + columns.priorities[$1] }) / Double(tasks.count) > 5
      }
    }
    try count(
      "Project", "SUBQUERY(tasks, $t, $t.isComplete == false AND $t.assignee == 'Alex').@count > 0",
      "\(some) NOT t.is_complete AND t.assignee = 'Alex')", goal: 5
    ) {
      columns.projects { $0.contains { !columns.areComplete[$0] && columns.assignees[$0] == "Alex" } }
    }
    try count(
      "Project", "ALL tasks.priority < 9",
      "SELECT count(*) FROM project p WHERE NOT EXISTS "
        + "(SELECT 1 FROM task t WHERE t.project = p.id AND t.priority >= 9)"
    ) {
      columns.projects { $0.allSatisfy { columns.priorities[$0] < 9 } }
    }
    try count("Project", "owner.age > 70", "\(owned) o.age > 70") {
      columns.owners.count { owner in owner.map { columns.ages[$0] > 70 } ?? false }
    }
    try count("Project", "owner.name == 'p7'", "\(owned) o.name = 'p7'")
    try count(
      "Task", "ANY projects.name == 'project 77'",
      "SELECT count(*) FROM task t JOIN project p ON p.id = t.project WHERE p.name = 'project 77'")
  }
}

/// The projects, tasks and people as arrays in memory: a project's tasks lie one after another.
struct LinkColumns {
  let ages: [Int]
  private(set) var owners: [Int?] = []
  private(set) var priorities: [Int] = []
  private(set) var areComplete: [Bool] = []
  private(set) var assignees: [String?] = []
  private var ends: [Int] = []

  init(ages: [Int]) { self.ages = ages }

  mutating func addTask(priority: Int, isComplete: Bool, assignee: String?) {
    priorities.append(priority)
    areComplete.append(isComplete)
    assignees.append(assignee)
  }

  mutating func endProject(owner: Int?) {
    owners.append(owner)
    ends.append(priorities.count)
  }

  /// How many projects there are whose tasks, by position, are as asked.
  func projects(where matches: (Range<Int>) -> Bool) -> Int {
    var (start, count) = (0, 0)
    for end in ends {
      if matches(start..<end) { count += 1 }
      start = end
    }
    return count
  }
}
