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

  /// What a view of any model would hold: it is made of a predicate, or of a whole request.
  @Test func aViewOfAnyModel() throws {
    struct DynamicFetchRequest<T: Model> {
      let live: ObservedQuery<T>

      init(
        _ store: Store, withPredicate predicate: Query<T>, andSortDescriptor sortDescriptors: [SortDescriptor<T>] = []
      )
        throws
      {
        live = ObservedQuery(try store.objects(T.self).filter(predicate).sorted(by: sortDescriptors))
      }

      init(_ store: Store, withFetchRequest request: FetchDescriptor<T>) throws {
        live = ObservedQuery(try store.objects(T.self).fetching(request))
      }
    }
    let store = try sample()
    let old = try DynamicFetchRequest(
      store, withPredicate: Query<Account>("age > 30"), andSortDescriptor: [SortDescriptor(\.name)])
    #expect(try old.live.results.map(\.name) == ["Ada", "Bo"])
    let all = try DynamicFetchRequest(
      store, withFetchRequest: FetchDescriptor<Account>(sortBy: [SortDescriptor(\.age)]))
    #expect(try all.live.results.map(\.name) == ["Abel", "Ada", "Bo"])
  }

  @Test func accountsByASearchText() throws {
    let accounts = try sample().objects(Account.self).sorted(by: \.name)
    func withSearchText(_ searchText: String) throws -> Results<Account> {
      let search_criteria = "name CONTAINS[c] %@"
      return try accounts.filter(search_criteria, searchText)
    }
    #expect(try withSearchText("AB").map { account in "\(account.name) \(account.age)" } == ["Abel 17"])
    #expect(try withSearchText("").map(\.name) == ["Abel", "Ada", "Bo"])
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
    let rows = try letters.flatMap { section in try section.objects.map { "\(section.key): \($0.name)" } }
    #expect(rows == ["A: Abel", "A: Ada", "B: Bo"])
  }
}
