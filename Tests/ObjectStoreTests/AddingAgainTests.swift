import Foundation
import ObjectStore
import Testing

/// What was read from a store is not added once more by mistake.
@Suite struct AddingAgainTests {
  @Test func aStoredValueIsNotAdded() throws {
    let store = try Store.inMemory(Project.self)
    try store.write { tx in try tx.add(Project(name: "one", tasks: [Task(name: "a")])) }
    var project = try #require(try store.objects(Project.self).first)
    let number = try #require(project.objectID).number
    try store.write { tx in
      #expect(throws: StoreError.alreadyStored(entity: "Project", number)) { try tx.add(project) }
      // The transaction goes on.
      try tx.add(Project(name: "two", tasks: project.tasks))
    }
    #expect(try store.objects(Project.self).count == 2)
    // Its tasks were linked to, not copied.
    #expect(try store.objects(Task.self).count == 1)
    project.objectID = nil
    try store.write { tx in try tx.add(project) }
    #expect(try store.objects(Project.self).filter("name == 'one'").count == 2)
  }

  @Test func alsoNotAfterItWasDeletedOrInAnotherStore() throws {
    let store = try Store.inMemory(Person.self)
    let id = try store.write { tx in try tx.add(Person(name: "Ann")) }
    let ann = try #require(try store.objects(Person.self).first)
    try store.write { tx in _ = try tx.delete(id) }
    let other = try Store.inMemory(Person.self)
    for store in [store, other] {
      let error = #expect(throws: StoreError.self) { try store.write { tx in _ = try tx.add(ann) } }
      let text = error?.localizedDescription ?? ""
      #expect(text.contains("'update'") && text.contains("'upsert'") && text.contains("objectID"))
    }
    // A link to what was read is a link, and no copy.
    try other.write { tx in try tx.upsert(ann) }
    #expect(try other.objects(Person.self).count == 1)
  }

  @Test func errorsSayWhatHappenedToWhoeverAsksAnError() throws {
    let store = try Store.inMemory(Person.self)
    func text(_ body: () throws -> Void) -> String {
      do { try body() } catch { return error.localizedDescription }
      return ""
    }
    for unopened in [
      text { _ = try store.objects(Trip.self).first },
      text { try store.write { tx in _ = try tx.add(Trip(code: "x")) } },
    ] {
      #expect(unopened.contains("opened without the model 'Trip'") && unopened.contains("'Trip.self'"), "\(unopened)")
    }
    let wrong = text { _ = try store.objects(Person.self).filter("nam == 'x'") }
    #expect(wrong.contains("Person has no property 'nam'") && wrong.contains("^^^"))
    #expect(text { _ = try store.objects(Person.self)[3] }.contains("position 3"))
  }

  @Test func indexesThatAreNotBuiltAreNoted() throws {
    let store = try Store.inMemory(Site.self)
    #expect(store.notes.count == 2)
    #expect(store.notes.contains { $0.hasPrefix("Site.place: there are no '.geo' indexes yet") })
    #expect(store.notes.contains { $0.hasPrefix("Site.text: there are no '.fullText' indexes yet") })
    try store.write { tx in
      try tx.add(Site(place: Location(name: "Ulm", longitude: 9.99, latitude: 48.4), text: "old town"))
    }
    #expect(try store.objects(Site.self).filter("place geoWithin geoCircle([10, 48.4], 50km)").count == 1)
    #expect(throws: QueryError.self) { try store.objects(Site.self).filter("text TEXT 'old'").count }
    #expect(try store.check().isWhole)
  }
}

@Model struct Site {
  @Attribute(.geo) var place: Location
  @Attribute(.fullText) var text: String
}
