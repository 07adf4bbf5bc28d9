import Foundation
import ObjectStore
import Testing

/// Apple's sample "Filtering and sorting persistent data": a list of earthquakes with a day, a search field and an order.
@Suite struct FilteringAndSortingTests {
  enum SortParameter { case time, magnitude }

  private let day = Date(timeIntervalSince1970: 1_517_616_000)

  private func sample() throws -> Store {
    let store = try Store.inMemory(Quake.self)
    let (alaska, chile) = (
      Location(name: "Anchorage, Alaska", longitude: -150, latitude: 61),
      Location(name: "Chile", longitude: -70, latitude: -30)
    )
    try store.write { tx in
      try tx.add([
        Quake(code: "a", magnitude: 2, time: day + 3600, location: alaska),
        Quake(code: "b", magnitude: 6, time: day + 7200, location: chile),
        Quake(code: "c", magnitude: 4, time: day + 10_800, location: alaska),
        Quake(code: "d", magnitude: 5, time: day + 100_000, location: alaska),
      ])
    }
    return store
  }

  @Test func theWholeCollection() async throws {
    let store = try sample()
    let quakes = ObservedQuery(store.objects(Quake.self))
    var changes = quakes.changes().makeAsyncIterator()
    guard case .initial(let shown)? = try await changes.next() else { throw StoreError.finished }
    #expect(try shown.array.count == 4)
    _ = try await store.add(
      Quake(code: "e", magnitude: 1, time: day, location: Location(name: "Oslo", longitude: 11, latitude: 60)))
    guard case .update(_, _, let insertions, _, _)? = try await changes.next() else { throw StoreError.finished }
    #expect(insertions == [4])
  }

  @Test func largeCirclesBehindSmallOnes() throws {
    let store = try sample()
    let quakes = ObservedQuery(store.objects(Quake.self).sorted(by: \.magnitude, order: .reverse))
    #expect(try quakes.results.map(\.magnitude) == [6, 5, 4, 2])
  }

  @Test func aMarkerForEach() throws {
    struct QuakeMarker: Equatable {
      let quake: Quake
      let selected: Bool
    }
    let quakes = try sample().objects(Quake.self).sorted(by: \.magnitude, order: .reverse)
    let selectedId = try #require(try quakes.first).id
    let markers = try quakes.map { quake in QuakeMarker(quake: quake, selected: quake.id == selectedId) }
    #expect(markers.map(\.quake.code) == ["b", "d", "c", "a"])
    #expect(markers.map(\.selected) == [true, false, false, false])
  }

  @Test func aPredicateInOnePlace() throws {
    let store = try sample()
    let ofTheDay = Quake.predicate(searchText: "", searchDate: day + 5000)
    #expect(try store.objects(Quake.self).filter(ofTheDay).map(\.code) == ["a", "b", "c"])
    let alaskan = Quake.predicate(searchText: "Alaska", searchDate: day + 5000)
    #expect(try store.objects(Quake.self).filter(alaskan).map(\.code) == ["a", "c"])
  }

  @Test func theMapAndTheList() throws {
    let store = try sample()
    let map = ObservedQuery(store.objects(Quake.self))
    let list = ObservedQuery(store.objects(Quake.self))
    func show(_ searchText: String, _ sortParameter: SortParameter, _ sortOrder: SortOrder) throws {
      let predicate = Quake.predicate(searchText: searchText, searchDate: day)
      map.results = try store.objects(Quake.self).filter(predicate).sorted(by: \.magnitude, order: .reverse)
      let quakes = try store.objects(Quake.self).filter(predicate)
      switch sortParameter {
      case .time: list.results = quakes.sorted(by: \.time, order: sortOrder)
      case .magnitude: list.results = quakes.sorted(by: \.magnitude, order: sortOrder)
      }
    }
    try show("", .time, .reverse)
    #expect(try map.results.map(\.code) == ["b", "c", "a"] && list.results.map(\.code) == ["c", "b", "a"])
    try show("Alaska", .magnitude, .forward)
    #expect(try map.results.map(\.code) == ["c", "a"] && list.results.map(\.code) == ["a", "c"])
  }

  /// What the map selects and the list shows is an identity, which stays while the list changes.
  @Test func theSelectionIsAnIdentity() throws {
    let store = try sample()
    var selectedIdMap: ObjectID<Quake>?, selectedId: ObjectID<Quake>?
    selectedIdMap = try store.objects(Quake.self).first(where: "code == 'b'")?.objectID
    selectedId = selectedIdMap
    try store.write { tx in _ = try tx.delete(tx.objects(Quake.self).filter("code == 'a'")) }
    let id = try #require(selectedId)
    #expect(try store.object(id)?.code == "b")
  }

  @Test func theSelectedOne() throws {
    let quakes = try sample().objects(Quake.self).array
    let selectedId: Quake.ID? = quakes[2].id
    #expect(quakes[selectedId]?.location.name ?? "Earthquakes" == "Anchorage, Alaska")
    #expect(quakes[selectedId]?.fullDate ?? "" == "2018-02-03T03:00:00Z")
    let none: Quake.ID? = nil
    #expect(quakes[none] == nil)
  }
}

extension Array where Element == Quake {
  subscript(id: Quake.ID?) -> Quake? {
    first { $0.id == id }
  }
}

extension Quake {
  var fullDate: String { time.formatted(.iso8601) }

  static func predicate(searchText: String, searchDate: Date) -> Predicate<Quake> {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let start = calendar.startOfDay(for: searchDate)
    let end = calendar.date(byAdding: .init(day: 1), to: start) ?? start
    return #Predicate<Quake> { quake in
      (searchText.isEmpty || quake.location.name.contains(searchText)) && (quake.time > start && quake.time < end)
    }
  }
}
