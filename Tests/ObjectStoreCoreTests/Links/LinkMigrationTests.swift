import ObjectStoreCore
import Testing

/// Links that come and go with their models, and links of objects known by name only.
@Suite struct LinkMigrationTests {
  /// A task before it had an owner: of the same name in the file.
  private static func plain() throws -> Schema {
    var task = try #require(try Store.inMemory(Project.self).schema.entity(named: "Task"))
    task.properties.removeAll {
      if case .linkingObjects = $0.type { true } else { $0.name == "owner" }
    }
    return Schema(entities: [task])
  }

  @Test func linksAreAddedAndDropped() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    do {
      let store = try Store.openDynamic(path, mode: .create, schema: Self.plain())
      let row: [Value] = [.string("old"), .bool(false), .null, .int(0), .int(0), .list([]), .list([])]
      try store.write { tx in _ = try tx.inserter(for: "Task").append(row) }
    }
    do {
      let store = try Store(path, models: Project.self)
      let task = try #require(try store.objects(Task.self).first)
      #expect(task.name == "old" && task.owner == nil)
      #expect(try task.projects.isEmpty)
      try store.write { tx in
        _ = try tx.add(Project("one", tasks: [task]))
        try tx.update(try #require(task.objectID)) { $0.owner = Link(Person("Alex")) }
      }
      #expect(try store.check().isWhole)
    }
    let store = try Store.openDynamic(path, mode: .readWrite)
    let name = Property(name: "name", type: .scalar(.string))
    let note = Property(name: "note", type: .scalar(.bool), defaultValue: .bool(false))
    let task = Entity(name: "Task", properties: [name, note])
    let columns = try store.objects("Task").columns.map(\.path)
    try store.declare(Schema(entities: [task]), keeping: ["Task.isComplete"])
    #expect(try store.objects("Task").columns.map(\.path) == columns + ["note"])
    // A person's tasks are the other end of the owner, and go with it.
    try store.declare(Schema(entities: [task]), removing: ["Task.owner", "Person.friends", "Person.mentor"])
    #expect(try store.objects("Task").columns.map(\.path) == columns.filter { $0 != "owner" } + ["note"])
    #expect(try store.schema.entity(named: "Person")?.properties.map(\.name) == ["name"])
    // A link to another entity is another property.
    var other = try store.schema
    let position = try #require(other.entities.firstIndex { $0.name == "Project" })
    other.entities[position].properties[1].type = .list("Person")
    #expect(throws: StoreError.self) { try store.declare(other) }
    let first = Value.object(ObjectReference(entity: "Task", number: ObjectNumber(1)))
    #expect(try store.objects("Project").first?["tasks"] == .list([first]))
    #expect(try store.check().isWhole)
  }

  /// The other ends of links are declared when the links are there already, and lead back at once, with their rules; a
  /// link that is declared later starts empty for the objects that are there.
  @Test func inversesAreAddedToLinksThatAreThere() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    let count = 700
    var schema = try Store.inMemory(Project.self).schema
    for place in schema.entities.indices {
      schema.entities[place].properties.removeAll {
        if case .linkingObjects = $0.type { true } else { $0.name == "mentor" }
      }
    }
    do {
      let store = try Store.openDynamic(path, mode: .create, schema: schema)
      try store.write { tx in
        let people = try tx.inserter(for: "Person")
        let tasks = try tx.inserter(for: "Task")
        let projects = try tx.inserter(for: "Project")
        func links(_ numbers: [Int]) -> Value { .list(numbers.map { .int(Int64($0)) }) }
        for number in 1...count { _ = try people.append([.string("p\(number)"), links([number % count + 1, 1])]) }
        for number in 1...count {
          let row: [Value] = [.string("t\(number)"), .bool(false), .null, .int(0), .int(0), .list([]), .list([])]
          _ = try tasks.append(row + [number % 3 == 0 ? .null : .int(Int64(number / 2 + 1))])
        }
        for number in 1...count { _ = try projects.append([.string("x\(number)"), links([number, 7, number])]) }
      }
    }
    let store = try Store(path, models: Project.self)
    #expect(try store.check().isWhole)
    let tasks = try store.objects(Task.self).objects()
    #expect(tasks.count == count)
    for (place, task) in tasks.enumerated() where place != 6 {
      #expect(try task.projects.ids.map(\.number) == [ObjectNumber(UInt64(place + 1))])
    }
    #expect(try tasks[6].projects.count == count)
    let people = try store.objects(Person.self).objects()
    #expect(people.allSatisfy { $0.mentor == nil })
    #expect(try people[4].tasks.ids.map(\.number.rawValue) == [8])
    #expect(try store.objects(Person.self).filter("tasks.@count == 0").count == people.count { try $0.tasks.isEmpty })
    #expect(try store.objects(Person.self).filter("@links.Person.friends.@count == %@", count).count == 1)
    let fifth = try #require(people[4].objectID)
    #expect(throws: StoreError.self) { try store.write { tx in try tx.delete(fifth) } }
    try store.write { tx in
      for person in people { try tx.update(try #require(person.objectID)) { $0.mentor = Link(fifth) } }
      try tx.delete(tx.objects(Task.self).filter("owner.name == 'p5'"))
      try tx.delete(fifth)
    }
    #expect(try store.objects(Person.self).filter("mentor == nil").count == count - 1)
    #expect(try store.check().isWhole)
  }

  @Test func objectsByName() throws {
    let store = try Project.store()
    let movie = try #require(try store.objects("Project").filter("name == 'movie'").first)
    let tasks = try movie.objects(at: "tasks")
    #expect(try tasks.objects().map { $0["name"] } == [.string("cut"), .string("shot")])
    let cut = try #require(try tasks.first)
    #expect(try cut.objects(at: "projects").objects() == [movie])
    #expect(try store.objects("Project").filter("ANY tasks == %@", cut).ids == [movie.id])
    #expect(cut["owner"] == .null)
    #expect(throws: StoreError.unknownProperty(entity: "Task", path: "owners", suggestion: "owner")) {
      try cut.objects(at: "owners")
    }
    let alex = try store.write { tx in
      let alex = try tx.inserter(for: "Person").append([.string("Alex"), .list([]), .null])
      let reference = Value.object(ObjectReference(entity: "Person", number: alex))
      try tx.update(cut.id, of: "Task", ["owner": reference])
      try tx.update(alex, of: "Person", ["friends": .list([reference]), "mentor": reference])
      #expect(throws: StoreError.self) { try tx.update(movie.id, of: "Project", ["tasks": .list([reference])]) }
      return reference
    }
    #expect(try store.objects("Task").filter("owner == %@", alex).ids == [cut.id])
    #expect(try store.objects("Task").filter("owner == 'Alex'").rows(["owner", "name"]) == [[alex, .string("cut")]])
    let person = try #require(try store.objects("Person").first)
    #expect(person["friends"] == .list([alex]) && person["mentor"] == alex)
    #expect(try person.objects(at: "tasks").ids == [cut.id])
    #expect("\(person)".hasSuffix(#"(name: "Alex", friends: {object("Person", 1)}, mentor: object("Person", 1))"#))
  }
}
