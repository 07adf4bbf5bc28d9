import ObjectStoreCore
import TestSeeds
import Testing

/// Conditions on each element of a collection, held against what they say of the same values in memory.
@Suite struct ElementConditionTests {
  /// Projects with random tasks, in a store and beside it.
  private struct Projects {
    let store: Store
    private(set) var all: [(name: String, tasks: [Task])] = []

    init(_ random: inout SeededNumbers) throws {
      for number in 0..<200 {
        let name = "p\(number)"
        let tasks = (0..<Int.random(in: 0...3, using: &random)).map { _ in Task.random(names: [name, "other"], &random)
        }
        all.append((name, tasks))
      }
      store = try Store.inMemory(Project.self)
      let projects = all.map { Project($0.name, tasks: List($0.tasks)) }
      try store.write { tx in _ = try tx.add(projects) }
    }

    /// Some projects match and some do not, and they are the ones that the same condition finds in memory.
    func expect(
      _ query: Query<Project>, at location: SourceLocation = #_sourceLocation, _ condition: (String, [Task]) -> Bool
    ) throws {
      let wanted = all.filter { condition($0.name, $0.tasks) }.map(\.name)
      let found = try store.objects(Project.self).filter(query).values(of: \.name)
      #expect(found == wanted, "\(query)", sourceLocation: location)
      #expect(!wanted.isEmpty && wanted.count < all.count, "\(query) tells nothing apart", sourceLocation: location)
      let projects = try store.objects(Project.self).array
      #expect(try projects.filter { try query.matches($0) }.map(\.name) == wanted, "\(query)", sourceLocation: location)
    }
  }

  @Test func twoPropertiesAreOfOneElement() throws {
    var random = SeededNumbers(testSeed())
    let projects = try Projects(&random)
    try projects.expect(Query { $0.tasks.any { $0.priority > $0.progressMinutes } }) {
      $1.contains { $0.priority > $0.progressMinutes }
    }
    try projects.expect(Query { $0.tasks.all { $0.priority > $0.progressMinutes } }) {
      $1.allSatisfy { $0.priority > $0.progressMinutes }
    }
    try projects.expect(Query { $0.tasks.none { $0.priority > $0.progressMinutes } }) {
      !$1.contains { $0.priority > $0.progressMinutes }
    }
    try projects.expect(Query { $0.tasks.any { $0.priority + $0.progressMinutes == 5 } }) {
      $1.contains { $0.priority + $0.progressMinutes == 5 }
    }
    try projects.expect(Query { $0.tasks.all { $0.priority == 3 || $0.assignee == nil } }) {
      $1.allSatisfy { $0.priority == 3 || $0.assignee == nil }
    }
  }

  @Test func aCollectionIsThatOfOneElement() throws {
    var random = SeededNumbers(testSeed())
    let projects = try Projects(&random)
    // "debug" contains "bug" as a text, and not as an element.
    try projects.expect(Query { $0.tasks.all { $0.labels.contains("bug") } }) {
      $1.allSatisfy { $0.labels.contains("bug") }
    }
    try projects.expect(Query { $0.tasks.any { $0.labels.contains("bug") } }) {
      $1.contains { $0.labels.contains("bug") }
    }
    try projects.expect(Query { $0.tasks.none { $0.labels.contains("bug") } }) {
      !$1.contains { $0.labels.contains("bug") }
    }
    try projects.expect(Query { $0.tasks.all { $0.ratings > 2 } }) { $1.allSatisfy { $0.ratings.contains { $0 > 2 } } }
    try projects.expect(Query { $0.tasks.any { $0.ratings > $0.priority } }) {
      $1.contains { task in task.ratings.contains { $0 > task.priority } }
    }
    try projects.expect(Query { $0.tasks.all { $0.ratings.count > 1 } }) { $1.allSatisfy { $0.ratings.count > 1 } }
    try projects.expect(Query { $0.tasks.all { $0.labels.any { $0.contains("bug") } } }) {
      $1.allSatisfy { $0.labels.contains { $0.contains("bug") } }
    }
    try projects.expect(Query { $0.tasks.any { $0.ratings.all { $0 > 1 } } }) {
      $1.contains { $0.ratings.allSatisfy { $0 > 1 } }
    }
    try projects.expect(Query { $0.tasks.any { $0.ratings.any { $0 > 0 && $0 < 3 } } }) {
      $1.contains { $0.ratings.contains { $0 > 0 && $0 < 3 } }
    }
    try projects.expect(Query { $0.tasks.labels.all { $0 == "bug" || $0 == "ui" } }) {
      $1.allSatisfy { $0.labels.isSubset(of: ["bug", "ui"]) }
    }
    try projects.expect(Query { $0.tasks.labels.all { $0.contains("bug") } }) {
      $1.allSatisfy { $0.labels.allSatisfy { $0.contains("bug") } }
    }
  }

  @Test func theObjectAroundIsTheSameForAllElements() throws {
    var random = SeededNumbers(testSeed())
    let projects = try Projects(&random)
    try projects.expect(Query { project in project.tasks.any { $0.name == project.name } }) { name, tasks in
      tasks.contains { $0.name == name }
    }
    try projects.expect(Query { project in project.tasks.all { project.name == $0.name } }) { name, tasks in
      tasks.allSatisfy { $0.name == name }
    }
    try projects.expect(Query { project in project.tasks.any { $0.priority > project.tasks.priority.min } }) {
      guard let least = $1.map(\.priority).min() else { return false }
      return $1.contains { $0.priority > least }
    }
    try projects.expect(
      Query { project in project.tasks.any { $0.priority == project.tasks.priority.max && $0.isComplete == true } }
    ) {
      let most = $1.map(\.priority).max()
      return $1.contains { $0.priority == most && $0.isComplete }
    }
    try projects.expect(Query { project in project.tasks.all { $0.priority > project.tasks.progressMinutes } }) {
      let least = $1.map(\.progressMinutes).min() ?? 0
      return $1.allSatisfy { $0.priority > least }
    }
  }

  /// People whose friends have tasks: a collection within a collection.
  private struct People {
    struct Known {
      var friends: [Int]
      var mentor: Int?
      var tasks: [Task]
    }

    let store: Store
    private(set) var known: [Known] = []

    init(_ random: inout SeededNumbers) throws {
      store = try Store.inMemory(Project.self)
      for number in 0..<120 {
        // Friends are few, so that a friend's tasks are often alike; the first people have none.
        let friends =
          number < 20
          ? []
          : (0..<Int.random(in: 0...3, using: &random)).map { _ in
            Int.random(in: 0..<20, using: &random)
          }
        let mentor =
          number > 0 && Bool.random(using: &random) ? Int.random(in: 0..<min(number, 3), using: &random) : nil
        let count = number < 20 ? Int.random(in: 0...3, using: &random) : 0
        let tasks = (0..<count).map { _ in Task.random(names: ["n\(number)", "other"], &random) }
        known.append(Known(friends: friends, mentor: mentor, tasks: tasks))
      }
      let people = known
      try store.write { tx in
        var ids: [ObjectID<Person>] = []
        for (number, person) in people.enumerated() {
          let friends = List(person.friends.map { ids[$0] })
          ids.append(try tx.add(Person("n\(number)", friends: friends, mentor: person.mentor.map { Link(ids[$0]) })))
          for var task in person.tasks {
            task.owner = Link(ids[number])
            try tx.add(task)
          }
        }
      }
    }

    func expect(
      _ query: Query<Person>, at location: SourceLocation = #_sourceLocation, _ condition: (String, Known) -> Bool
    ) throws {
      let wanted = known.indices.filter { condition("n\($0)", known[$0]) }.map { "n\($0)" }
      let found = try store.objects(Person.self).filter(query).values(of: \.name)
      #expect(found == wanted, "\(query)", sourceLocation: location)
      #expect(!wanted.isEmpty && wanted.count < known.count, "\(query) tells nothing apart", sourceLocation: location)
    }
  }

  @Test func collectionsWithinAnElementAreItsOwn() throws {
    var random = SeededNumbers(testSeed())
    let people = try People(&random)
    let known = people.known
    try people.expect(Query { $0.friends.all { $0.tasks.priority > 2 } }) {
      $1.friends.allSatisfy { known[$0].tasks.contains { $0.priority > 2 } }
    }
    try people.expect(Query { $0.friends.any { $0.tasks.all { $0.priority > 2 } } }) {
      $1.friends.contains { known[$0].tasks.allSatisfy { $0.priority > 2 } }
    }
    try people.expect(Query { $0.friends.all { $0.tasks.any { $0.priority > $0.progressMinutes } } }) {
      $1.friends.allSatisfy { known[$0].tasks.contains { $0.priority > $0.progressMinutes } }
    }
    try people.expect(Query { $0.friends.all { $0.tasks.count > 1 } }) {
      $1.friends.allSatisfy { known[$0].tasks.count > 1 }
    }
    try people.expect(Query { $0.friends.all { $0.tasks.priority.max > 2 } }) {
      $1.friends.allSatisfy { known[$0].tasks.map(\.priority).max().map { $0 > 2 } ?? false }
    }
    try people.expect(Query { $0.friends.any { ($0.tasks.priority > 1 && $0.tasks.isComplete == true).count == 1 } }) {
      $1.friends.contains { known[$0].tasks.count { $0.priority > 1 && $0.isComplete } == 1 }
    }
  }

  @Test func elementsAroundAreKnownWithin() throws {
    var random = SeededNumbers(testSeed())
    let people = try People(&random)
    let known = people.known
    try people.expect(Query { $0.friends.any { friend in friend.tasks.any { $0.name == friend.name } } }) {
      $1.friends.contains { friend in known[friend].tasks.contains { $0.name == "n\(friend)" } }
    }
    try people.expect(
      Query { $0.friends.all { friend in friend.tasks.any { $0.name == friend.name && $0.priority > 1 } } }
    ) {
      $1.friends.allSatisfy { friend in known[friend].tasks.contains { $0.name == "n\(friend)" && $0.priority > 1 } }
    }
    try people.expect(
      Query { person in
        person.friends.any { friend in friend.tasks.any { $0.priority > 0 && friend.mentor == person.mentor } }
      }
    ) { _, person in
      person.friends.contains { friend in
        known[friend].tasks.contains { $0.priority > 0 && known[friend].mentor == person.mentor }
      }
    }
    try people.expect(
      Query { $0.friends.any { friend in (friend.tasks.priority > 1 && friend.tasks.name == friend.name).count > 0 } }
    ) {
      $1.friends.contains { friend in known[friend].tasks.contains { $0.priority > 1 && $0.name == "n\(friend)" } }
    }
  }

  @Test func anElementMayBeBehindALink() throws {
    var random = SeededNumbers(testSeed())
    let people = try People(&random)
    let known = people.known
    try people.expect(Query { $0.friends.all { $0.mentor.name == "n0" } }) {
      $1.friends.allSatisfy { known[$0].mentor == 0 }
    }
    try people.expect(Query { $0.friends.none { $0.mentor.name != "n0" } }) {
      !$1.friends.contains { known[$0].mentor != 0 }
    }
    try people.expect(Query { $0.friends.mentor.any { $0.name == "n0" || $0.name == "n1" } }) {
      $1.friends.contains { known[$0].mentor == 0 || known[$0].mentor == 1 }
    }
  }
}

extension Task {
  /// A task with few values, so that conditions are often met.
  fileprivate static func random(names: [String], _ random: inout SeededNumbers) -> Task {
    Task(
      names.randomElement(using: &random) ?? "", isComplete: Bool.random(using: &random),
      assignee: Bool.random(using: &random) ? "Ali" : nil, priority: Int.random(in: 0...3, using: &random),
      progressMinutes: Int.random(in: 0...3, using: &random),
      labels: Set(["bug", "debug", "ui"].filter { _ in Bool.random(using: &random) }),
      ratings: Set((0...3).filter { _ in Bool.random(using: &random) }))
  }
}
