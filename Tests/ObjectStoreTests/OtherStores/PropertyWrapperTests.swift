import Foundation
import ObjectStore
import Testing

/// "Exploring SwiftUI property wrappers": `@FetchRequest`, `@SectionedFetchRequest`, `@Query`, `@Bindable`; the data part.
@Suite struct PropertyWrapperTests {
  private func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  private func sample() throws -> Store {
    let store = try Store.inMemory(Item.self, People.self)
    try store.write { tx in
      try tx.add([
        Item(timestamp: date(30), categoryID: 2), Item(timestamp: date(10), categoryID: 1),
        Item(timestamp: date(20), categoryID: 2),
      ])
    }
    return store
  }

  @Test func itemsByTime() throws {
    let store = try sample()
    let items = ObservedQuery(store.objects(Item.self).sorted(by: \.timestamp))
    #expect(try items.results.map(\.timestamp) == [date(10), date(20), date(30)])
  }

  @Test func aRowForEachItem() throws {
    let items = try sample().objects(Item.self).sorted(by: \.timestamp)
    let labels = try items.map { item in "Item at \(item.timestamp.timeIntervalSinceReferenceDate)" }
    #expect(labels == ["Item at 10.0", "Item at 20.0", "Item at 30.0"])
  }

  @Test func betweenTwoDates() throws {
    let store = try sample()
    let (startDate, endDate) = (date(10), date(20))
    let items = try store.objects(Item.self).filter("timestamp >= %@ AND timestamp <= %@", startDate, endDate)
    #expect(try items.count == 2)
  }

  @Test func anotherPredicateAndOrder() async throws {
    let store = try sample()
    let items = ObservedQuery(store.objects(Item.self).sorted(by: \.timestamp))
    var changes = items.changes().makeAsyncIterator()
    _ = try await changes.next()
    items.query = .none
    guard case .update(_, let deletions, _, _, _)? = try await changes.next() else { throw StoreError.finished }
    #expect(deletions == [0, 1, 2])
    items.query = .all
    items.sort = [SortDescriptor(\.timestamp, order: .reverse)]
    guard case .update(let shown, _, _, _, _)? = try await changes.next() else { throw StoreError.finished }
    #expect(try shown.map(\.timestamp) == [date(30), date(20), date(10)])
  }

  @Test func aRequestAsAValue() throws {
    let store = try sample()
    let request = FetchDescriptor<Item>(sortBy: [SortDescriptor(\.timestamp)])
    #expect(try store.fetch(request).map(\.categoryID) == [1, 2, 2])
    let items = ObservedQuery(try store.objects(Item.self).fetching(request))
    #expect(try items.results.count == 3)
  }

  @Test func aNewItem() throws {
    let store = try sample()
    var newItem = Item(timestamp: Date())
    try store.save(&newItem)
    #expect(try store.objects(Item.self).count == 4 && newItem.objectID != nil)
  }

  @Test func itemsInSections() throws {
    let store = try sample()
    let items = store.objects(Item.self).sorted(by: [SortDescriptor(\.categoryID), SortDescriptor(\.timestamp)])
    let sectionItems = try items.sectioned(by: \.categoryID).sections()
    #expect(sectionItems.map(\.id) == [1, 2] && sectionItems.map(\.count) == [1, 2])
    #expect(try sectionItems[1].objects.map(\.timestamp) == [date(20), date(30)])
  }

  /// Rows are read section by section, so that a list need not have all of them at once.
  @Test func rowsOfNestedSections() throws {
    let items = try sample().objects(Item.self).sorted(by: [SortDescriptor(\.categoryID), SortDescriptor(\.timestamp)])
    var rows: [String] = []
    for section in try items.sectioned(by: \.categoryID).sections() {
      rows.append("Section \(section.id)")
      for item in try section.objects { rows.append("\(item.timestamp.timeIntervalSinceReferenceDate)") }
    }
    #expect(rows == ["Section 1", "10.0", "Section 2", "20.0", "30.0"])
  }

  @Test func valuesFromOutsideAPredicate() throws {
    let store = try sample()
    let now = Date.now
    #expect(try store.objects(Item.self).filter(#Predicate { $0.timestamp < now }).count == 3)
    let item = try #require(try store.objects(Item.self).first)
    let startDate = item.timestamp
    #expect(try store.objects(Item.self).filter(#Predicate { $0.timestamp < startDate }).count == 2)
    #expect(try store.objects(Item.self).where { $0.timestamp < item.timestamp }.count == 2)
    #expect(try store.objects(Item.self).where { $0.timestamp < Date.now }.count == 3)
  }

  /// What names a view: the identity of its object, which stays when the object changes, and no other object has.
  @Test func identitiesOfViews() throws {
    let store = try sample()
    let trends = try store.objects(Item.self).array
    #expect(Set(trends.map(\.id)).count == 3)
    let id = try #require(trends[0].objectID)
    try store.write { tx in try tx.update(id) { $0.categoryID = 9 } }
    #expect(try store.object(id)?.id == trends[0].id)
  }

  @Test func trendsOfARotor() throws {
    let store = try Store.inMemory(Trend.self)
    try store.write { tx in
      try tx.add([
        Trend(message: "a", isPositive: true, count: 2), Trend(message: "b", isPositive: false, count: 3),
        Trend(message: "c", isPositive: false, count: 4),
      ])
    }
    let trends = store.objects(Trend.self)
    #expect(try trends.where { !$0.isPositive }.map(\.message) == ["b", "c"])
    #expect(try trends.filter("modulus:by:(count, 2) == 0").map(\.message) == ["a", "c"])
  }

  /// What two views edit is one object: the one that saves is seen by all that watch it.
  @Test func somebodyWhoIsWatched() async throws {
    let store = try sample()
    let id = try await store.add(People(name: "fat", age: 18))
    var watched = store.changes(of: id).makeAsyncIterator()
    #expect(try await watched.next()?.name == "fat")
    try await store.write { tx in try tx.update(id) { people in people.age = 19 } }
    #expect(try await watched.next()?.age == 19)
  }

  @Test func somebodyWhoIsEdited() throws {
    let store = try sample()
    var people = People(name: "fat", age: 18)
    try store.save(&people)
    people.name = "thin"
    try store.save(&people)
    #expect(try store.objects(People.self).map(\.name) == ["thin"])
  }
}
