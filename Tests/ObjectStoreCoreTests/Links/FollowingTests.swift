import Foundation
import ObjectStoreCore
import Testing

/// In which version links are followed, and what of the store they hold.
@Suite struct FollowingTests {
  private func project(_ name: String, _ store: Store) throws -> Project {
    try #require(try store.objects(Project.self).filter("name == %@", name).first)
  }

  @Test func resultsOfALink() throws {
    let store = try Project.store()
    let steps = try project("fiesta", store).tasks
    #expect(try steps.results.objects().map(\.priority) == [1, 2, 3, 0, 1, 2])
    #expect(try steps.results.filter("priority > 1").objects().map(\.name) == ["step 2", "step 3", "step 6"])
    #expect(try steps.results.sorted(by: \.priority, .reverse).limit(2).objects().map(\.name) == ["step 3", "step 2"])
    #expect(try steps.results.distinct(by: \.priority).objects().map(\.priority) == [1, 2, 3, 0])
    #expect(try steps.results.sum(of: \.progressMinutes) == 21)
    #expect(try steps.results.max(of: \.priority) == 3)
    #expect(try steps.results.offset(4).ids == Array(steps.ids[4...]))
    #expect(try steps.results.filter("FALSEPREDICATE").count == 0)
    #expect(try steps.results.explain().text.contains("Given  6 of Task"))
  }

  @Test func orderAndRepetitionsAreKept() throws {
    let store = try Store.inMemory(Project.self)
    let (a, b) = try store.write { tx in (try tx.add(Task("a", priority: 1)), try tx.add(Task("b"))) }
    try store.write { tx in _ = try tx.add(Project("one", tasks: [b, a, b])) }
    let tasks = try project("one", store).tasks
    #expect(try tasks.results.ids == [b, a, b])
    #expect(try tasks.results.count == 3)
    #expect(try tasks.results.filter("priority == 0").ids == [b, b])
    #expect(try tasks.results.limit(2).ids == [b, a])
    #expect(try tasks.results.sorted(by: \.name).ids == [a, b])
    #expect(try tasks.results.distinct(by: \.name).ids == [b, a])
    #expect(try tasks.results.sorted(by: \.isComplete).ids == [b, a])
    #expect(try tasks.results.sorted(by: \.name, .reverse).sorted(by: \.isComplete).limit(2).ids == [b, a])
  }

  @Test func inverses() throws {
    let store = try Project.store()
    let cut = try #require(try store.objects(Task.self).filter("name == 'cut'").first)
    #expect(try cut.projects.objects().map(\.name) == ["movie"])
    try store.write { tx in _ = try tx.add(Project("again", tasks: [cut, cut])) }
    #expect(try cut.projects.objects().map(\.name) == ["movie", "again"])
    #expect(try cut.projects.count == 2)
    #expect(try cut.projects[1].name == "again")
    #expect(try cut.projects.results.filter("name BEGINSWITH 'a'").count == 1)
    #expect(throws: IndexOutOfRange.self) { try cut.projects[2] }
    #expect(try Task("new").projects.isEmpty)
    #expect(try Task("new").projects.ids.isEmpty)
    #expect(throws: StoreError.self) { try Task("new").projects.results }
  }

  @Test func theVersionAroundIsUsed() throws {
    let store = try Project.store()
    let movie = try project("movie", store)
    let cut = try #require(movie.tasks.ids.first)
    func rename(_ name: String) throws {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        try? store.write { tx in try tx.update(cut) { $0.name = name } }
        done.signal()
      }
      done.wait()
    }
    try store.snapshot { s in
      #expect(try movie.tasks[0].object().name == "cut")
      try rename("later")
      #expect(try movie.tasks[0].object().name == "cut")
      #expect(try movie.tasks.results.first?.name == "cut")
      #expect(try s.objects(Task.self).filter("name == 'later'").count == 0)
    }
    #expect(try movie.tasks[0].object().name == "later")
    try store.objects(Project.self).filter("name == 'movie'").forEach { project in
      try rename("last")
      #expect(try project.tasks.objects().map(\.name) == ["later", "shot"])
      #expect(try project.tasks[0].object().projects.objects().map(\.name) == ["movie"])
    }
    #expect(try movie.tasks.objects().map(\.name) == ["last", "shot"])
    try store.write { tx in
      try tx.update(cut) { $0.name = "mine" }
      #expect(try movie.tasks[0].object().name == "mine")
      #expect(try movie.tasks.results.filter("name == 'mine'").count == 1)
      try tx.objects(Project.self).filter("name == 'movie'").forEach { project in
        let name = try project.tasks[0].object().name
        #expect(name == "mine")
      }
    }
  }

  @Test func theStoreIsNotHeld() throws {
    var store: Store? = try Project.store()
    let project = try #require(try store?.objects(Project.self).first)
    let task = try #require(try project.tasks.objects().first)
    store = nil
    #expect(throws: StoreError.closed) { try project.tasks.objects() }
    #expect(throws: StoreError.closed) { try project.tasks[0].object() }
    #expect(throws: StoreError.closed) { try task.projects.objects() }
    #expect(throws: StoreError.closed) { try project.tasks.results }
    #expect(project.tasks.count == 1)
  }

  @Test func identitiesAloneNeedAReadAround() throws {
    let store = try Project.store()
    let link = Link(ObjectID<Task>(ObjectNumber(1)))
    #expect(throws: StoreError.self) { try link.object() }
    #expect(try store.snapshot { _ in try link.object().name } == "paint")
    let values = [Task("x"), Task("y")]
    #expect(try List(values).objects() == values)
  }

  @Test func results() throws {
    let store = try Project.store()
    let (inner, list) = try store.snapshot { s in (s.objects(Task.self), try self.project("movie", store).tasks) }
    #expect(throws: StoreError.finished) { try inner.count }
    #expect(try list.results.count == 2)
  }

  @Test func equality() throws {
    let store = try Project.store()
    let projects = try store.objects(Project.self).objects()
    #expect(try store.objects(Project.self).objects() == projects)
    #expect(Set(projects).count == 5)
    let new = Link(Task("a"))
    #expect(new == new.asLink && new != Link(Task("a")))
    #expect(List([new, new]) != List([Task("a"), Task("a")]))
    #expect("\(new)" == "new Task" && "\(Link(ObjectID<Task>(ObjectNumber(3))))" == "Task@3")
  }
}
