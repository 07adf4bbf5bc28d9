import Dispatch
import ObjectStoreCore
import Synchronization
import Testing

/// Adding, changing and deleting objects that link to each other.
@Suite struct GraphTests {
  private func names(_ store: Store) throws -> [String] { try store.objects(Task.self).objects().map(\.name) }

  @Test func addingAddsWhatIsLinkedTo() throws {
    let store = try Store.inMemory(Project.self)
    let alex = Link(Person("Alex"))
    let id = try store.write { tx in
      try tx.add(Project("New", tasks: [Task("a", owner: alex), Task("b", owner: alex), Task("c")]))
    }
    #expect(try names(store) == ["a", "b", "c"])
    #expect(try store.objects(Person.self).objects().map(\.name) == ["Alex"])
    let project = try #require(try store.objects(Project.self).first)
    #expect(project.objectID == id)
    #expect(try project.tasks.objects().map(\.name) == ["a", "b", "c"])
    #expect(try project.tasks[1].object().owner?.object().name == "Alex")
    // The links that were given lead to what was added.
    #expect(alex.id == project.tasks.first.flatMap { try? $0.object().owner?.id })
    #expect(try store.write { tx in try tx.add(Task("d", owner: alex)) }.number == ObjectNumber(4))
    #expect(try store.objects(Person.self).count == 1)
    #expect(try store.check().isWhole)
  }

  @Test func objectsOfTheStoreAreLinkedTo() throws {
    let store = try Store.inMemory(Project.self)
    let task = try store.write { tx in try tx.add(Task("a")) }
    let read = try #require(try store.objects(Task.self).first)
    try store.write { tx in
      try tx.add(Project("one", tasks: [read, task, Task("b"), read.asLink]))
    }
    let project = try #require(try store.objects(Project.self).first)
    #expect(try project.tasks.objects().map(\.name) == ["a", "a", "b", "a"])
    #expect(try names(store) == ["a", "b"])
    #expect(project.tasks.contains(read) && project.tasks.contains(task))
    #expect(project.tasks.firstIndex(of: task) == 0)
  }

  @Test func chainsMayBeLong() throws {
    let store = try Store.inMemory(Person.self)
    var first = Person("0")
    for number in 1...50_000 { first = Person("\(number)", mentor: Link(first)) }
    try store.write { tx in _ = try tx.add(first) }
    #expect(try store.objects(Person.self).count == 50_001)
    #expect(try store.objects(Person.self).filter("mentor == nil").objects().map(\.name) == ["0"])
  }

  @Test func whatComesToNothingIsNewAgain() throws {
    let store = try Store.inMemory(Project.self)
    struct Stop: Error {}
    let task = Link(Task("a"))
    #expect(throws: Stop.self) {
      try store.write { tx in
        _ = try tx.add(Project("one", tasks: [task]))
        #expect(task.id != nil)
        throw Stop()
      }
    }
    #expect(task.id == nil)
    #expect(try names(store) == [])
    try store.write { tx in _ = try tx.add(Project("two", tasks: [task, task])) }
    #expect(try names(store) == ["a"])
    #expect(try task.object().name == "a")
  }

  @Test func upsertMergesByUniqueProperty() throws {
    let store = try Store.inMemory(Person.self)
    try store.write { tx in _ = try tx.add([Person("Alex"), Person("Ali")]) }
    try store.write { tx in
      try tx.upsert(Person("Jamie", friends: [Person("Ali", mentor: Link(Person("Alex"))), Person("Kim")]))
    }
    #expect(try store.objects(Person.self).objects().map(\.name) == ["Alex", "Ali", "Kim", "Jamie"])
    let jamie = try #require(try store.objects(Person.self).last)
    #expect(try jamie.friends.objects().map(\.name) == ["Ali", "Kim"])
    #expect(try jamie.friends[0].object().mentor?.object().name == "Alex")
    // Adding does not merge.
    #expect(throws: StoreError.self) {
      try store.write { tx in try tx.add(Person("Lee", friends: [Person("Ali")])) }
    }
    #expect(try store.objects(Person.self).count == 4)
  }

  @Test func updating() throws {
    let store = try Project.store()
    let project = try #require(try store.objects(Project.self).filter("name == 'enterprise'").first)
    let id = try #require(project.objectID)
    let alex = Link(Person("Alex"))
    try store.write { tx in
      try tx.update(id) {
        $0.tasks.append(Task("new", owner: alex))
        $0.tasks.move(from: 2, to: 0)
        $0.tasks.append($0.tasks[1])
      }
    }
    func tasks() throws -> [Task] {
      try #require(try store.objects(Project.self).filter("name == 'enterprise'").first).tasks.objects()
    }
    #expect(try tasks().map(\.name) == ["new", "plan", "build", "plan"])
    let new = try #require(try tasks()[0].objectID)
    try store.write { tx in
      try tx.update(new) { $0.owner = nil }
      try tx.update(id) {
        $0.tasks.remove(at: 1)
        $0.tasks.insert(Task("inserted"), at: 1)
        $0.tasks.replace(at: 0, with: Task("replaced"))
        #expect($0.tasks.remove(new) == 0)
      }
    }
    #expect(try tasks().map(\.name) == ["replaced", "inserted", "build", "plan"])
    #expect(try store.objects(Task.self).filter("name == 'new' AND owner == nil").count == 1)
    #expect(try store.check().isWhole)
  }

  @Test func linksToNothingAreRefused() throws {
    let store = try Store.inMemory(Project.self)
    #expect(
      throws: StoreError.danglingLink(
        entity: "Project", object: ObjectNumber(1), path: "tasks", target: "Task", missing: ObjectNumber(7))
    ) {
      try store.write { tx in try tx.add(Project("one", tasks: [ObjectID<Task>(ObjectNumber(7))])) }
    }
    #expect(try store.objects(Project.self).count == 0)
  }

  // MARK: Deleting

  @Test func cascade() throws {
    let store = try Project.store()
    let deleted = try store.write { tx in try tx.delete(tx.objects(Project.self).filter("tasks.@count > 0")) }
    #expect(deleted == 4)
    #expect(try names(store) == [])
    #expect(try store.objects(Project.self).objects().map(\.name) == ["Étude"])
    #expect(try store.check().isWhole)
  }

  @Test func denyWhileThereAreAny() throws {
    let store = try Store.inMemory(Project.self)
    let (alex, task) = try store.write { tx in
      let alex = try tx.add(Person("Alex"))
      return (alex, try tx.add(Task("a", owner: Link(alex))))
    }
    #expect(
      throws: StoreError.deleteDenied(
        DeniedDelete(
          entity: "Person", object: .init(alex.number, .string("Alex")), path: "tasks", other: "Task",
          others: [.init(task.number)], count: 1))
    ) { try store.write { tx in try tx.delete(alex) } }
    #expect(try store.objects(Person.self).count == 1)
    try store.write { tx in
      try tx.delete(task)
      try tx.delete(alex)
    }
    #expect(try store.objects(Person.self).count == 0)
  }

  @Test func nullify() throws {
    let store = try Store.inMemory(Person.self)
    let alex = try store.write { tx in
      let alex = try tx.add(Person("Alex"))
      try tx.add(Person("Ali", friends: [alex, Person("Kim"), alex], mentor: Link(alex)))
      try tx.update(alex) { $0.mentor = Link(alex) }
      return alex
    }
    let before = try #require(try store.objects(Person.self).filter("name == 'Ali'").first)
    try store.write { tx in try tx.delete(alex) }
    let after = try #require(try store.objects(Person.self).filter("name == 'Ali'").first)
    #expect(after.mentor == nil)
    #expect(try after.friends.objects().map(\.name) == ["Kim"])
    // What was read before knows who it was, and finds that it is gone.
    #expect(before.mentor?.id == alex)
    #expect(throws: StoreError.unknownObject(entity: "Person", alex.number)) { try before.mentor?.object() }
    #expect(try before.friends.objects().map(\.name) == ["Kim"])
    #expect(try before.friends.results.count == 1)
    #expect(try store.check().isWhole)
  }

  @Test func cycles() throws {
    let store = try Store.inMemory(Person.self)
    let (a, b) = try store.write { tx in
      let a = try tx.add(Person("a"))
      let b = try tx.add(Person("b", friends: [a], mentor: Link(a)))
      try tx.update(a) {
        $0.friends = [a, b]
        $0.mentor = Link(b)
      }
      return (a, b)
    }
    let read = try #require(try store.objects(Person.self).first)
    #expect(read.friends.ids == [a, b])
    #expect(try read.mentor?.object().mentor?.object() == read)
    try store.write { tx in try tx.delete(b) }
    #expect(try #require(try store.objects(Person.self).first).friends.ids == [a])
    #expect(try store.check().isWhole)
  }

  /// The same values in several stores, from several threads: each store has each new object once, and what links lead to
  /// is known for every store.
  @Test func valuesAreAddedToSeveralStoresAtOnce() throws {
    let wrong = Mutex<[String]>([])
    for _ in 0..<60 {
      let task = Task("shared")
      let link = task.asLink
      var first = Project("first")
      first.tasks.append(link)
      var second = Project("second")
      second.tasks.append(link)
      let projects = [first, second]
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do {
          let store = try Store.inMemory(Project.self)
          for project in projects { try store.write { tx in _ = try tx.add(project) } }
          let names = try store.objects(Task.self).objects().map(\.name)
          let lists = try store.objects(Project.self).objects().map { try $0.tasks.objects().map(\.name) }
          if names != ["shared"] || lists != [["shared"], ["shared"]] {
            wrong.withLock { $0.append("\(names) \(lists)") }
          }
        } catch { wrong.withLock { $0.append("\(error)") } }
      }
    }
    #expect(wrong.withLock { $0 } == [])
  }
}
