import Testing
import Values

@testable import QueryEngine

/// What queries through links find, in the store of `Works`.
@Suite struct LinkTests {
  typealias Fact = (entity: String, text: String, numbers: [Int])

  /// Asks every fact, and says which are not so.
  private func check(_ facts: [Fact]) throws {
    let works = try Works()
    for fact in facts {
      let found = try? works.numbers(fact.entity, fact.text)
      #expect(found == fact.numbers, "\(fact.entity): \(fact.text)\n\(works.failure(fact.entity, fact.text))")
    }
  }

  @Test func toOnePathsEndInNilWhereALinkIsNil() throws {
    try check([
      ("Task", "assignee.name == 'Alex'", [1, 2]), ("Task", "assignee.age > 29", [1, 2, 3]),
      ("Task", "assignee.boss.name == 'Bo'", [1, 2]), ("Task", "assignee.boss.boss == nil", [1, 2, 3, 4]),
      ("Task", "assignee.name == nil", [4]), ("Task", "assignee.age == nil", [4, 5]),
      ("Task", "NOT assignee.age > 29", [4, 5]), ("Task", "assignee.age != 50", [1, 2, 4, 5]),
      ("Task", "assignee.home.city.name == 'Rome'", [1, 2]), ("Task", "assignee.home.city.size < 2", [5]),
      ("Task", "assignee.home == nil", [4]), ("Task", "assignee.home.city.sizes['old'] == 1", [1, 2]),
      ("Person", "home.city.name BEGINSWITH 'O'", [3]), ("Person", "home.city == nil", [2]),
      ("Person", "boss.boss.boss.boss.name == 'Cy'", [3]), ("Person", "boss.name < name", []),
      ("Person", "boss.name == name", [3]), ("Person", "boss.age + 1 == 51 AND age * 2 > boss.age", [1]),
      ("Person", "home.city.place IN geoCircle([12.5, 41.9], 10km)", [1]),
      ("Person", "home.city.@type == 'City'", [1, 3]), ("Person", "@type == 'Person'", [1, 2, 3]),
      ("Person", "SELF.boss.name == 'Bo'", [1]),
    ])
  }

  @Test func toManyPathsMeanAny() throws {
    try check([
      ("Project", "tasks.priority > 9", [2]), ("Project", "ANY tasks.priority > 8", [1, 2, 4]),
      ("Project", "ALL tasks.priority > 4", [2, 3, 4]), ("Project", "NONE tasks.priority > 8", [3]),
      ("Project", "ANY tasks.priority == 5", [1, 2]), ("Project", "ANY tasks.priority BETWEEN {2, 8}", [1, 2]),
      ("Project", "ANY tasks.priority IN {1, 10}", [1, 2]), ("Project", "ALL tasks.priority IN {9}", [3, 4]),
      ("Project", "tasks.title CONTAINS 'e'", [1, 2, 4]), ("Project", "tasks.labels CONTAINS 'a'", [1, 4]),
      ("Project", "ANY tasks.title LIKE 'c*'", [1, 2]),
      ("Project", "ALL tasks.title MATCHES 's.*'", [3, 4]), ("Project", "ANY tasks.isComplete", [1, 2]),
      ("Project", "ANY tasks.title ==[c] 'DRAW'", [1]), ("Project", "ANY tasks.labels == 'a'", [1, 4]),
      ("Project", "ALL tasks.labels == 'a'", [3, 4]), ("Project", "NONE tasks.labels IN {'c', 'b'}", [3, 4]),
      ("Project", "ANY tasks.assignee.name == 'Bo'", [1, 4]), ("Project", "ANY tasks.assignee == nil", [2]),
      ("Project", "ANY tasks.assignee.age == nil", [2]), ("Project", "ALL tasks.assignee.name != nil", [1, 3, 4]),
      ("Project", "ANY tasks.blockers.priority == 1", [1, 2, 4]),
      ("Project", "ALL tasks.blockers.priority < 6", [1, 3, 4]),
      ("Project", "ANY tasks.priority > lead.age - 25", [1]),
      ("Project", "lead.boss.name IN tasks.assignee.name", [1, 2]),
      ("Project", "parent.tasks.priority == 10", [3]), ("Project", "ALL parent.tasks.priority == 10", [1]),
      ("Project", "NONE parent.tasks.priority == 10", [1, 2, 4]), ("Project", "ANY tasks.@type == 'Task'", [1, 2, 4]),
    ])
  }

  @Test func objectsAreComparedWithObjectsAndByTheirUniqueProperty() throws {
    try check([
      ("Task", "assignee == nil", [4]), ("Task", "assignee != nil", [1, 2, 3, 5]),
      ("Task", "assignee == object('Person', 1)", [1, 2]), ("Task", "assignee != object('Person', 1)", [3, 4, 5]),
      ("Task", "object('Person', 99) == assignee", []), ("Task", "assignee == 'Alex'", [1, 2]),
      ("Task", "assignee != 'Alex'", [3, 4, 5]), ("Task", "assignee IN {'Bo', 'Cy', nil}", [3, 4, 5]),
      ("Task", "assignee IN {object('Person', 3), nil}", [4, 5]), ("Task", "assignee.boss == assignee", [4, 5]),
      ("Task", "NOT assignee IN {object('Person', 1)}", [3, 4, 5]), ("Project", "lead IN tasks.assignee", [1, 2, 4]),
      ("Project", "lead == tasks.assignee", [1, 2, 4]), ("Project", "ANY tasks == object('Task', 3)", [1, 4]),
      ("Project", "object('Task', 4) IN tasks", [2]), ("Project", "tasks CONTAINS object('Task', 2)", [1, 2]),
      ("Task", "object('Person', 1) == 'Alex'", [1, 2, 3, 4, 5]), ("Task", "object('Person', 1) == 'Bo'", []),
      ("Project", "ALL tasks IN {object('Task', 3)}", [3, 4]), ("Project", "tasks == {object('Task', 3)}", [4]),
      ("Project", "NONE tasks == object('Task', 3)", [2, 3]), ("Project", "parent == SELF", [4]),
      ("Project", "ANY tasks.assignee == 'Alex'", [1, 2]), ("Project", "'Bo' IN tasks.assignee", [1, 4]),
      ("Project", "tasks.assignee CONTAINS 'Cy'", []), ("Task", "SELF IN blockers", [4]),
      ("Task", "SELF == object('Task', 2)", [2]), ("Task", "TERNARY(isComplete, assignee, nil) == 'Alex'", [2]),
    ])
  }

  @Test func argumentsMayBeObjects() throws {
    let works = try Works()
    let alex = Value.object(ObjectReference(entity: "Person", number: ObjectNumber(1)))
    let cy = Value.object(ObjectReference(entity: "Person", number: ObjectNumber(3)))
    #expect(try works.numbers("Task", "assignee == %@", [alex]) == [1, 2])
    #expect(try works.numbers("Task", "assignee IN %@", [.list([alex, cy])]) == [1, 2, 5])
    #expect(try works.numbers("Task", "assignee IN %@", [.list([])]) == [])
    #expect(try works.numbers("Project", "ANY tasks.assignee == %@", [alex]) == [1, 2])
    #expect(try works.numbers("Project", "%@ IN tasks.assignee", [cy]) == [])
    #expect(try works.compile("Task", "assignee == %@", [alex]).predicateFormat == "assignee == object(\"Person\", 1)")
  }

  @Test func inversesAndLinksLeadBack() throws {
    try check([
      ("Person", "tasks.@avg.priority == 3", [1]),
      ("Person", "tasks.projects.tasks.@avg.priority > 5.5", [1, 2]),
      ("Project", "SUBQUERY(tasks, $t, $t.@links.@count > 2).@count == 1", [2]),
      ("Person", "SUBQUERY(tasks.projects, $p, $p.lead == SELF).@count == 1", [2]),
      ("Person", "SUBQUERY(tasks, $t, $t.priority > age / 10).@count > 0", [1, 2]),
      ("Person", "tasks.@count > 1", [1]), ("Person", "ANY tasks.priority > 8", [2]),
      ("Person", "tasks.@count == 0", []), ("Task", "projects.@count == 2", [2, 3]),
      ("Task", "ANY projects.name == 'Hat'", [3]), ("Task", "projects.@count == 0", [5]),
      ("Task", "@links.Project.tasks.@count > 0", [1, 2, 3, 4]), ("Task", "@links.@count == 0", [5]),
      ("Task", "@links.@count >= 3", [1, 2]), ("Task", "ANY @links.Task.blockers.title == 'sew'", [1, 2]),
      ("Person", "@links.Person.boss.@count > 0", [2, 3]), ("Person", "@links.Project.lead.name == 'Hat'", [2]),
      ("City", "@links.Person.home.city.@count == 1", [1, 2]), ("City", "@links.Person.home.city.name == 'Cy'", [2]),
      ("Task", "assignee.tasks.@count > 1", [1, 2]), ("Task", "assignee.@links.@count == 3", [1, 2, 3, 5]),
      ("Project", "ANY tasks.projects.name == 'Shop'", [1, 2]), ("Person", "tasks.projects.@count == 3", [1]),
      ("Person", "tasks.projects.@count == 4", []),
      ("Person", "tasks.projects.@distinctUnionOfObjects.name.@count == 2", [1, 2]),
    ])
  }

  @Test func aggregatesGoOverLinkedObjects() throws {
    try check([
      ("Project", "tasks.@count == 3", [1, 2]), ("Project", "tasks.@size > 0", [1, 2, 4]),
      ("Project", "tasks[SIZE] == 1", [4]), ("Project", "tasks.@avg.priority == 5", [1]),
      ("Project", "tasks.@avg.priority == nil", [3]), ("Project", "tasks.@sum.priority == 25", [2]),
      ("Project", "tasks.@sum.priority == 0", [3]), ("Project", "tasks.@max.priority == 9", [1, 4]),
      ("Project", "tasks.@min.title == 'cut'", [1, 2]), ("Project", "tasks.@sum.estimate == 1.5", [1]),
      ("Project", "tasks.@avg.estimate == 4", [2]), ("Project", "tasks.@max.estimate == nil", [3, 4]),
      ("Project", "tasks.@sum.assignee.age == 110", [1]),
      ("Project", "tasks.@max.assignee.home.city.size == 3", [1, 2]),
      ("Project", "tasks.@avg.priority > tasks.@count + 1", [1, 2, 4]),
      ("Project", "tasks.blockers.@count == 3", [1, 2]),
      ("Project", "tasks.blockers.@sum.priority == 7", [1]), ("Project", "tasks.blockers.@sum.priority == 21", [2]),
      ("Project", "tasks.@max.blockers.priority == 10", [2]), ("Project", "tasks.assignee.@count == 3", [1, 2]),
      ("Project", "tasks.@distinctUnionOfObjects.title.@count == 2", [2]),
      ("Project", "'cut' IN tasks.@distinctUnionOfObjects.title", [1, 2]),
      ("Project", "tasks.@distinctUnionOfObjects.assignee.@count == 2", [1]),
      ("Project", "parent.tasks.@count == nil", []), ("Project", "parent.tasks.@count == 0", [1]),
      ("Project", "max(tasks.priority) == 9 AND count(tasks) == 1", [4]),
    ])
  }

  @Test func itemsOfListsAreObjects() throws {
    try check([
      ("Project", "tasks[0].title == 'draw'", [1]), ("Project", "tasks[FIRST].priority == 10", [2]),
      ("Project", "tasks[LAST].title == 'sew'", [1, 4]), ("Project", "tasks[1].assignee.name == 'Alex'", [1, 2]),
      ("Project", "tasks[7] == nil", [1, 2, 3, 4]), ("Project", "tasks[0] == tasks[2]", [2, 3]),
      ("Project", "tasks[tasks.@count - 1].priority == 9", [1, 4]), ("Project", "tasks[0].labels[1] == 'b'", [1]),
      ("Project", "ANY tasks[2].blockers.title == 'cut'", [1]), ("Project", "tasks[0].blockers.@count == 1", [2]),
    ])
  }

  @Test func subqueriesSeeTheElementAndTheOuterObject() throws {
    try check([
      ("Project", "SUBQUERY(tasks, $t, $t.priority > 4).@count == 2", [1]),
      ("Project", "SUBQUERY(tasks, $t, $t.priority > 4).@count == 3", [2]),
      ("Project", "SUBQUERY(tasks, $t, $t.isComplete == false AND $t.assignee == 'Alex').@count > 0", [1]),
      ("Project", "SUBQUERY(tasks, $t, $t.assignee == lead).@count == 2", [1, 2]),
      ("Project", "SUBQUERY(tasks, $t, $t.assignee == lead AND $t.priority > 4).@count == 1", [1, 4]),
      ("Project", "SUBQUERY(tasks, $t, tasks.@count > $t.priority).@count == 1", [1]),
      ("Project", "SUBQUERY(tasks, $t, $t.isComplete).@avg.priority > 8", [2]),
      ("Project", "SUBQUERY(tasks, $t, $t.isComplete).@max.assignee.age == 30", [1, 2]),
      ("Project", "SUBQUERY(tasks, $t, $t.isComplete).@count * 2 > tasks.@count", [2]),
      ("Project", "SUBQUERY(tasks, $t, ANY $t.blockers == $t).@count == 2", [2]),
      (
        "Project", "SUBQUERY(tasks, $t, SUBQUERY($t.blockers, $b, $b.priority < $t.priority).@count > 0).@count == 2",
        [1]
      ),
      ("Project", "SUBQUERY(tasks, $t, SUBQUERY($t.blockers, $t, $t.priority == 1).@count > 0).@count == 1", [2, 4]),
      (
        "Project", "SUBQUERY(tasks, $t, SUBQUERY(tasks, $u, $u.priority > $t.priority).@count == 0).@count == 1",
        [1, 4]
      ),
      ("Project", "SUBQUERY(tasks, $t, $t IN $t.blockers).@count == 2", [2]),
      ("Project", "ANY SUBQUERY(tasks, $t, $t.priority > 4).title == 'draw'", []),
      ("Project", "SUBQUERY(tasks, $t, $t.labels.@count == 0).@distinctUnionOfObjects.title.@count == 1", [1, 2]),
    ])
  }

  @Test func sortsGoThroughLinks() throws {
    try check([
      ("Task", "TRUEPREDICATE SORT(assignee.name DESC, priority DESC)", [5, 3, 2, 1, 4]),
      ("Task", "TRUEPREDICATE SORT(assignee.age)", [4, 5, 1, 2, 3]),
      ("Project", "TRUEPREDICATE SORT(tasks.@count, name)", [3, 4, 1, 2]),
      ("Project", "TRUEPREDICATE SORT(tasks.@avg.priority DESC) LIMIT(2)", [4, 2]),
      ("Project", "TRUEPREDICATE SORT(SUBQUERY(tasks, $t, $t.isComplete).@count DESC)", [2, 1, 3, 4]),
      ("Task", "TRUEPREDICATE DISTINCT(assignee)", [1, 3, 4, 5]),
      ("Task", "TRUEPREDICATE DISTINCT(assignee.boss.name)", [1, 3, 5]),
      ("Task", "TRUEPREDICATE SORT(assignee.age DESC) LIMIT(1) OFFSET(1)", [1]),
    ])
  }

  @Test func mistakesThroughLinksAreNamed() throws {
    let works = try Works()
    for (entity, text, words) in [
      ("Task", "assignee.nmae == 'x'", "did you mean 'name'? Person has name, age, boss, home, tasks"),
      ("Project", "ANY tasks.prioritty > 3", "did you mean 'priority'? Task has"),
      ("Task", "assignee > 5", "objects have no order"), ("Task", "assignee < 'Alex'", "objects have no order"),
      ("Task", "assignee == 5", "cannot be compared"),
      ("Task", "assignee == object('City', 1)", "they cannot be compared"),
      ("Task", "assignee == object('Nobody', 1)", "there is no entity 'Nobody'"),
      ("Project", "parent == 'Coat'", "no unique property"),
      ("Project", "ANY lead.name == 'x'", "ANY is for collections"),
      ("Project", "tasks.@avg > 3", "write the path of one of their properties after it"),
      ("Task", "@links.Project.name.@count > 0", "is not a link to Task"),
      ("Task", "@links.Projct.tasks.@count > 0", "did you mean 'Project'"),
      ("Project", "TRUEPREDICATE SORT(lead)", "write a property of Person after a dot"),
      ("Project", "tasks.@count.x > 1", "nothing can follow"),
      ("Project", "lead.@count > 1", "is a link to one Person"),
      ("Project", "tasks[0].title > 5", "they cannot be compared"), ("Project", "lead.name.first == 'x'", "is String"),
      ("Task", "projects[0] == nil", "only an array has elements by place"),
    ] {
      #expect(works.failure(entity, text).contains(words), "\(text)\n\(works.failure(entity, text))")
    }
  }

  @Test func aPathOfManyLinksIsRefusedBeforeItNestsTooDeep() throws {
    let works = try Works()
    let path = Array(repeating: "boss", count: 5_000).joined(separator: ".")
    #expect(works.failure("Person", "\(path).age > 1").contains("nesting-too-deep"))
    let some = Array(repeating: "boss", count: 150).joined(separator: ".")
    #expect(try works.numbers("Person", "\(some).name == 'Cy'") == [3])
  }
}
