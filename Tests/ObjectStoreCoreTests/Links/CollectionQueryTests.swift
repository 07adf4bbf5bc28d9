import ObjectStoreCore
import Testing

/// Questions about projects by their tasks, each with the projects or tasks it finds.
@Suite struct CollectionQueryTests {
  @Test(arguments: [
    ("tasks.@avg.priority > 5", ["enterprise", "movie"]),
    ("tasks.@max.priority < 5", ["fiesta"]),
    ("tasks.@min.priority > 5", ["enterprise"]),
    ("tasks.@count > 5", ["fiesta"]),
    ("tasks.@sum.progressMinutes > 100", ["enterprise"]),
    ("NONE tasks.isComplete == true", ["New Project", "Étude"]),
    ("ANY tasks.priority == 10", ["enterprise"]),
    ("ALL tasks.isComplete == true", ["Étude", "fiesta"]),
    ("ANY tasks.labels IN {'quick win', 'bug'}", ["New Project", "enterprise"]),
    ("tasks.labels IN {'quick win', 'bug'}", ["New Project", "enterprise"]),
    ("ANY tasks.ratings > 3", ["New Project"]),
    ("tasks.ratings > 3", ["New Project"]),
    ("tasks.progressMinutes > 1 AND tasks.assignee == 'Ali'", ["enterprise"]),
    ("ANY tasks.progressMinutes > 1 AND ANY tasks.assignee == 'Ali'", ["enterprise"]),
    (
      "SUBQUERY(tasks, $task, $task.isComplete == false AND $task.assignee == 'Alex').@count > 0", ["New Project"]
    ),
    ("name BEGINSWITH[c] 'e'", ["enterprise"]),
    ("name CONTAINS 'ie'", ["fiesta", "movie"]),
    ("name CONTAINS[c] 'f'", ["fiesta"]),
    ("name CONTAINS[d] 'e'", ["New Project", "enterprise", "Étude", "fiesta", "movie"]),
    ("name CONTAINS[cd] 'e'", ["New Project", "enterprise", "Étude", "fiesta", "movie"]),
  ])
  func projects(_ predicate: String, _ expected: [String]) throws {
    let found = try Project.store().objects(Project.self).filter(predicate).objects()
    #expect(found.map(\.name) == expected)
  }

  @Test(arguments: [
    ("priority > 5", ["plan", "build", "shot"]),
    ("progressMinutes > 120", ["build"]),
    ("progressMinutes >= 120", ["build"]),
    ("assignee == nil AND name != 'shot'", (1...6).map { "step \($0)" }),
    ("assignee == nil", (1...6).map { "step \($0)" } + ["shot"]),
    ("assignee IN {'Ali', 'Jamie'}", ["plan", "build"]),
    ("progressMinutes between {1, 15}", (1...6).map { "step \($0)" }),
    ("progressMinutes BETWEEN {30, 60}", ["paint"]),
    ("progressMinutes BETWEEN {4, 15}", ["step 4", "step 5", "step 6"]),
    ("assignee == 'Ali' AND isComplete == true", ["plan"]),
    ("assignee LIKE 'Al?x'", ["paint", "cut"]),
    ("labels CONTAINS 'quick win'", ["paint"]),
    ("ANY labels IN {'quick win', 'bug'}", ["paint", "plan"]),
    ("ANY projects.name == 'movie'", ["cut", "shot"]),
  ])
  func tasks(_ predicate: String, _ expected: [String]) throws {
    let found = try Project.store().objects(Task.self).filter(predicate).objects()
    #expect(found.map(\.name) == expected)
  }

  @Test func placeholders() throws {
    let projects = try Project.store().objects(Project.self)
    let format = "SUBQUERY(tasks, $task, $task.isComplete == %@ AND $task.assignee == %@).@count > 0"
    #expect(try projects.filter(format, false, "Alex").objects().map(\.name) == ["New Project"])
    let one = "SUBQUERY(tasks, $task, $task.isComplete == false AND $task.assignee == %@).@count > 0"
    #expect(try projects.filter(one, "Alex").objects().map(\.name) == ["New Project"])
    let tasks = try Project.store().objects(Task.self)
    #expect(
      try tasks.filter("progressMinutes > 1 AND assignee == %@", "Ali").objects().map(\.name) == ["plan", "build"])
    let named = try tasks.filter("%K > %@ AND %K == %@", "progressMinutes", 1, "assignee", "Ali")
    #expect(try named.objects().map(\.name) == ["plan", "build"])
    let keys = try projects.filter("%K.@count > %@ AND %K CONTAINS %@", "tasks", 1, "name", "ie")
    #expect(try keys.objects().map(\.name) == ["fiesta", "movie"])
  }

  @Test func objectsAsArguments() throws {
    let store = try Project.store()
    let tasks = try store.objects(Task.self).filter("assignee == 'Ali'").objects()
    let projects = store.objects(Project.self)
    let plan = try #require(tasks.first)
    let id = try #require(plan.objectID)
    #expect(try projects.filter("ANY tasks == %@", plan).objects().map(\.name) == ["enterprise"])
    #expect(try projects.filter("ANY tasks == %@", id).objects().map(\.name) == ["enterprise"])
    #expect(try projects.filter("%@ IN tasks", Link(plan)).objects().map(\.name) == ["enterprise"])
    #expect(try projects.filter("ANY tasks IN %@", List(tasks)).objects().map(\.name) == ["enterprise"])
    #expect(try projects.filter("ANY tasks == %@", Task("plan")).count == 0)
    #expect(throws: QueryError.self) { try projects.filter("ANY tasks == %@", Project("enterprise")) }
  }

  /// A struct of an object that is linked to.
  @Test func structsBehindLinks() throws {
    let folder = try TemporaryFolder()
    let zipcode = Property(name: "zipcode", type: .scalar(.int))
    let schema = Schema(
      entities: [
        Entity(name: "Employee", properties: [Property(name: "workplace", type: .link("Workplace"), isOptional: true)]),
        Entity(name: "Workplace", properties: [Property(name: "address", type: .embedded("Address"))]),
      ], embedded: [Entity(name: "Address", properties: [zipcode])])
    let store = try Store.openDynamic(folder.path("store"), mode: .create, schema: schema)
    try store.write { tx in
      let places = try tx.inserter(for: "Workplace")
      let employees = try tx.inserter(for: "Employee")
      for code in [10012, 10013] { _ = try places.append([.int(Int64(code))]) }
      for number in [2, 1, nil, 1] as [Int64?] { _ = try employees.append([number.map(Value.int) ?? .null]) }
    }
    let employees = try store.objects("Employee")
    #expect(try employees.filter("workplace.address.zipcode == 10012").ids == [2, 4].map { ObjectNumber($0) })
    #expect(try employees.filter("workplace.address.zipcode != 10012").ids == [1, 3].map { ObjectNumber($0) })
  }
}
