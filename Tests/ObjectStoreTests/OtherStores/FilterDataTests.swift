import Foundation
import ObjectStore
import Testing

/// "Filter data" of Realm's Swift SDK: every example, as typed code and as a text.
@Suite struct FilterDataTests {
  private let store: Store
  private var tasks: Results<Task> { store.objects(Task.self) }
  private var projects: Results<Project> { store.objects(Project.self) }

  init() throws {
    store = try Store.inMemory(Task.self, Project.self, Employee.self, Company.self)
    try store.write { tx in
      let project = Project(name: "New Project", tasks: [Task(assignee: "Alex", priority: 5)])
      try tx.add(project)
      let ali = Task(
        name: "Ali", isComplete: true, assignee: "Ali", priority: 10, progressMinutes: 130, labels: ["quick win"])
      let jamie = Task(
        name: "b", assignee: "Jamie", priority: 6, progressMinutes: 45, labels: ["bug", "old"], ratings: [4, 1])
      try tx.add(Project(name: "élan movie", tasks: [ali, jamie]))
      try tx.add(
        Project(name: "Empty", tasks: List((1...6).map { Task(name: "t\($0)", priority: 1, ratings: [$0 % 3]) })))
      try tx.add(Employee(name: "Bo", workplace: Workplace(address: Address(zipcode: 10_012))))
      try tx.add(Company(name: "GS", location: Location(name: "Seattle", longitude: -122.3, latitude: 47.6)))
    }
  }

  /// Both find the same, and so many.
  private func expect<Object: Model>(
    _ typed: Results<Object>, _ count: Int, _ text: Results<Object>, at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try typed.ids == text.ids && typed.count == count, sourceLocation: location)
  }

  @Test func theModelsAndTheSetUp() throws {
    #expect(
      Task()
        == Task(
          name: "", isComplete: false, assignee: nil, priority: 0, progressMinutes: 0, labels: [], ratings: []))
    let store = try Store.inMemory(Task.self, Project.self)
    var project = Project(name: "", tasks: [])
    project.name = "New Project"
    var task = Task()
    task.assignee = "Alex"
    task.priority = 5
    project.tasks.append(task)
    try store.write { tx in try tx.add(project) }
    let tasks = store.objects(Task.self)
    let projects = store.objects(Project.self)
    #expect(try tasks.map(\.priority) == [5] && projects.map(\.name) == ["New Project"])
  }

  @Test func comparisons() throws {
    try expect(tasks.where { $0.priority > 5 }, 2, tasks.filter("priority > 5"))
    try expect(tasks.where { $0.priority > 5 }, 2, tasks.filter("priority > %@", 5))
    try expect(tasks.where { $0.progressMinutes >= 120 }, 1, tasks.filter("progressMinutes > 120"))
    try expect(tasks.where { $0.assignee == nil }, 6, tasks.filter("assignee == nil"))
  }

  @Test func valuesOfCollections() throws {
    try expect(tasks.where { $0.labels.contains("quick win") }, 1, tasks.filter("labels CONTAINS 'quick win'"))
    try expect(
      tasks.where { $0.progressMinutes.contains(30...60) }, 1, tasks.filter("progressMinutes BETWEEN {30, 60}"))
    try expect(
      tasks.where { $0.labels.containsAny(in: ["quick win", "bug"]) }, 2,
      tasks.filter("ANY labels IN {'quick win', 'bug'}"))
    #expect(try tasks.filter("progressMinutes between {1, 15}").count == 0)
  }

  @Test func oneOfSeveral() throws {
    let assigneeNames = ["Ali", "Jamie"]
    try expect(tasks.where { $0.assignee.in(assigneeNames) }, 2, tasks.filter("assignee IN {'Ali', 'Jamie'}"))
  }

  @Test func logic() throws {
    try expect(
      tasks.where { ($0.assignee == "Ali") && ($0.isComplete == true) }, 1,
      tasks.filter("assignee == 'Ali' AND isComplete == true"))
    try expect(
      projects.where { ($0.tasks.progressMinutes > 1) && ($0.tasks.assignee == "Ali") }, 1,
      projects.filter("tasks.progressMinutes > 1 AND tasks.assignee == 'Ali'"))
  }

  @Test func texts() throws {
    try expect(
      projects.where { $0.name.starts(with: "e", options: .caseInsensitive) }, 1,
      projects.filter("name BEGINSWITH[c] 'e'"))
    try expect(projects.where { $0.name.contains("ie") }, 1, projects.filter("name CONTAINS 'ie'"))
    try expect(projects.where { $0.name.ends(with: "movie") }, 1, projects.filter("name ENDSWITH 'movie'"))
    try expect(tasks.where { $0.assignee.like("Al?x") }, 1, tasks.filter("assignee LIKE 'Al?x'"))
    try expect(
      projects.where { $0.name.contains("f", options: .caseInsensitive) }, 0, projects.filter("name CONTAINS[c] 'f'"))
    try expect(
      projects.where { $0.name.contains("e", options: .diacriticInsensitive) }, 2,
      projects.filter("name CONTAINS[d] 'e'"))
    try expect(
      projects.where { $0.name.contains("e", options: [.caseInsensitive, .diacriticInsensitive]) }, 3,
      projects.filter("name CONTAINS[cd] 'e'"))
  }

  @Test func wildcards() throws {
    let words = try ["dog", "dig", "dug", "ding", "dg", "a dog"].filter {
      try Query<Project> { $0.name.like("d?g") }.matches(Project(name: $0))
    }
    #expect(words == ["dog", "dig", "dug"])
  }

  @Test func places() throws {
    let companies = store.objects(Company.self)
    let smallCircle = GeoCircle(center: (-122.3, 47.6), radius: .kilometers(50))
    let largeBox = GeoBox(bottomLeft: (-122.7, 47.3), topRight: (-120, 48.1))
    try expect(
      companies.where { $0.location.geoWithin(smallCircle) }, 1, companies.filter("location IN %@", largeBox))
    let polygon = GeoPolygon(outer: [(-123, 47), (-122, 47), (-122, 48), (-123, 48)])
    #expect(try companies.where { $0.location.geoWithin(polygon) }.count == 1)
  }

  @Test func aggregates() throws {
    try expect(projects.where { $0.tasks.priority.avg > 5 }, 1, projects.filter("tasks.@avg.priority > 5"))
    try expect(projects.where { $0.tasks.priority.max < 5 }, 1, projects.filter("tasks.@max.priority < 5"))
    try expect(projects.where { $0.tasks.priority.min > 5 }, 1, projects.filter("tasks.@min.priority > 5"))
    try expect(projects.where { $0.tasks.count > 5 }, 1, projects.filter("tasks.@count > 5"))
    try expect(
      projects.where { $0.tasks.progressMinutes.sum > 100 }, 1, projects.filter("tasks.@sum.progressMinutes > 100"))
  }

  @Test func elementsOfLists() throws {
    try expect(
      projects.where { $0.tasks.labels.containsAny(in: ["quick win", "bug"]) }, 1,
      projects.filter("ANY tasks.labels IN {'quick win', 'bug'}"))
    try expect(projects.where { $0.tasks.ratings > 3 }, 1, projects.filter("ANY tasks.ratings > 3"))
    try expect(projects.where { !($0.tasks.isComplete == true) }, 2, projects.filter("NONE tasks.isComplete == true"))
    try expect(projects.where { $0.tasks.priority == 10 }, 1, projects.filter("ANY tasks.priority == 10"))
  }

  @Test func subqueries() throws {
    try expect(
      projects.where { ($0.tasks.isComplete == false && $0.tasks.assignee == "Alex").count > 0 }, 1,
      projects.filter(
        "SUBQUERY(tasks, $task, $task.isComplete == false AND $task.assignee == %@).@count > 0", "Alex"))
    let variant = try projects.filter(
      "SUBQUERY(tasks, $task, $task.isComplete == %@ AND $task.assignee == %@).@count > 0", false, "Alex")
    #expect(try variant.count == 1)
  }

  @Test func formatsAndArguments() throws {
    #expect(try tasks.filter("progressMinutes > %@ AND name == %@", 1, "Ali").count == 1)
    #expect(try tasks.filter("progressMinutes > 1 AND name == %@", "Ali").count == 1)
    #expect(try tasks.filter("%K > %@ AND %K == %@", "progressMinutes", 1, "name", "Ali").count == 1)
    #expect(try store.objects(Employee.self).filter("workplace.address.zipcode == 10012").count == 1)
  }

  @Test func theOperatorsOfComparisons() throws {
    try expect(tasks.where { $0.priority == 10 }, 1, tasks.filter("priority == 10"))
    try expect(tasks.where { $0.priority == 10 }, 1, tasks.filter("priority = 10"))
    try expect(tasks.where { $0.priority > 6 }, 1, tasks.filter("priority > 6"))
    try expect(tasks.where { $0.priority >= 6 }, 2, tasks.filter("priority >= 6"))
    try expect(tasks.where { $0.priority < 5 }, 6, tasks.filter("priority < 5"))
    try expect(tasks.where { $0.priority <= 5 }, 7, tasks.filter("priority <= 5"))
    try expect(tasks.where { $0.priority != 1 }, 3, tasks.filter("priority != 1"))
    try expect(tasks.where { $0.priority != 1 }, 3, tasks.filter("priority <> 1"))
    try expect(tasks.where { $0.priority.in([5, 6]) }, 2, tasks.filter("priority in {5, 6}"))
    try expect(tasks.where { $0.priority.contains(5...6) }, 2, tasks.filter("priority between {5, 6}"))
  }

  @Test func theOperatorsOfLogic() throws {
    for and in ["and", "&&"] {
      try expect(
        tasks.where { $0.priority > 5 && $0.isComplete == true }, 1,
        tasks.filter("priority > 5 \(and) isComplete == true"))
    }
    for or in ["or", "||"] {
      try expect(
        tasks.where { $0.priority > 5 || $0.assignee == "Alex" }, 3,
        tasks.filter("priority > 5 \(or) assignee == 'Alex'"))
    }
    for not in ["not ", "!"] {
      try expect(tasks.where { !($0.priority > 5) }, 7, tasks.filter("\(not)(priority > 5)"))
    }
  }

  @Test func theOperatorsOfTexts() throws {
    try expect(projects.where { $0.name.starts(with: "New") }, 1, projects.filter("name beginsWith 'New'"))
    try expect(projects.where { $0.name.contains("Proj") }, 1, projects.filter("name contains 'Proj'"))
    try expect(projects.where { $0.name.contains("Proj") }, 1, projects.filter("'Proj' in name"))
    try expect(projects.where { $0.name.ends(with: "movie") }, 1, projects.filter("name endsWith 'movie'"))
    try expect(projects.where { $0.name.like("N*t") }, 1, projects.filter("name like 'N*t'"))
    try expect(projects.where { $0.name == "Empty" }, 1, projects.filter("name == 'Empty'"))
    try expect(projects.where { $0.name == "Empty" }, 1, projects.filter("name = 'Empty'"))
    try expect(projects.where { $0.name != "Empty" }, 2, projects.filter("name != 'Empty'"))
    try expect(projects.where { $0.name != "Empty" }, 2, projects.filter("name <> 'Empty'"))
  }

  @Test func theOperatorsOfCollections() throws {
    try expect(projects.where { $0.tasks.all { $0.priority > 5 } }, 1, projects.filter("ALL tasks.priority > 5"))
    try expect(projects.where { $0.tasks.any { $0.priority > 9 } }, 1, projects.filter("ANY tasks.priority > 9"))
    try expect(projects.where { $0.tasks.any { $0.priority > 9 } }, 1, projects.filter("SOME tasks.priority > 9"))
    try expect(projects.where { $0.tasks.none { $0.priority > 4 } }, 1, projects.filter("NONE tasks.priority > 4"))
    let counts = projects.where { ($0.tasks.priority == 1).count > 5 }
    try expect(counts, 1, projects.filter("SUBQUERY(tasks, $task, $task.priority == 1).@count > 5"))
  }

  /// What Realm throws an exception for while the program runs: a condition on no collection is no subquery.
  @Test func whatIsNoSubquery() throws {
    let error = #expect(throws: QueryError.self) { try projects.where { ($0.name == "a").count > 0 }.count }
    #expect(error?.localizedDescription.contains("counts the objects of a collection") == true)
  }

  /// What Realm ends the process for.
  @Test func typesMustMatch() throws {
    let error = #expect(throws: QueryError.self) { try tasks.filter("priority == '5'") }
    #expect(error?.code == "type-mismatch")
  }
}
