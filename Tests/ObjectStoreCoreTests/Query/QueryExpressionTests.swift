import Foundation
import ObjectStoreCore
import Testing

/// Queries written in Swift: every example of Realm's page, and what it means as a text.
@Suite struct QueryExpressionTests {
  private func expectSame<Object: Model>(
    _ query: Query<Object>, _ text: String, in store: Store, _ count: Int? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let read = try Query<Object>(text)
    #expect(query == read, sourceLocation: location)
    let ids = try store.objects(Object.self).filter(query).ids
    #expect(try ids == store.objects(Object.self).filter(text).ids, sourceLocation: location)
    if let count { #expect(ids.count == count, sourceLocation: location) }
    let again = try Query<Object>(query.predicateFormat)
    #expect(again == query, sourceLocation: location)
  }

  @Test func theExamplesOfTasks() throws {
    let store = try Project.store()
    try expectSame(Query<Task> { $0.priority > 5 }, "priority > 5", in: store)
    try expectSame(Query<Task> { $0.progressMinutes >= 120 }, "progressMinutes >= 120", in: store, 1)
    try expectSame(Query<Task> { $0.assignee == nil }, "assignee == nil", in: store)
    try expectSame(Query<Task> { $0.labels.contains("bug") }, "labels CONTAINS 'bug'", in: store, 1)
    try expectSame(
      Query<Task> { $0.progressMinutes.contains(30...60) }, "progressMinutes BETWEEN {30, 60}", in: store)
    try expectSame(
      Query<Task> { $0.progressMinutes.contains(30..<91) }, "progressMinutes BETWEEN {30, 90}", in: store, 2)
    try expectSame(
      Query<Task> { $0.labels.containsAny(in: ["quick win", "bug"]) }, "ANY labels IN {'quick win', 'bug'}", in: store,
      2)
    try expectSame(
      Query<Task> {
        let names = ["Ali", "Jamie"]
        return $0.assignee.in(names)
      }, "assignee IN {'Ali', 'Jamie'}", in: store, 2)
    try expectSame(
      Query<Task> { ($0.assignee == "Ali") && ($0.isComplete == true) }, "assignee == 'Ali' AND isComplete == TRUE",
      in: store, 1)
    try expectSame(Query<Task> { $0.assignee.like("Al?x") }, "assignee LIKE 'Al?x'", in: store, 2)
    try expectSame(
      Query<Task> { $0.assignee.like("al?X", caseInsensitive: true) }, "assignee LIKE[c] 'al?X'", in: store, 2)
    try expectSame(Query<Task> { $0.name.matches("st.p [0-9]") }, "name MATCHES 'st.p [0-9]'", in: store, 6)
    try expectSame(
      Query<Task> { $0.name.ends(with: "T", options: .caseInsensitive) }, "name ENDSWITH[c] 'T'", in: store)
    try expectSame(Query<Task> { $0.ratings > 2 }, "ratings > 2", in: store)
    try expectSame(Query<Task> { $0.isComplete && !$0.name.isEmpty }, "isComplete AND NOT name == ''", in: store)
    try expectSame(Query<Task> { $0.projects.name == "movie" }, "projects.name == 'movie'", in: store, 2)
  }

  @Test func theExamplesOfProjects() throws {
    let store = try Project.store()
    try expectSame(
      Query<Project> { ($0.tasks.progressMinutes > 1) && ($0.tasks.assignee == "Ali") },
      "tasks.progressMinutes > 1 AND tasks.assignee == 'Ali'", in: store, 1)
    try expectSame(
      Query<Project> { $0.name.starts(with: "e", options: .caseInsensitive) }, "name BEGINSWITH[c] 'e'", in: store)
    try expectSame(Query<Project> { $0.name.contains("ie") }, "name CONTAINS 'ie'", in: store)
    try expectSame(
      Query<Project> { $0.name.contains("e", options: [.caseInsensitive, .diacriticInsensitive]) },
      "name CONTAINS[cd] 'e'", in: store)
    try expectSame(Query<Project> { $0.tasks.priority.avg > 5 }, "tasks.@avg.priority > 5.0", in: store)
    try expectSame(Query<Project> { $0.tasks.priority.max < 5 }, "tasks.@max.priority < 5", in: store)
    try expectSame(Query<Project> { $0.tasks.priority.min > 5 }, "tasks.@min.priority > 5", in: store)
    try expectSame(Query<Project> { $0.tasks.count > 5 }, "tasks.@count > 5", in: store, 1)
    try expectSame(
      Query<Project> { $0.tasks.progressMinutes.sum > 100 }, "tasks.@sum.progressMinutes > 100", in: store, 1)
    try expectSame(
      Query<Project> { $0.tasks.labels.containsAny(in: ["quick win", "bug"]) },
      "ANY tasks.labels IN {'quick win', 'bug'}", in: store, 2)
    try expectSame(Query<Project> { $0.tasks.ratings > 2 }, "tasks.ratings > 2", in: store)
    try expectSame(
      Query<Project> { ($0.tasks.isComplete == false && $0.tasks.assignee == "Alex").count > 0 },
      "SUBQUERY(tasks, $t, $t.isComplete == FALSE AND $t.assignee == 'Alex').@count > 0", in: store)
    try expectSame(
      Query<Project> { ($0.tasks.isComplete == true && $0.tasks.name != $0.name).count == 6 },
      "SUBQUERY(tasks, $t, $t.isComplete == TRUE AND $t.name != name).@count == 6", in: store, 1)
    #expect(try store.objects(Project.self).where { $0.tasks.isEmpty }.count == 1)
    let task = try #require(try store.objects(Task.self).first(where: "name == 'paint'"))
    #expect(try store.objects(Project.self).where { $0.tasks.contains(task) }.array.map(\.name) == ["New Project"])
    #expect(try store.objects(Project.self).where { $0.tasks == task }.count == 1)
  }

  @Test func structsArithmeticAndShapes() throws {
    let store = try Quake.store()
    try expectSame(
      Query<Quake> { $0.magnitude > 5 && $0.place.name.contains("alaska", options: [.caseInsensitive]) },
      "magnitude > 5.0 AND place.name CONTAINS[c] 'alaska'", in: store, 1)
    try expectSame(Query<Quake> { $0.origin == nil }, "origin == nil", in: store, 3)
    try expectSame(Query<Quake> { $0.origin.name == "Napa" }, "origin.name == 'Napa'", in: store, 1)
    try expectSame(Query<Quake> { $0.origin.name == nil }, "origin.name == nil", in: store, 3)
    try expectSame(
      Query<Quake> { ($0.magnitude + 1) * 2 > $0.place.latitude - 0.5 },
      "(magnitude + 1.0) * 2.0 > place.latitude - 0.5",
      in: store)
    try expectSame(Query<Quake> { 5 < $0.magnitude }, "5.0 < magnitude", in: store, 2)
    try expectSame(Query<Quake> { $0.felt % 2 == 1 }, "modulus:by:(felt, 2) == 1", in: store, 2)
    try expectSame(Query<Quake> { -$0.magnitude < -5 }, "-magnitude < -5.0", in: store, 2)
    try expectSame(Query<Quake> { $0.code.count == 3 }, "length(code) == 3", in: store, 5)
    let felt: Int? = nil
    try expectSame(Query<Quake> { $0.felt != felt }, "felt != nil", in: store, 3)
    let start = Date(timeIntervalSinceReferenceDate: 200)
    #expect(try store.objects(Quake.self).where { $0.time > start && $0.felt.in([3, nil]) }.count == 2)
    let circle = GeoCircle(center: (-150, 61), radius: .kilometers(150.5))
    try expectSame(
      Query<Quake> { $0.place.geoWithin(circle) }, "place geoWithin geoCircle([-150.0, 61.0], 150.5km)", in: store, 2)
    #expect(try store.objects(Quake.self).filter("place IN %@", circle).count == 2)
    let box = GeoBox(bottomLeft: (-125, 30), topRight: (-110, 40))
    try expectSame(
      Query<Quake> { $0.place.geoWithin(box) }, "place geoWithin geoBox([-125.0, 30.0], [-110.0, 40.0])", in: store, 2)
    #expect(try store.objects(Quake.self).filter("place geoWithin %@", box).count == 2)
    let polygon = GeoPolygon(
      outer: [(-125, 30), (-110, 30), (-110, 40), (-125, 40)],
      holes: [[(-123, 37), (-121, 37), (-121, 39), (-123, 39)]])
    #expect(try store.objects(Quake.self).where { $0.place.geoWithin(polygon) }.array.map(\.code) == ["ci3"])
    #expect(try store.objects(Quake.self).filter("place IN %@", polygon).array.map(\.code) == ["ci3"])
    let bad = GeoCircle(center: (0, 95), radius: .kilometers(-1))
    #expect(throws: QueryError.self) { try store.objects(Quake.self).filter("place IN %@", bad) }
  }

  @Test func whatCannotBeSaidIsThrown() throws {
    let store = try Project.store()
    let several = store.objects(Task.self).where {
      ($0.projects.name == "movie" && $0.owner.friends.name == "Ali").count > 0
    }
    let error = #expect(throws: QueryError.self) { try several.count }
    #expect(error?.message.contains("projects") == true && error?.message.contains("owner.friends") == true)
    let nothing = Query<Task> { ($0.priority > 5).count > 0 }
    #expect(throws: QueryError.self) { try store.objects(Task.self).filter(nothing) }
    #expect(throws: QueryError.self) { try store.objects(Task.self).filter(nothing && .all) }
    #expect(throws: QueryError.self) { try JSONEncoder().encode([nothing]) }
    let computed = #expect(throws: QueryError.self) { try Query<Person> { $0.shout == "A" }.matches(Person("a")) }
    #expect(computed?.code == "unknown-key-path")
  }

  @Test func aCountInACountHasAVariableOfItsOwn() throws {
    let store = try Project.store()
    try expectSame(
      Query<Person> { (($0.tasks.projects.tasks.priority > 1).count > 0 && $0.tasks.name != "").count > 0 },
      "SUBQUERY(tasks, $t2, SUBQUERY($t2.projects.tasks, $t, $t.priority > 1).@count > 0 AND $t2.name != '').@count > 0",
      in: store)
  }

  @Test func sharedCollectionsAreTheInnermostThatAllPathsHave() throws {
    let store = try Project.store()
    try expectSame(
      Query<Task> { ($0.projects.tasks.priority > 5 && $0.projects.name == "movie").count > 0 },
      "SUBQUERY(projects, $t, $t.tasks.priority > 5 AND $t.name == 'movie').@count > 0", in: store, 2)
  }
}

extension Person {
  fileprivate var shout: String { name.uppercased() }
}
