import Foundation
import ObjectStore
import Testing

@Suite struct LinkTests {
  @Test func definition() {
    let person = Person.modelDefinition.entity
    #expect(person.properties.map(\.name) == ["name", "friends", "mentor", "pupils", "tasks"])
    #expect(person.property(named: "friends")?.type == .list("Person"))
    #expect(person.property(named: "mentor")?.type == .link("Person"))
    #expect(person.property(named: "mentor")?.isOptional == true)
    #expect(person.property(named: "pupils")?.type == .linkingObjects(entity: "Person", property: "mentor"))
    #expect(person.property(named: "tasks")?.type == .linkingObjects(entity: "Task", property: "work.owner"))
    #expect(person.property(named: "tasks")?.deleteRule == .deny)
    #expect(Project.modelDefinition.entity.property(named: "tasks")?.deleteRule == .cascade)
    #expect(Person.modelDefinition.columns.map(\.path) == ["name", "friends", "mentor"])
    #expect(Person.modelDefinition.path(of: \Person.pupils) == "pupils")
    #expect(Task.modelDefinition.path(of: \Task.work.owner) == "work.owner")
  }

  @Test func whatAModelLinksToIsOpenedToo() throws {
    let store = try Store.inMemory(Project.self)
    #expect(try store.schema.entities.map(\.name) == ["Project", "Task", "Person"])
    #expect(try store.schema.embedded.map(\.name) == ["Work"])
  }

  @Test func linksEndToEnd() throws {
    let store = try Store.inMemory(Task.self, Project.self)
    let alex = Link(Person(name: "Alex"))
    let id = try store.write { tx in
      try tx.add(Project(name: "New", tasks: [Task(assignee: "Alex", priority: 5, work: Work(owner: alex))]))
    }
    let task = try #require(try store.objects(Project.self).first?.tasks[0].object())
    #expect(task.priority == 5)
    #expect(try task.projects.objects().map(\.objectID) == [id])
    #expect(try task.work.owner?.object().name == "Alex")
    #expect(try store.objects(Person.self).first?.tasks.count == 1)
    try store.write { tx in try tx.update(id) { $0.tasks.append(Task(name: "more", priority: 9)) } }
    let urgent = try store.objects(Project.self).filter("ANY tasks.priority > 5 AND tasks.@count == 2")
    #expect(try urgent.first?.tasks.results.sorted(by: \.priority, .reverse).first?.name == "more")
    #expect(try store.objects(Task.self).filter("work.owner == %@", alex).count == 1)
    try store.write { tx in _ = try tx.delete(id) }
    #expect(try store.objects(Task.self).count == 0)
    #expect(try store.check().isWhole)
  }
}
