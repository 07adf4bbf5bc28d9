import Foundation
import TestSeeds
import Testing

/// Objects that link to others, as the command takes them in and gives them out.
@Suite struct GraphCommandTests {
  let workshop: Workshop
  let store: String
  let schema: String

  init() throws {
    workshop = try Workshop()
    store = workshop.path + "/store"
    schema = try workshop.file(
      "schema.swift",
      """
      @Model struct Person {
        @Attribute(.unique) var name: String
        var age: Int?
        var friend: Link<Person>?
        @Inverse(\\Task.assignee) var tasks: LinkingObjects<Task>
      }
      @Model struct Project {
        @Attribute(.unique) var code: Int
        var lead: Link<Person>?
        var tasks: List<Task>
        var kept: Kept?
      }
      @Model struct Kept { var at: Link<Project>?; var by: List<Person> }
      @Model struct Task {
        var title: String
        var assignee: Link<Person>?
        var after: List<Task>
      }

      """)
  }

  private func load(_ entity: String, _ text: String, _ words: String..., name: String? = nil) throws -> Command.Outcome
  {
    let file = try workshop.file(name ?? "\(entity).jsonl", text)
    return try Command.run(["import", store, file, entity, "--schema", schema] + words)
  }

  private func ask(_ statement: String, mode: String = "jsonl", at path: String? = nil) throws -> String {
    let outcome = try Command.run(["-m", mode, path ?? store, "-c", statement])
    #expect(outcome.status == 0, "\(statement): \(outcome.errors)")
    return outcome.output
  }

  private func expectWhole(_ path: String) throws {
    let outcome = try Command.run(["check", path])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  // MARK: Import

  @Test func objectsWithinAreAddedOrMerged() throws {
    #expect(try load("Person", "{\"name\":\"Ann\",\"age\":40}\n").status == 0)
    let outcome = try load(
      "Project",
      """
      {"code":1,"lead":{"name":"Ann","friend":{"name":"Bo"}},"tasks":[{"title":"a","assignee":"Ann"},{"title":"b"}]}
      {"code":2,"lead":{"name":"Bo","age":7},"tasks":[{"title":"c","after":[{"title":"d"}]}],"kept":{"at":1,"by":["Bo"]}}

      """)
    #expect(outcome.status == 0 && !outcome.errors.contains("left out"), "\(outcome.errors)")
    #expect(
      try ask("Person") == """
        {"name":"Ann","age":40,"friend":"Bo"}
        {"name":"Bo","age":7,"friend":null}

        """)
    #expect(
      try ask("Project") == """
        {"code":1,"lead":"Ann","tasks":[{"@id":1},{"@id":2}],"kept":null}
        {"code":2,"lead":"Bo","tasks":[{"@id":4}],"kept":{"at":1,"by":["Bo"]}}

        """)
    #expect(try ask("Task WHERE title == 'c' SELECT title, after") == "{\"title\":\"c\",\"after\":[{\"@id\":3}]}\n")
    try expectWhole(store)
  }

  @Test func linksLeadForwardAndInCircles() throws {
    let outcome = try load(
      "Person",
      """
      {"name":"A","friend":"C"}
      {"name":"B","friend":"B"}
      {"name":"C","friend":"A"}

      """)
    #expect(outcome.status == 0 && !outcome.errors.contains("left out"), "\(outcome.errors)")
    #expect(try ask("Person WHERE friend.friend == SELF SELECT name", mode: "csv") == "name\nA\nB\nC\n")
    try expectWhole(store)
  }

  @Test func whatLeadsNowhereIsToldAndTheRestKept() throws {
    let errors = workshop.path + "/errors"
    let outcome = try load(
      "Project",
      """
      {"code":1,"lead":"Nobody","tasks":[{"@id":9},{"title":"a","assignee":"Later"}]}
      {"code":2,"lead":{"name":"Later"},"tasks":[5]}
      {"code":3,"lead":{"age":1}}
      {"code":4,"tasks":[{"name":"x"}]}
      {"code":5,"lead":["Ann"]}
      {"code":6,"lead":{"name":"Later"},"kept":{"at":"x"}}
      {"code":7,"lead":{"name":"Later"}}
      {"code":7,"lead":{"name":"Gone"}}

      """, "--errors", errors, "--store-ids")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("2 objects imported") && outcome.errors.contains("6 bad rows left out"))
    let told = try workshop.text("errors").split(separator: "\n").map {
      String($0.dropFirst(workshop.path.count + "/Project.jsonl:".count))
    }
    #expect(
      told == [
        "2: tasks[0]: Task has no unique property: its objects are named by their number, {\"@id\": 17}",
        "3: lead.name has no value, and may not be nil", "4: tasks[0].title has no value, and may not be nil",
        "5: lead: a list where one Person is wanted", "6: kept.at: Project.code: 'x' is not a whole number",
        "8: code: there is already an object with '7'", "1: lead: there is no Person with name \"Nobody\"",
        "1: tasks[0]: there is no Task with {\"@id\": 9}",
      ], "\(told)")
    // Nothing of a bad row is left.
    #expect(try ask("Person SELECT name", mode: "csv") == "name\nLater\n")
    #expect(try ask("Task SELECT title, assignee", mode: "csv") == "title,assignee\na,Later\n")
    #expect(
      try ask("Project SELECT code, lead, tasks", mode: "tsv")
        == "code\tlead\ttasks\n1\t\t[{\"@id\":1}]\n7\tLater\t[]\n")
    try expectWhole(store)
  }

  @Test func cellsAreReferences() throws {
    #expect(try load("Person", "name,friend\nAnn,Bo\nBo,\n", name: "p.csv").status == 0)
    let outcome = try load(
      "Project", "code,lead,tasks\n1,Ann,\n2,Cy,[]\n3,\"Bo\",\"[{\"\"title\"\":\"\"t\"\"}]\"\n", name: "q.csv")
    #expect(outcome.status == 0 && outcome.errors.contains("q.csv:3: lead: there is no Person with name \"Cy\""))
    #expect(
      try ask("Project SELECT code, lead, tasks.@count", mode: "csv")
        == "code,lead,tasks.@count\n1,Ann,0\n2,,0\n3,Bo,1\n")
  }

  @Test func deepObjectsEndWell() throws {
    let depth = 300
    let text =
      "{\"name\":\"0\"" + (1...depth).map { ",\"friend\":{\"name\":\"\($0)\"" }.joined()
      + String(repeating: "}", count: depth + 1) + "\n"
    let outcome = try load("Person", text)
    #expect(outcome.status == 1 && outcome.errors.contains("nested"), "\(outcome.errors)")
  }

  // MARK: Statements

  @Test func insertWithLinks() throws {
    #expect(try load("Person", "{\"name\":\"Ann\"}\n").status == 0)
    _ = try ask(
      "INSERT Project {\"code\": 1, \"lead\": \"Ann\", \"tasks\": [{\"title\": \"a\", \"assignee\": {\"name\": \"Bo\"}}]}"
    )
    _ = try ask(
      "INSERT Project {\"code\": 2, \"tasks\": [{\"@id\": 1}, {\"@id\": 1}], \"kept\": {\"at\": 1, \"by\": [\"Bo\"]}}")
    #expect(
      try ask("Project") == """
        {"code":1,"lead":"Ann","tasks":[{"@id":1}],"kept":null}
        {"code":2,"lead":null,"tasks":[{"@id":1},{"@id":1}],"kept":{"at":1,"by":["Bo"]}}

        """)
    for (statement, problem) in [
      (
        "INSERT Project {\"code\": 3, \"tasks\": [{\"title\": \"x\"}], \"lead\": \"Cy\"}",
        "there is no Person with name \"Cy\""
      ),
      ("INSERT Project {\"code\": 3, \"lead\": 5}", "whose 'name' is of type String"),
      ("INSERT Project {\"code\": 3, \"tasks\": [5]}", "which has no unique property"),
      ("INSERT Project {\"code\": 3, \"tasks\": [{\"@id\": 77}]}", "there is no Task with {\"@id\": 77}"),
      ("INSERT Project {\"code\": 3, \"tasks\": 5}", "holds links to many objects"),
      ("INSERT Project {\"code\": 3, \"tasks\": [{\"titel\": 5}]}", "did you mean 'title'"),
      ("INSERT Person {\"name\": \"Di\", \"tasks\": []}", "is the other end of Task.assignee"),
    ] {
      let outcome = try Command.run([store, "-c", statement])
      #expect(outcome.status == 1 && outcome.errors.contains(problem), "\(statement): \(outcome.errors)")
    }
    #expect(try ask("COUNT Task") == "1\n" && ask("COUNT Person") == "2\n" && ask("COUNT Project") == "2\n")
    try expectWhole(store)
  }

  @Test func objectsOfOneStatementAreOneByTheirUniqueProperty() throws {
    #expect(try load("Person", "{\"name\":\"Ann\",\"age\":40}\n").status == 0)
    func insert(_ text: String) throws -> String { try Command.run([store, "-c", "INSERT " + text]).errors }
    // To itself, by its name and as an object.
    #expect(try insert("Person {\"name\": \"a\", \"friend\": {\"name\": \"a\"}}") == "1 object inserted\n")
    #expect(try insert("Person {\"name\": \"b\", \"friend\": \"b\"}") == "1 object inserted\n")
    // In a circle, with one that is there in it.
    #expect(
      try insert(
        "Person {\"name\": \"c\", \"friend\": {\"name\": \"d\", \"friend\": {\"name\": \"Ann\", \"friend\": \"c\"}}}")
        == "2 Person inserted, 1 merged\n")
    // What comes later, and what is said of an object in several places.
    #expect(
      try insert(
        """
        Project {"code": 1, "lead": "f", "tasks": [{"title": "x", "assignee": "f"},
          {"title": "y", "assignee": {"name": "f", "age": 7, "friend": "g"}},
          {"title": "z", "assignee": {"name": "g", "friend": {"name": "f", "age": 8}}, "after": [{"title": "w"}]}]}
        """) == "7 objects inserted: 1 Project, 4 Task, 2 Person\n")
    #expect(
      try ask("Person SELECT name, age, friend", mode: "csv")
        == "name,age,friend\nAnn,40,c\na,,a\nb,,b\nd,,Ann\nc,,d\nf,8,g\ng,,f\n")
    #expect(
      try ask("Project SELECT lead, tasks.assignee.name", mode: "jsonl") == """
        {"lead":"f","tasks.assignee.name":["f","f","g"]}

        """)
    // What fails leaves nothing.
    let before = try ask("COUNT Person")
    #expect(
      try insert("Person {\"name\": \"q\", \"friend\": {\"name\": \"r\", \"friend\": \"nobody\"}}").contains("nobody"))
    #expect(try insert("Person {\"name\": \"a\", \"friend\": {\"name\": \"r\", \"friend\": \"a\"}}").contains("error"))
    #expect(
      try ask("COUNT Person") == before && ask("Person WHERE name == 'a' SELECT friend", mode: "csv") == "friend\na\n")
    try expectWhole(store)
  }

  @Test func importedObjectsWithinLeadToThoseAround() throws {
    let outcome = try load(
      "Person",
      """
      {"name":"a","friend":{"name":"b","friend":"a"}}
      {"name":"c","age":1,"friend":{"name":"c"}}
      {"name":"d","friend":{"name":"b","friend":{"name":"d","age":4}}}

      """)
    #expect(outcome.status == 0 && outcome.errors.contains("3 objects imported"), "\(outcome.errors)")
    #expect(outcome.errors.contains("within them: 1 Person inserted, 1 merged"), "\(outcome.errors)")
    #expect(try ask("Person", mode: "csv") == "name,age,friend\nb,,d\na,,b\nc,1,c\nd,4,b\n")
    try expectWhole(store)
  }

  @Test func updateMakesObjects() throws {
    #expect(try load("Person", "{\"name\":\"Ann\"}\n").status == 0)
    #expect(try load("Task", "{\"title\":\"a\"}\n{\"title\":\"b\"}\n").status == 0)
    func update(_ text: String) throws -> String { try Command.run([store, "--yes", "-c", "UPDATE " + text]).errors }
    #expect(
      try update(
        "Task SET title = title, assignee = {\"name\": \"Bo\", \"friend\": {\"name\": \"Ann\", \"friend\": \"Bo\"}}")
        == "2 Task changed, 1 Person inserted, 1 Person merged\n")
    #expect(
      try update("Task SET after = [{\"title\": \"c\"}, {\"@id\": 1}] WHERE title == 'b'")
        == "1 Task changed, 1 inserted\n")
    #expect(try update("Task SET assignee = {\"name\": \"Cy\"} WHERE title == 'none'") == "0 objects changed\n")
    #expect(try update("Task SET assignee = {\"age\": 5} WHERE title == 'a'").contains("'assignee.name' needs a value"))
    #expect(
      try update("Task SET assignee = {\"name\": \"Cy\"}, after = [{\"title\": 5}]").contains(
        "'after[0].title' is of type String"))
    #expect(
      try ask("Task SELECT title, assignee, after", mode: "tsv")
        == "title\tassignee\tafter\na\tBo\t[]\nb\tBo\t[{\"@id\":3},{\"@id\":1}]\nc\t\t[]\n")
    #expect(try ask("Person", mode: "csv") == "name,age,friend\nAnn,,Bo\nBo,,Ann\n")
    try expectWhole(store)
  }

  @Test func cascadesAreCounted() throws {
    let models = try workshop.file(
      "owned.swift",
      """
      @Model struct Job { var name: String; @Relationship(deleteRule: .cascade) var steps: List<Step> }
      @Model struct Step { var name: String }

      """)
    let file = try workshop.file(
      "jobs.jsonl", "{\"name\":\"a\",\"steps\":[{\"name\":\"x\"},{\"name\":\"y\"}]}\n{\"name\":\"b\",\"steps\":[]}\n")
    let jobs = workshop.path + "/jobs"
    #expect(try Command.run(["import", jobs, file, "Job", "--schema", models]).status == 0)
    #expect(
      try Command.run([jobs, "-c", "DELETE Job WHERE name == 'a'"]).errors == "3 objects deleted: 1 Job, 2 Step\n")
    #expect(try Command.run([jobs, "-c", "DELETE Job WHERE name == 'b'"]).errors == "1 object deleted\n")
    #expect(try Command.run([jobs, "-c", "DELETE Job WHERE name == 'b'"]).errors == "0 objects deleted\n")
    #expect(try Command.run([jobs, "-c", "COUNT Step"]).output == "0\n")
  }

  /// A statement that is wrong somewhere within says where: the place in the text, and the way there.
  @Test func whatIsWrongWithinHasItsPlace() throws {
    let statement = """
      INSERT Project {"code": 1,
        "tasks": [{"title": "a"},
          {"title": "b", "assignee": {"age": 5}}]}
      """
    #expect(try load("Person", "{\"name\":\"Ann\"}\n").status == 0)
    let told = try Command.run([store, "-c", statement]).errors
    #expect(
      told == """
        error[missing-value]: 'tasks[1].assignee.name' needs a value
          line 3, column 32
              {"title": "b", "assignee": {"age": 5}}]}
                                         ^^^^^^^^^^
        note: Person.name is not optional and has no default

        """, "\(told)")
  }

  @Test func updateOfLinks() throws {
    #expect(try load("Person", "{\"name\":\"Ann\"}\n{\"name\":\"Bo\",\"friend\":\"Ann\"}\n").status == 0)
    #expect(try load("Task", "{\"title\":\"a\"}\n{\"title\":\"b\",\"assignee\":\"Bo\"}\n").status == 0)
    _ = try ask("UPDATE Task SET assignee = 'Bo', after = {object('Task', 2), object('Task', 2)} WHERE title == 'a'")
    #expect(
      try ask("Task WHERE title == 'a'")
        == "{\"title\":\"a\",\"assignee\":\"Bo\",\"after\":[{\"@id\":2},{\"@id\":2}]}\n")
    _ = try ask("UPDATE Task SET assignee = assignee.friend, after = {} WHERE title == 'a'")
    _ = try ask("UPDATE Task SET assignee = nil WHERE title == 'b'")
    #expect(
      try ask("Task")
        == "{\"title\":\"a\",\"assignee\":\"Ann\",\"after\":[]}\n{\"title\":\"b\",\"assignee\":null,\"after\":[]}\n")
    for (change, problem) in [
      ("assignee = 'Cy'", "there is no Person with name \"Cy\""), ("assignee = 5", "leads to Person"),
      ("after = {5}", "leads to Task"), ("after = 'x'", "holds links to many objects"),
      ("after = nil", "links to many"),
      ("assignee = object('Task', 1)", "leads to Person, and 'object(\"Task\", 1)' is an object of Task"),
      ("assignee.age = 5", "UPDATE Person SET age"),
      ("after = {object('Task', 99)}", "99"),
    ] {
      let outcome = try Command.run([store, "--yes", "-c", "UPDATE Task SET \(change)"])
      #expect(outcome.status == 1 && outcome.errors.contains(problem), "\(change): \(outcome.errors)")
    }
    try expectWhole(store)
  }

  @Test func linksInEveryMode() throws {
    #expect(
      try load(
        "Project", "{\"code\":1,\"lead\":{\"name\":\"Ann\",\"age\":3},\"tasks\":[{\"title\":\"a\"}]}\n{\"code\":2}\n"
      ).status == 0)
    #expect(
      try ask("Project GROUP BY lead SELECT lead, @count")
        == "{\"lead\":\"Ann\",\"@count\":1}\n{\"lead\":null,\"@count\":1}\n")
    #expect(
      try ask("Project SELECT lead AS who, lead.age, tasks", mode: "csv")
        == "who,lead.age,tasks\nAnn,3,\"[{\"\"@id\"\":1}]\"\n,,[]\n")
    #expect(try ask("Project SELECT code, lead", mode: "line") == "code = 1\nlead = Ann\n\ncode = 2\nlead = nil\n")
    #expect(try ask("Project WHERE code == 1 SECTIONS BY lead SELECT code").hasPrefix("{\"section\":\"Ann\""))
    #expect(try ask("Task", mode: "ids") == "1\n" && ask("Person", mode: "ids") == "Ann\n")
  }

  // MARK: Export

  /// A random graph, with what links make of it: circles, links to itself, objects twice in a list, objects without a name.
  private func randomGraph(_ random: inout Dice) throws {
    let people = 1 + random.below(12)
    let tasks = 1 + random.below(20)
    func person() -> String { random.below(4) == 0 ? "null" : "\"p\(random.below(people))\"" }
    func list(_ count: Int, _ element: () -> String) -> String {
      "[" + (0..<count).map { _ in element() }.joined(separator: ",") + "]"
    }
    let folder = workshop.path + "/in"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: schema, toPath: folder + "/schema.swift")
    _ = try workshop.file(
      "in/Person.jsonl", (0..<people).map { "{\"name\":\"p\($0)\",\"friend\":\(person())}\n" }.joined())
    // Numbers of their own, in an order of their own, with gaps.
    let numbers = (0..<tasks).map { $0 * 3 + 2 }.reversed()
    func task() -> String { "{\"@id\":\(random.below(tasks) * 3 + 2)}" }
    _ = try workshop.file(
      "in/Task.jsonl",
      numbers.map { number in
        "{\"@id\":\(number),\"title\":\"t\(number)\",\"assignee\":\(person()),\"after\":\(list(random.below(4), task))}\n"
      }.joined())
    _ = try workshop.file(
      "in/Project.jsonl",
      (0..<random.below(9)).map { code in
        let kept =
          "{\"at\":\(random.below(code + 1)),\"by\":\(list(random.below(3)) { "\"p\(random.below(people))\"" })}"
        return "{\"code\":\(code),\"lead\":\(person()),\"tasks\":\(list(random.below(5), task)),"
          + "\"kept\":\(random.below(2) == 0 ? "null" : kept)}\n"
      }.joined())
  }

  /// A dump with the numbers of its tasks in order from 1.
  private func renumbered(_ folder: String) throws -> [String] {
    let files = try ["Person", "Project", "Task"].map { try workshop.text("\(folder)/\($0).jsonl") }
    let own = files[2].split(separator: "\n").compactMap { line in
      line.prefixMatch(of: /\{"@id":([0-9]+),/).map { String($0.1) }
    }
    let ranks = Dictionary(uniqueKeysWithValues: own.enumerated().map { ($1, "\($0 + 1)") })
    return files.map { text in
      text.replacing(/"@id":([0-9]+)/) { match in "\"@id\":\(ranks[String(match.1)] ?? "none of them")" }
    }
  }

  @Test(arguments: 0..<8) func whatIsDumpedIsReadBack(round: Int) throws {
    let seed = testSeed() &+ UInt64(round)
    var random = Dice(state: seed)
    try randomGraph(&random)
    let read = try Command.run(["import", store, workshop.path + "/in"])
    #expect(read.status == 0 && !read.errors.contains("left out"), "seed \(seed): \(read.errors)")
    // Gaps in the numbers.
    _ = try Command.run([store, "--yes", "-c", "DELETE Task WHERE title ENDSWITH '\(random.below(10))'"])
    _ = try ask(".dump \(workshop.path)/first")
    let copy = workshop.path + "/copy"
    let back = try Command.run(["import", copy, workshop.path + "/first"])
    #expect(back.status == 0 && !back.errors.contains("left out"), "seed \(seed): \(back.errors)")
    _ = try ask(".dump \(workshop.path)/second", at: copy)
    #expect(try renumbered("first") == renumbered("second"), "seed \(seed)")
    try expectWhole(copy)
  }

  @Test func filesReadOneByOneReferToEachOther() throws {
    #expect(try load("Person", "{\"name\":\"Ann\"}\n").status == 0)
    #expect(try load("Task", "{\"title\":\"a\",\"assignee\":\"Ann\"}\n{\"title\":\"b\"}\n").status == 0)
    let project = "{\"code\":1,\"tasks\":[{\"@id\":2},{\"@id\":1},{\"@id\":2}]}\n"
    #expect(try load("Project", project, "--store-ids").status == 0)
    #expect(try ask("Project SELECT tasks.title") == "{\"tasks.title\":[\"b\",\"a\",\"b\"]}\n")
    for mode in ["csv", "json"] {
      let file = workshop.path + "/x." + mode
      _ = try ask(".export \(file) Task")
      #expect(try workshop.text("x." + mode).contains("@id"))
    }
    // In a query's own output there are the properties and nothing else.
    #expect(try ask("Task WHERE title == 'b'") == "{\"title\":\"b\",\"assignee\":null,\"after\":[]}\n")
  }
}

extension GraphCommandTests {
  /// The numbers of another store would lead to other objects.
  @Test func numbersOfAnotherStoreAreRefused() throws {
    #expect(try load("Task", "{\"title\":\"a\"}\n{\"title\":\"b\"}\n").status == 0)
    let outcome = try load(
      "Project", "{\"code\":1,\"tasks\":[{\"title\":\"c\"},{\"@id\":2}]}\n{\"code\":2}\n")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains(
        "Project.jsonl:1: tasks[1]: {\"@id\": 2} is the number of a Task in the store that the data")
        && outcome.errors.contains("--store-ids"), "\(outcome)")
    // Nothing of the row is left.
    #expect(try ask("Project SELECT code", mode: "csv") == "code\n2\n" && ask("COUNT Task") == "2\n")
    // Neither does a number lead to an object that was there before, where the file's own objects have none.
    let own = try load("Task", "{\"title\":\"d\",\"after\":[{\"@id\":1}]}\n")
    #expect(
      own.errors.contains("after[0]: there is no Task with {\"@id\": 1}; no Task of the data has a number"), "\(own)")
    #expect(try ask("Task WHERE title == 'd' SELECT after") == "{\"after\":[]}\n")
    #expect(try load("Task", "{\"title\":\"e\",\"after\":[{\"@id\":1}]}\n", "--store-ids").status == 0)
    #expect(try ask("Task WHERE title == 'e' SELECT after.title") == "{\"after.title\":[\"a\"]}\n")
  }

  @Test func featuresKeepTheirLinks() throws {
    let places = workshop.path + "/places"
    let schema = try workshop.file(
      "places.swift",
      """
      @Model struct Spot { var longitude: Double; var latitude: Double; var name: String }
      @Model struct Stop { var n: Int; var site: Spot?; var next: Link<Stop>? }

      """)
    let lines =
      #"{"@id":8,"n":1,"site":{"longitude":1.5,"latitude":2.5,"name":"x"},"next":{"@id":9}}"# + "\n"
      + #"{"@id":9,"n":2,"site":null,"next":{"@id":8}}"# + "\n"
    let made = try Command.run(
      ["import", places, try workshop.file("stops.jsonl", lines), "Stop", "--schema", schema])
    #expect(made.status == 0, "\(made)")
    _ = try ask("DELETE Stop WHERE n == 0", at: places)
    let (file, copy) = (workshop.path + "/out.geojson", workshop.path + "/copy")
    #expect(try Command.run(["export", places, file, "Stop SORT BY n DESC"]).status == 0)
    let back = try Command.run(["import", copy, file, "Stop", "--schema", schema])
    #expect(back.status == 0 && !back.errors.contains("left out"), "\(back)")
    let query = "Stop SORT BY n SELECT n, site, next.n"
    #expect(try ask(query, at: copy) == ask(query, at: places))
    #expect(try ask("Stop WHERE n == 1 SELECT site.longitude, site.name", mode: "csv", at: copy).hasSuffix("1.5,x\n"))
  }
}

/// Numbers that a seed determines.
private struct Dice {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(limit, 1)))
  }
}
