import Foundation
import ObjectStore
import Testing

/// "SwiftUI: Dynamically filtering FetchRequest": accounts behind a search field, and under the letters of the alphabet.
@Suite struct DynamicFetchRequestTests {
  private func sample() throws -> Store {
    let store = try Store.inMemory(Account.self)
    try store.write { tx in
      try tx.add([Account(name: "Bo", age: 40), Account(name: "Ada", age: 36), Account(name: "Abel", age: 17)])
    }
    return store
  }

  @Test func aPredicateAndAnOrder() throws {
    let store = try sample()
    let predicate = try Query<Account>("age > %d", 30)
    let request = FetchDescriptor(predicate, sortBy: [SortDescriptor(\.name)])
    #expect(try store.fetch(request).map(\.name) == ["Ada", "Bo"])
    #expect(try store.objects(Account.self).fetching(request).count == 2)
  }

  @Test func whatSomebodyTypes() async throws {
    let store = try sample()
    let live = ObservedQuery(store.objects(Account.self))
    var changes = live.changes().makeAsyncIterator()
    _ = try await changes.next()
    live.query = try Query("name CONTAINS[c] %@", "B")
    guard case .update(let shown, let deletions, _, _, _)? = try await changes.next() else { throw StoreError.finished }
    #expect(try shown.map(\.name) == ["Bo", "Abel"] && deletions == [1])
  }

  @Test func aSectionForEachLetter() throws {
    let accounts = try sample().objects(Account.self).sorted(by: \.name)
    let sections = try accounts.sectioned(by: "firstLetter(name)").sections()
    #expect(sections.map(\.count) == [2, 1])
    #expect(try sections[0].objects.map(\.name) == ["Abel", "Ada"])
    let letters = try accounts.sectioned(byFirstLetterOf: \.name).sections()
    #expect(letters.map(\.key) == ["A", "B"])
  }
}
