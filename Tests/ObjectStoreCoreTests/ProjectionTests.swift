import Foundation
import ObjectStoreCore
import SortDescriptors
import TestSeeds
import Testing

/// Results as tuples, structs and groups of several keys, and results that stay as they are.
@Suite struct ProjectionTests {
  private struct Row: Equatable {
    var code: String
    var magnitude: Double
    var place: String
  }

  @Test func valuesOfSeveralProperties() throws {
    let quakes = try Quake.store().objects(Quake.self).sorted(by: \.magnitude, order: .reverse)
    let pairs = try quakes.values(of: \.code, \.felt)
    #expect(pairs.map(\.0) == ["us1", "us4", "ci3", "nc5", "ak2"])
    #expect(pairs.map(\.1) == [60, nil, 3, 3, nil])
    // Structs, optional ones too, and as many as one likes.
    let more = try quakes.limit(2).values(of: \.place, \.origin, \.magnitude, \.time)
    #expect(more.map(\.0.name) == ["Hualien", "Alaska"] && more.allSatisfy { $0.1 == nil })
    #expect(more.map(\.2) == [6.4, 5.1] && more[0].3 == Date(timeIntervalSinceReferenceDate: 400))
    #expect(try quakes.filter(.none).values(of: \.code, \.felt).isEmpty)
  }

  @Test func structsOfSomeProperties() throws {
    let quakes = try Quake.store().objects(Quake.self)
    let rows = try quakes.filter("magnitude > 5").select(\.code, \.magnitude, \.place.name, as: Row.init)
    #expect(
      rows == [Row(code: "us1", magnitude: 6.4, place: "Hualien"), Row(code: "us4", magnitude: 5.1, place: "Alaska")])
    let labels = try quakes.select(\.code, \.felt) { code, felt in felt.map { "\(code): \($0)" } ?? code }
    #expect(labels == ["us1: 60", "ak2", "ci3: 3", "us4", "nc5: 3"])
    #expect(throws: StoreError.finished) { try quakes.select(\.code) { _ in throw StoreError.finished } }
    #expect(throws: QueryError.self) { try quakes.values(of: \.code, \.code.count) }
    #expect(throws: QueryError.self) { try quakes.filter(.none).select(\.code.count) { $0 } }
  }

  /// Of many clusters, in and out of order, the values are those of the objects.
  @Test func valuesAreThoseOfTheObjects() throws {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in
      _ = try tx.add((0..<2_000).map { Quake("q\($0)", Double($0 % 37), at: Double($0 * 7 % 100), felt: $0 % 5) })
    }
    for quakes in [store.objects(Quake.self), store.objects(Quake.self).sorted(by: \.magnitude)] {
      let objects = try quakes.objects()
      let values = try quakes.values(of: \.code, \.magnitude, \.time, \.felt, \.place)
      #expect(values.map(\.0) == objects.map(\.code) && values.map(\.1) == objects.map(\.magnitude))
      #expect(values.map(\.2) == objects.map(\.time) && values.map(\.3) == objects.map(\.felt))
      #expect(values.map(\.4) == objects.map(\.place))
      #expect(try quakes.values(of: \.felt) == objects.map(\.felt))
      #expect(try quakes.values(of: \.origin) == objects.map(\.origin))
    }
  }

  /// Every type of property, with and without nil, among other values than those that are all the same.
  @Test func valuesOfEveryTypeAreThoseOfTheObjects() throws {
    let store = try Store.inMemory(Everything.self)
    let seed = testSeed()
    var random = Numbers(seed)
    try store.write { tx in _ = try tx.add((0..<700).map { _ in Everything.random(&random) }) }
    let everything = store.objects(Everything.self)
    for results in [everything, everything.sorted(by: \.text)] { try Everything.compare(results) }
  }

  @Test func groupsOfSeveralKeys() throws {
    let quakes = try Quake.store().objects(Quake.self)
    let groups = quakes.grouped(by: \.place.name, \.felt)
    let counts = try groups.counts()
    #expect(counts.map(\.key.0) == ["Hualien", "Alaska", "California"])
    #expect(counts.map(\.key.1) == [60, nil, 3] && counts.map(\.count) == [1, 2, 2])
    let some = try groups.having { $0.key.0 != "Alaska" && $0.key.1 > 10 }.select { ($0.key.0, $0.key.1, $0.count) }
    #expect(some.count == 1 && some[0] == ("Hualien", 60, 1))
    #expect(try quakes.grouped(by: \.place.name, \.felt, \.code).counts().count == 5)
    let four = quakes.grouped(by: \.place.name, \.felt, \.code, \.magnitude).having { $0.key.0 == "Hualien" }
    #expect(try four.select { ($0.key.1, $0.count) }.map(\.0) == [60])
    #expect(throws: QueryError.self) { try quakes.grouped(by: \.place.name, \.code.count).counts() }
    #expect(throws: QueryError.self) { try quakes.grouped(by: \.code, \.place).counts() }
  }

  @Test func groupsInTheOrderOfAnAggregate() throws {
    let groups = try Quake.store().objects(Quake.self).grouped(by: \.place.name)
    func keys(_ groups: GroupedResults<Quake, String>) throws -> [String] { try groups.select { $0.key } }
    #expect(try keys(groups.sorted(by: { $0.average(of: \.magnitude) })) == ["California", "Alaska", "Hualien"])
    #expect(try keys(groups.sorted(by: { $0.key }, order: .reverse)) == ["Hualien", "California", "Alaska"])
    // Ties keep the order before, so the later sort is the primary.
    let twice = groups.sorted(by: { $0.key }, order: .reverse).sorted(by: { $0.count }, order: .reverse)
    #expect(try keys(twice) == ["California", "Alaska", "Hualien"])
    #expect(try keys(twice.limit(2)) == ["California", "Alaska"])
    #expect(try keys(twice.limit(2).limit(5).having { $0.count > 1 }) == ["California", "Alaska"])
    #expect(try keys(groups.limit(-1)).isEmpty)
    #expect(throws: QueryError.self) { try groups.limit(1).sorted(by: { $0.count }).counts() }
    #expect(throws: QueryError.self) { try groups.sorted(by: { $0.max(of: \.code.count) }).counts() }
  }

  @Test func sectionsOfAStatementAreCounted() throws {
    let run = try Quake.store().run("Quake SECTIONS BY place.name")
    guard case .sections(let sections) = run else { throw StoreError.finished }
    #expect(try sections.count == 3 && sections.rowCount == 5)
  }

  // MARK: Frozen

  @Test func frozenResultsStayAsTheyAre() throws {
    let folder = try TemporaryFolder()
    let store = try Store(folder.path("quakes"), models: Quake.self)
    try store.write { tx in _ = try tx.add(Quake.five) }
    let live = try store.objects(Quake.self).filter("magnitude > 2").sorted(by: \.code)
    let frozen = try live.frozen()
    let dynamic = try store.objects("Quake").frozen()
    try store.write { tx in
      try tx.update(tx.objects(Quake.self)) { $0.felt = 9 }
      try tx.delete(tx.objects(Quake.self).filter("code == 'us1'"))
    }
    #expect(try live.values(of: \.code) == ["ci3", "nc5", "us4"])
    #expect(try frozen.values(of: \.code) == ["ci3", "nc5", "us1", "us4"])
    #expect(try frozen.map(\.felt) == [3, 3, 60, nil])
    #expect(try frozen.filter("felt == nil").sorted(by: \.magnitude).first?.code == "us4")
    #expect(try frozen.limit(1).frozen().array.map(\.code) == ["ci3"])
    #expect(try frozen.sectioned(by: \.felt).sections().map(\.count) == [2, 1, 1])
    #expect(try dynamic.count == 5 && store.objects("Quake").count == 4)
    // In a write they are what they were, too.
    try store.write { tx in
      try tx.deleteAll(Quake.self)
      #expect(try frozen.count == 4 && live.count == 0)
      #expect(throws: StoreError.self) { try live.frozen() }
    }
  }

  @Test func frozenResultsOfAnObservationOutliveTheNextChange() async throws {
    let store = try Quake.store()
    var changes: ResultsChanges<Quake>.AsyncIterator? = store.objects(Quake.self).changes().makeAsyncIterator()
    guard case .initial(let first)? = try await changes?.next() else { throw StoreError.finished }
    let frozen = try first.frozen()
    try await store.write { tx in _ = try tx.add(Quake("new", 3)) }
    _ = try await changes?.next()
    #expect(try first.count == 6 && frozen.count == 5)
    changes = nil
    #expect(throws: StoreError.finished) { try first.count }
    #expect(try frozen.array == Quake.five)
  }

  @Test func frozenResultsMayBeReadByManyThreads() async throws {
    let store = try Quake.store()
    let frozen = try store.objects(Quake.self).frozen()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<50 {
        group.addTask {
          try await store.write { tx in _ = try tx.add(Quake("new\(number)", 1)) }
          return try frozen.filter("magnitude > %@", number % 7).objects().count
            + store.objects(Quake.self).frozen().count - store.objects(Quake.self).count
        }
      }
      for try await count in group { #expect(count <= 5) }
    }
    #expect(try frozen.array == Quake.five)
  }

  @Test func aSnapshotIsFrozenAlready() throws {
    let store = try Quake.store()
    let counts = try store.snapshot { snapshot in
      let frozen = try snapshot.objects(Quake.self).frozen()
      return (try frozen.count, try frozen.filter("magnitude > 5").count)
    }
    #expect(counts == (5, 2))
  }
}
