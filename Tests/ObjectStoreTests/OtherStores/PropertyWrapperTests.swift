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

  @Test func valuesFromOutsideAPredicate() throws {
    let store = try sample()
    let now = Date.now
    #expect(try store.objects(Item.self).filter(#Predicate { $0.timestamp < now }).count == 3)
    let item = try #require(try store.objects(Item.self).first)
    let startDate = item.timestamp
    #expect(try store.objects(Item.self).filter(#Predicate { $0.timestamp < startDate }).count == 2)
    #expect(try store.objects(Item.self).where { $0.timestamp < item.timestamp }.count == 2)
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
