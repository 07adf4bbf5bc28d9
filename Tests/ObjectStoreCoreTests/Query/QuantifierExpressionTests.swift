import ObjectStoreCore
import Testing

/// ALL, ANY and NONE where a query is written in Swift.
@Suite struct QuantifierExpressionTests {
  private func expectSame<Object: Model>(
    _ query: Query<Object>, _ text: String, in store: Store, at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try query == Query<Object>(text), "\(query.predicateFormat)", sourceLocation: location)
    let objects = store.objects(Object.self)
    #expect(try objects.filter(query).ids == objects.filter(text).ids, sourceLocation: location)
    #expect(try Query<Object>(query.predicateFormat) == query, sourceLocation: location)
  }

  @Test func aComparisonTakesAQuantifier() throws {
    let store = try Project.store()
    try expectSame(Query<Project> { $0.tasks.all { $0.priority > 2 } }, "ALL tasks.priority > 2", in: store)
    try expectSame(Query<Project> { $0.tasks.any { $0.priority > 2 } }, "ANY tasks.priority > 2", in: store)
    try expectSame(Query<Project> { $0.tasks.none { $0.priority > 2 } }, "NONE tasks.priority > 2", in: store)
    try expectSame(
      Query<Project> { $0.tasks.all { $0.name.contains("a", options: .caseInsensitive) } },
      "ALL tasks.name CONTAINS[c] 'a'", in: store)
    try expectSame(
      Query<Project> { $0.tasks.none { $0.assignee.in(["Ali", nil]) } }, "NONE tasks.assignee IN {'Ali', nil}",
      in: store)
    try expectSame(Query<Task> { $0.ratings.all { $0 > 2 } }, "ALL ratings > 2", in: store)
    try expectSame(Query<Task> { !$0.labels.none { $0 == "bug" } }, "NOT NONE labels == 'bug'", in: store)
    try expectSame(
      Query<Project> { project in project.tasks.any { $0.name == project.name } }, "ANY tasks.name == name", in: store)
    try expectSame(
      Query<Person> { $0.friends.all { $0.mentor.name == "Ali" } }, "ALL friends.mentor.name == 'Ali'", in: store)
    try expectSame(Query<Project> { $0.tasks.labels.none { $0 == "bug" } }, "NONE tasks.labels == 'bug'", in: store)
    // All of nothing.
    let empty = try store.objects(Project.self).where { $0.tasks.isEmpty }.ids
    #expect(try store.objects(Project.self).where { $0.tasks.all { $0.priority > 99 } }.ids == empty)
  }

  @Test func aConditionOfSeveralIsASubquery() throws {
    let store = try Project.store()
    try expectSame(
      Query<Project> { $0.tasks.all { $0.priority > 2 && $0.isComplete == true } },
      "SUBQUERY(tasks, $t, NOT ($t.priority > 2 AND $t.isComplete == TRUE)).@count == 0", in: store)
    try expectSame(
      Query<Project> { $0.tasks.any { $0.priority > 2 || $0.assignee == nil } },
      "SUBQUERY(tasks, $t, $t.priority > 2 OR $t.assignee == nil).@count > 0", in: store)
    try expectSame(
      Query<Project> { $0.tasks.none { !($0.priority > 2) } },
      "SUBQUERY(tasks, $t, NOT $t.priority > 2).@count == 0", in: store)
    try expectSame(
      Query<Project> { $0.tasks.any { $0.priority > $0.progressMinutes } },
      "SUBQUERY(tasks, $t, $t.priority > $t.progressMinutes).@count > 0", in: store)
    try expectSame(
      Query<Project> { $0.tasks.all { $0.labels.contains("bug") } },
      "SUBQUERY(tasks, $t, NOT $t.labels CONTAINS 'bug').@count == 0", in: store)
    try expectSame(
      Query<Person> { $0.friends.all { $0.tasks.priority > 5 } },
      "SUBQUERY(friends, $t, NOT $t.tasks.priority > 5).@count == 0", in: store)
    try expectSame(
      Query<Project> { $0.tasks.any { task in task.projects.any { $0.name != task.name && $0.name != "movie" } } },
      "SUBQUERY(tasks, $t, SUBQUERY($t.projects, $t2, $t2.name != $t.name AND $t2.name != 'movie').@count > 0).@count > 0",
      in: store)
    try expectSame(
      Query<Project> { $0.tasks.any { ($0.projects.name == "movie" && $0.name == "cut").count > 0 } },
      "SUBQUERY(tasks, $t, SUBQUERY($t.projects, $t2, $t2.name == 'movie' AND $t.name == 'cut').@count > 0).@count > 0",
      in: store)
    try expectSame(
      Query<Task> { $0.ratings.all { $0 > 2 && $0 < 5 } },
      "SUBQUERY(ratings, $t, NOT ($t > 2 AND $t < 5)).@count == 0", in: store)
    try expectSame(
      Query<Project> { $0.tasks.labels.any { $0 == "bug" || $0 == "ui" } },
      "SUBQUERY(tasks.labels, $t, $t == 'bug' OR $t == 'ui').@count > 0", in: store)
  }
}
