import Foundation
import ObjectStoreCore
import Testing

@Suite struct WritingTests {
  @Test func whatIsAddedIsReadBackEqual() throws {
    let store = try Quake.store()
    let read = try store.objects(Quake.self).objects()
    #expect(read == Quake.five)
    #expect(read.map(\.objectID) == (1...5).map { ObjectID(ObjectNumber($0)) })
    #expect(read[1].origin?.name == "Anchorage")
    #expect(read[0].origin == nil)
  }

  @Test func aThrowUndoesEverything() throws {
    struct Stop: Error {}
    let store = try Quake.store()
    #expect(throws: Stop.self) {
      try store.write { tx in
        try tx.add(Quake("x", 1))
        try tx.delete(ObjectID<Quake>(ObjectNumber(1)))
        throw Stop()
      }
    }
    #expect(try store.objects(Quake.self).count == 5)
  }

  @Test func aTextInOtherScalarsIsAChange() throws {
    let store = try Quake.store()
    for name in ["Caf\u{E9}", "Cafe\u{301}"] {
      try store.write { tx in try tx.update(ObjectID<Quake>(ObjectNumber(2))) { $0.place.name = name } }
      #expect(try store.objects(Quake.self)[1].place.name.utf8.elementsEqual(name.utf8))
    }
    #expect(try store.check().isWhole)
  }

  @Test func updateChangesOneObject() throws {
    let store = try Quake.store()
    let id = ObjectID<Quake>(ObjectNumber(2))
    try store.write { tx in
      try tx.update(id) {
        $0.magnitude = 6.1
        $0.origin = nil
        $0.place.name = "Alaska Peninsula"
      }
    }
    let quake = try store.objects(Quake.self)[1]
    #expect(quake.magnitude == 6.1)
    #expect(quake.origin == nil)
    #expect(quake.place.name == "Alaska Peninsula")
    #expect(quake.code == "ak2")
    #expect(throws: StoreError.unknownObject(entity: "Quake", ObjectNumber(77))) {
      try store.write { tx in try tx.update(ObjectID<Quake>(ObjectNumber(77))) { $0.magnitude = 0 } }
    }
  }

  @Test func upsertFindsByTheUniqueProperty() throws {
    let store = try Quake.store()
    let ids = try store.write { tx in
      [try tx.upsert(Quake("ci3", 9)), try tx.upsert(Quake("new", 1)), try tx.upsert(Quake("new", 2))]
    }
    #expect(ids.map(\.number.rawValue) == [3, 6, 6])
    let read = try store.objects(Quake.self).objects()
    #expect(read.count == 6)
    #expect(read[2].magnitude == 9)
    #expect(read[2].felt == nil)
    #expect(read[5].magnitude == 2)
  }

  @Test func uniqueValuesMayBeSwapped() throws {
    let store = try Quake.store()
    try store.write { tx in
      try tx.update(ObjectID<Quake>(ObjectNumber(1))) { $0.code = "ak2" }
      try tx.update(ObjectID<Quake>(ObjectNumber(2))) { $0.code = "us1" }
    }
    #expect(try store.objects(Quake.self).values(of: \.code) == ["ak2", "us1", "ci3", "us4", "nc5"])
    do {
      try store.write { tx in _ = try tx.add(Quake("us4", 1)) }
      Issue.record("two objects share a code")
    } catch StoreError.constraintViolated(let violation) {
      #expect(violation.entity == "Quake")
      #expect(violation.path == "code")
      #expect(violation.value == .string("us4"))
      #expect(violation.objects == [ObjectNumber(4)] && violation.isDeclared)
    }
  }

  /// An object that has a value of another is refused at once, and the write goes on without it.
  @Test func whatIsNotUniqueIsLeftOut() throws {
    let store = try Quake.store()
    try store.write { tx in
      for code in ["new", "us4", "new", "other"] {
        do {
          try tx.add(Quake(code, 1))
        } catch StoreError.constraintViolated(let violation) {
          #expect(["us4", "new"].contains(code) && violation.value == .string(code) && violation.path == "code")
          let text = StoreError.constraintViolated(violation).description
          #expect(text.hasSuffix("already has code \"\(code)\"; the object was not added"), "\(text)")
        }
      }
      // What was deleted has no value any more, and what was changed has another.
      try tx.delete(ObjectID<Quake>(ObjectNumber(1)))
      try tx.add(Quake("us1", 2))
      try tx.update(ObjectID<Quake>(ObjectNumber(2))) { $0.code = "moved" }
      try tx.add(Quake("ak2", 3))
    }
    #expect(
      try store.objects(Quake.self).values(of: \.code)
        == ["moved", "ci3", "us4", "nc5", "new", "other", "us1", "ak2"])
  }

  @Test func aWriteInAWriteIsAnError() throws {
    let store = try Quake.store()
    #expect(throws: StoreError.nestedWrite) {
      try store.write { _ in try store.write { tx in _ = try tx.add(Quake("x", 1)) } }
    }
  }

  @Test func nothingWorksAfterTheEnd() throws {
    let store = try Quake.store()
    var kept: WriteTransaction?
    var results: Results<Quake>?
    try store.write { tx in
      kept = tx
      results = tx.objects(Quake.self)
    }
    #expect(throws: StoreError.finished) { try kept?.add(Quake("x", 1)) }
    #expect(throws: StoreError.finished) { try results?.count }
  }

  @Test func aWriteBelongsToItsThread() throws {
    let store = try Quake.store()
    try store.write { tx in
      let results = tx.objects(Quake.self)
      let thread = Thread {
        do {
          _ = try results.count
          Issue.record("results of a write were read on another thread")
        } catch {
          #expect(error is StoreError)
        }
      }
      thread.start()
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
      let count = try results.count
      #expect(count == 5)
    }
  }

  @Test func queriesInAWriteSeeWhatItWrote() throws {
    let store = try Quake.store()
    try store.write { tx in
      let all = tx.objects(Quake.self)
      #expect(try all.count == 5)
      try tx.add(Quake("x", 7))
      #expect(try all.count == 6)
      #expect(try all.last?.code == "x")
    }
    #expect(try store.objects(Quake.self).count == 6)
  }

  @Test func insideAWriteTheStoreShowsTheTransaction() throws {
    let store = try Quake.store()
    let before = store.objects(Quake.self)
    #expect(try before.count == 5)
    var kept: Results<Quake>?
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.write { tx in
        let id = try tx.add(Quake("x", 7))
        let inside = store.objects(Quake.self)
        kept = inside
        #expect(try before.count == 6)
        #expect(try inside.ids.last == id)
        #expect(try inside.filter("code == %@", "x").first?.magnitude == 7)
        #expect(try store.object(id)?.code == "x")
        #expect(try store.object(Quake.self, where: \.code, is: "x")?.objectID == id)
        #expect(try store.objects("Quake").count == 6)
        var codes: [String] = []
        try inside.forEach { codes.append($0.code) }
        #expect(codes.last == "x")
        // Another thread is in no write and sees the last commit.
        let thread = Thread {
          do {
            let count = try before.count
            #expect(count == 5)
          } catch { Issue.record(error) }
        }
        thread.start()
        while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        throw Stop()
      }
    }
    #expect(try before.count == 5)
    #expect(try kept?.count == 5)
  }

  @Test func aWriteMayChangeWhatItWalks() throws {
    let store = try Store.inMemory(Quake.self)
    try store.write { tx in
      for number in 0..<1000 { try tx.add(Quake("q\(number)", Double(number))) }
    }
    try store.write { tx in
      try tx.objects(Quake.self).forEach { quake in
        guard let id = quake.objectID else { return }
        if quake.magnitude < 500 { try tx.delete(id) } else { try tx.update(id) { $0.felt = 1 } }
      }
    }
    #expect(try store.objects(Quake.self).count == 500)
    #expect(try store.objects(Quake.self).values(of: \.felt) == Array(repeating: 1, count: 500))
  }

  @Test func fromTasks() async throws {
    let store = try Quake.store()
    let id = try await store.write { tx in try tx.add(Quake("async", 3)) }
    #expect(id.number == ObjectNumber(6))
    await #expect(throws: StoreError.unknownObject(entity: "Quake", ObjectNumber(9))) {
      try await store.write { tx in try tx.update(ObjectID<Quake>(ObjectNumber(9))) { $0.felt = 1 } }
    }
  }

  @Test func aModelTheStoreDoesNotKnow() throws {
    let store = try Quake.store()
    #expect(throws: StoreError.modelNotOpened("Place", suggestion: nil)) {
      try store.write { tx in try tx.add(Place("x")) }
    }
    #expect(throws: StoreError.self) { try store.write { tx in try tx.upsert(Place("x")) } }
  }
}
