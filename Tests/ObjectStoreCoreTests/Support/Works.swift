import ObjectStoreCore

/// People, tasks and projects that link to each other: what `@Model` writes, by hand.
struct Person: Model {
  var name: String
  var friends: List<Person> = []
  var mentor: Link<Person>?
  var tasks = LinkingObjects<Task>()
  private var _objectID = ObjectIdentity<Person>()

  init(_ name: String, friends: List<Person> = [], mentor: Link<Person>? = nil) {
    self.name = name
    self.friends = friends
    self.mentor = mentor
  }

  static let modelDefinition = ModelDefinition(of: Person.self, name: "Person") { model in
    model.property("name", \Person.name, \Person?.?.name, indexes: [.unique])
    model.property("friends", \Person.friends, \Person?.?.friends)
    model.property("mentor", \Person.mentor, \Person?.?.mentor)
    model.inverse("tasks", \Person.tasks, of: \Task.owner, path: "owner", deleteRule: .deny)
  }

  var objectID: ObjectID<Person>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Person> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    friends = try row.next()
    mentor = try row.next()
    tasks = LinkingObjects(through: "owner", in: row)
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    friends.encode(into: &row)
    mentor.encode(into: &row)
  }
}

struct Task: Model {
  var name: String
  var isComplete: Bool
  var assignee: String?
  var priority: Int
  var progressMinutes: Int
  var labels: Set<String>
  var ratings: Set<Int>
  var owner: Link<Person>?
  var projects = LinkingObjects<Project>()
  private var _objectID = ObjectIdentity<Task>()

  init(
    _ name: String = "", isComplete: Bool = false, assignee: String? = nil, priority: Int = 0,
    progressMinutes: Int = 0, labels: Set<String> = [], ratings: Set<Int> = [], owner: Link<Person>? = nil
  ) {
    self.name = name
    self.isComplete = isComplete
    self.assignee = assignee
    self.priority = priority
    self.progressMinutes = progressMinutes
    self.labels = labels
    self.ratings = ratings
    self.owner = owner
  }

  static let modelDefinition = ModelDefinition(of: Task.self, name: "Task") { model in
    model.property("name", \Task.name, \Task?.?.name)
    model.property("isComplete", \Task.isComplete, \Task?.?.isComplete)
    model.property("assignee", \Task.assignee, \Task?.?.assignee)
    model.property("priority", \Task.priority, \Task?.?.priority)
    model.property("progressMinutes", \Task.progressMinutes, \Task?.?.progressMinutes)
    model.property("labels", \Task.labels, \Task?.?.labels)
    model.property("ratings", \Task.ratings, \Task?.?.ratings)
    model.property("owner", \Task.owner, \Task?.?.owner)
    model.inverse("projects", \Task.projects, of: \Project.tasks, path: "tasks")
  }

  var objectID: ObjectID<Task>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Task> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    isComplete = try row.next()
    assignee = try row.next()
    priority = try row.next()
    progressMinutes = try row.next()
    labels = try row.next()
    ratings = try row.next()
    owner = try row.next()
    projects = LinkingObjects(through: "tasks", in: row)
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    isComplete.encode(into: &row)
    assignee.encode(into: &row)
    priority.encode(into: &row)
    progressMinutes.encode(into: &row)
    labels.encode(into: &row)
    ratings.encode(into: &row)
    owner.encode(into: &row)
  }
}

struct Project: Model {
  var name: String
  var tasks: List<Task>
  private var _objectID = ObjectIdentity<Project>()

  init(_ name: String = "", tasks: List<Task> = []) {
    self.name = name
    self.tasks = tasks
  }

  static let modelDefinition = ModelDefinition(of: Project.self, name: "Project") { model in
    model.property("name", \Project.name, \Project?.?.name)
    model.property("tasks", \Project.tasks, \Project?.?.tasks, deleteRule: .cascade)
  }

  var objectID: ObjectID<Project>? {
    get { _objectID.id }
    set { _objectID.id = newValue }
  }

  var objectIdentity: ObjectIdentity<Project> {
    get { _objectID }
    set { _objectID = newValue }
  }

  init(from row: inout RowDecoder) throws {
    name = try row.next()
    tasks = try row.next()
  }

  func encode(into row: inout RowEncoder) {
    name.encode(into: &row)
    tasks.encode(into: &row)
  }
}

extension Project {
  /// Projects that tell the questions about their tasks apart.
  static let several: [Project] = [
    Project(
      "New Project",
      tasks: [
        Task("paint", assignee: "Alex", priority: 5, progressMinutes: 30, labels: ["quick win"], ratings: [1, 4])
      ]),
    Project(
      "enterprise",
      tasks: [
        Task("plan", isComplete: true, assignee: "Ali", priority: 7, progressMinutes: 90, labels: ["bug"]),
        Task("build", assignee: "Ali", priority: 10, progressMinutes: 125, ratings: [2, 3]),
      ]),
    Project("Étude"),
    Project(
      "fiesta",
      tasks: List(
        (1...6).map { Task("step \($0)", isComplete: true, priority: $0 % 4, progressMinutes: $0, ratings: [3]) })),
    Project("movie", tasks: [Task("cut", isComplete: true, assignee: "Alex", priority: 2), Task("shot", priority: 9)]),
  ]

  /// A store in memory with them.
  static func store() throws -> Store {
    let store = try Store.inMemory(Project.self)
    try store.write { tx in _ = try tx.add(several) }
    return store
  }
}
