import Foundation
import GRDB
import ObjectStoreCore

/// Questions about objects and those they link to: projects of 5 to 15 tasks each, with owners. In SQLite a task has
/// its project's number, with an index, as every link has its inverse here.
struct LinkQuestions {
  private let store: Store
  private let sqlite: SQLiteSide

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
      folder.appendingPathComponent("projects.store").path, mode: .createIfMissing,
      schema: Self.schema)
    self.store = store
    let names = ["Alex", "Ali", "Jamie", "Sam", "Robin", "Kim", "Noor", "Max", "Lee", "Ana"]
    var random = Generator(seed: 5)
    let people = (0..<max(1, count / 100)).map { (name: "p\($0)", age: 18 + random.below(60)) }
    try sqlite.makeProjects()
    try sqlite.insert(into: "person (name, age)", people.map { [$0.name, $0.age] })
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
        }
        let owner = random.below(20) == 0 ? nil : random.below(owners.count)
        _ = try project.append([
          .string("project \(number)"), owner.map { owners[$0] } ?? .null, .list(own),
        ])
        projects.append(["project \(number)", owner.map { $0 + 1 }])
      }
    }
    try sqlite.insert(into: "project (name, owner)", projects)
    try sqlite.insert(into: "task (project, priority, is_complete, assignee)", tasks)
    try sqlite.finishProjects()
  }

  func rows(repetitions: Int) throws -> [Row] {
    let some = "SELECT count(*) FROM project p WHERE EXISTS (SELECT 1 FROM task t WHERE t.project = p.id AND"
    let each = "SELECT count(*) FROM (SELECT project FROM task GROUP BY project HAVING"
    return try [
      count("Project", "tasks.@count > 5", "\(each) count(*) > 5)", goal: 0.5, repetitions),
      count("Project", "ANY tasks.priority > 9", "\(some) t.priority > 9)", goal: 4, repetitions),
      count("Project", "tasks.@avg.priority > 5", "\(each) avg(priority) > 5)", goal: 6, repetitions),
      count(
        "Project",
        "SUBQUERY(tasks, $t, $t.isComplete == false AND $t.assignee == 'Alex').@count > 0",
        "\(some) NOT t.is_complete AND t.assignee = 'Alex')", goal: 5, repetitions),
      count(
        "Project", "ALL tasks.priority < 9",
        "SELECT count(*) FROM project p WHERE NOT EXISTS "
          + "(SELECT 1 FROM task t WHERE t.project = p.id AND t.priority >= 9)", repetitions),
      count(
        "Project", "owner.age > 70",
        "SELECT count(*) FROM project p JOIN person o ON o.id = p.owner WHERE o.age > 70", repetitions),
      count(
        "Project", "owner.name == 'p7'",
        "SELECT count(*) FROM project p JOIN person o ON o.id = p.owner WHERE o.name = 'p7'",
        repetitions),
      count(
        "Task", "ANY projects.name == 'project 77'",
        "SELECT count(*) FROM task t JOIN project p ON p.id = t.project WHERE p.name = 'project 77'",
        repetitions),
    ]
  }

  private func count(
    _ entity: String, _ filter: String, _ sql: String, goal: Double? = nil, _ repetitions: Int
  ) throws -> Row {
    let results = try store.objects(entity).filter(filter)
    let (ours, theirs) = (try results.count, try sqlite.integer(sql))
    guard ours == theirs else {
      throw DifferentAnswers(description: "\(filter): \(ours) here, \(theirs) in SQLite")
    }
    return Row(
      row: "count \(filter)", unit: "ms",
      ours: try median(repetitions) { _ = try store.objects(entity).filter(filter).count } / 1e6,
      sqlite: try median(repetitions) { _ = try sqlite.integer(sql) } / 1e6, goal: goal)
  }
}
