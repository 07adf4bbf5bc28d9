import Foundation
import ObjectStoreCore
import Testing

/// One object by its identity, and objects of results one way and another.
@Suite struct SingleObjectTests {
  private let second = ObjectID<Quake>(ObjectNumber(2))

  @Test func byIdentity() throws {
    let store = try Quake.store()
    let read = try #require(try store.object(second))
    #expect(read == Quake.five[1])
    #expect(read.objectID == second)
    for number in [0, 6, 256, 1 << 40, .max] as [UInt64] {
      #expect(try store.object(ObjectID<Quake>(ObjectNumber(number))) == nil)
    }
    try store.snapshot { s in
      try store.write { tx in
        #expect(try tx.object(second)?.code == "ak2")
        try tx.delete(second)
        #expect(try tx.object(second) == nil)
        let id = try tx.add(Quake("x", 1))
        #expect(try tx.object(id)?.code == "x")
      }
      #expect(try s.object(second)?.code == "ak2")
      #expect(try s.object(ObjectID<Quake>(ObjectNumber(6))) == nil)
    }
    #expect(try store.object(second) == nil)
  }

  @Test func ofAModelTheStoreDoesNotKnow() throws {
    let store = try Quake.store()
    #expect(throws: StoreError.modelNotOpened("Place", suggestion: nil)) {
      try store.object(ObjectID<Place>(ObjectNumber(1)))
    }
  }

  @Test func theFirstForWhichAPredicateHolds() throws {
    let quakes = try Quake.store().objects(Quake.self)
    #expect(try quakes.first(where: "code == %@", "us4")?.code == "us4")
    #expect(try quakes.first(where: "magnitude == %@ AND felt == %@", 2.5, 3)?.code == "ci3")
    #expect(try quakes.sorted(by: \.magnitude, .reverse).first(where: "magnitude < 3")?.code == "ci3")
    #expect(try quakes.first(where: "magnitude > 9") == nil)
    #expect(throws: QueryError.self) { try quakes.first(where: "magnitud > 9") }
  }

  @Test func arraysOfResults() throws {
    let quakes = try Quake.store().objects(Quake.self)
    let strong = try quakes.filter("magnitude > 2").sorted(by: \.magnitude)
    let list: [Quake] = try strong.array
    #expect(list.map(\.code) == ["ci3", "nc5", "us4", "us1"])
    #expect(try strong.map(\.code) == ["ci3", "nc5", "us4", "us1"])
    #expect(try strong.map { "\($0.magnitude)" } == ["2.5", "2.5", "5.1", "6.4"])
    #expect(try strong.prefix(2).map(\.code) == ["ci3", "nc5"])
    #expect(try strong.offset(1).limit(2).prefix(5).map(\.code) == ["nc5", "us4"])
    #expect(try strong.prefix(-1).isEmpty)
    var codes: [String] = []
    for quake in try strong.objects() { codes.append(quake.code) }
    #expect(codes == list.map(\.code))
    struct Stop: Error {}
    #expect(throws: Stop.self) { try strong.map { _ in throw Stop() } }
  }

  @Test func readingFromATask() async throws {
    let store = try Quake.store()
    let (strong, all) = try await store.read { s in
      let strong = try s.objects(Quake.self).filter("magnitude > 5").array
      try store.write { tx in _ = try tx.delete(tx.objects(Quake.self)) }
      return (strong, try s.objects(Quake.self).count)
    }
    #expect(strong.map(\.code) == ["us1", "us4"])
    #expect(all == 5)
    struct Stop: Error {}
    await #expect(throws: Stop.self) { try await store.read { _ in throw Stop() } }
    let task = _Concurrency.Task {
      while !_Concurrency.Task.isCancelled { await _Concurrency.Task.yield() }
      return try await store.read { s in try s.objects(Quake.self).count }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
