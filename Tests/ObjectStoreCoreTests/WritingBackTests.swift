import Foundation
import ObjectStoreCore
import Testing

/// Writing by values that were read, by results, and in transactions of one line.
@Suite struct WritingBackTests {
  private let second = ObjectID<Quake>(ObjectNumber(2))

  @Test func updateAndDeleteByValue() throws {
    let store = try Quake.store()
    var quake = try #require(try store.object(second))
    quake.magnitude = 9
    let changed = quake
    try store.write { tx in
      try tx.update(second) { $0.place.name = "Nome" }
      try tx.update(changed) { $0.felt = 3 }
    }
    let read = try #require(try store.object(second))
    // The stored values are changed, not those of the value at hand.
    #expect(read.felt == 3 && read.place.name == "Nome" && read.magnitude == 1.5)
    try store.write { tx in
      let isDeleted = try tx.delete(changed)
      let isDeletedAgain = try tx.delete(changed)
      #expect(isDeleted && !isDeletedAgain)
    }
    #expect(try store.objects(Quake.self).count == 4)
    #expect(throws: StoreError.unknownObject(entity: "Quake", ObjectNumber(2))) {
      try store.write { tx in try tx.update(changed) { $0.felt = 4 } }
    }
  }

  @Test func aValueThatIsInNoStore() throws {
    let store = try Quake.store()
    let new = Quake("x", 1)
    try store.write { tx in
      let error = #expect(throws: StoreError.notStored(entity: "Quake")) { try tx.update(new) { $0.felt = 1 } }
      #expect(error?.localizedDescription.contains("'add' it first") == true)
      #expect(throws: StoreError.notStored(entity: "Quake")) { try tx.delete(new) }
      // The transaction goes on.
      try tx.add(new)
    }
    #expect(throws: StoreError.notStored(entity: "Quake")) { try store.delete(new) }
    #expect(try store.objects(Quake.self).count == 6)
  }

  @Test func updateOfResults() throws {
    let store = try Quake.store()
    let unfelt = try store.objects(Quake.self).filter("felt == nil")
    let count = try store.write { tx in try tx.update(tx.objects(Quake.self).filter("felt == nil")) { $0.felt = 0 } }
    #expect(count == 2)
    #expect(try unfelt.count == 0)
    #expect(try store.objects(Quake.self).values(of: \.felt) == [60, 0, 3, 0, 3])
    // Results of the store are those of the transaction, and an object that goes before its turn is left out.
    let left = try store.write { tx in
      try tx.add(Quake("x", 1))
      return try tx.update(store.objects(Quake.self)) { quake in
        if quake.code == "us1" { try tx.delete(second) }
        quake.felt = 7
      }
    }
    #expect(left == 5)
    #expect(try store.objects(Quake.self).values(of: \.felt) == [7, 7, 7, 7, 7])
    #expect(try store.check().isWhole)
  }

  @Test func deleteOfResultsAndOfAll() throws {
    let store = try Quake.store()
    try store.write { tx in
      #expect(try tx.delete(store.objects(Quake.self).filter("magnitude < 2")) == 1)
      #expect(try tx.deleteAll(Quake.self) == 4)
      #expect(try tx.deleteAll(Quake.self) == 0)
      try tx.add(Quake("x", 1))
    }
    #expect(try store.objects(Quake.self).values(of: \.code) == ["x"])
    #expect(try store.check().isWhole)
  }

  @Test func transactionsOfOneLine() throws {
    let store = try Store.inMemory(Quake.self)
    let id = try store.add(Quake("a", 1))
    let quake = try #require(try store.object(id))
    #expect(throws: StoreError.alreadyStored(entity: "Quake", id.number)) { try store.add(quake) }
    #expect(try store.delete(quake))
    #expect(try !store.delete(id))
    #expect(try store.objects(Quake.self).isEmpty)
  }

  @Test func transactionsOfOneLineInTasks() async throws {
    let store = try Store.inMemory(Quake.self)
    let id = try await store.add(Quake("a", 1))
    let quake = try #require(try store.object(id))
    let isDeleted = try await store.delete(quake)
    let isDeletedAgain = try await store.delete(id)
    #expect(isDeleted && !isDeletedAgain)
    await #expect(throws: StoreError.notStored(entity: "Quake")) { try await store.delete(Quake("b", 1)) }
  }
}
