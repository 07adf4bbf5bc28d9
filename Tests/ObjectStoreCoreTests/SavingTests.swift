import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// `save`: what was changed in a value since it was read is written, and what others changed since stays.
@Suite struct SavingTests {
  private let second = ObjectID<Quake>(ObjectNumber(2))

  private func second(_ store: Store) throws -> Quake { try #require(try store.object(second)) }

  @Test func aNewValueIsAddedOnce() throws {
    let store = try Quake.store()
    var quake = Quake("new", 3)
    try store.write { tx in
      try tx.save(&quake)
      quake.felt = 1
      try tx.save(&quake)
    }
    #expect(quake.objectID?.number == ObjectNumber(6))
    quake.magnitude = 4
    try store.save(&quake)
    let stored = try #require(try store.object(Quake.self, where: \.code, is: "new"))
    #expect(stored == quake && stored.felt == 1 && stored.magnitude == 4)
    #expect(try store.objects(Quake.self).count == 6)
  }

  @Test func twoWhoChangeDifferentPropertiesKeepBoth() throws {
    let store = try Quake.store()
    var (mine, theirs) = (try second(store), try second(store))
    mine.magnitude = 7
    theirs.place.name = "Nome"
    theirs.origin = nil
    try store.save(&theirs)
    try store.save(&mine)
    let read = try second(store)
    #expect(read.magnitude == 7 && read.place.name == "Nome" && read.origin == nil)
    // Each shows what was stored when it was saved; saving it again changes nothing.
    #expect(mine == read)
    #expect(mine.place.name == "Nome")
    let version = try store.snapshot { try $0.version }
    try store.save(&theirs)
    #expect(try second(store).magnitude == 7)
    #expect(try store.snapshot { try $0.version } == version)
  }

  /// What others changed before the first save is no change of the second one.
  @Test(arguments: [false, true]) func savingTwiceKeepsWhatOthersChanged(ifUnchanged: Bool) throws {
    let store = try Quake.store()
    var (mine, theirs) = (try second(store), try second(store))
    theirs.place.name = "Nome"
    theirs.origin = nil
    try store.save(&theirs)
    mine.magnitude = 7
    try store.save(&mine)
    mine.felt = 3
    try store.save(&mine, ifUnchanged: ifUnchanged)
    let read = try second(store)
    #expect(read.place.name == "Nome" && read.origin == nil && read.magnitude == 7 && read.felt == 3)
    #expect(mine == read)
    // What others change from now on is noticed as before.
    try store.write { tx in try tx.update(second) { $0.place.name = "Homer" } }
    #expect(throws: StoreError.self) { try store.save(&mine, ifUnchanged: true) }
    #expect(mine.place.name == "Nome")
    mine.felt = 4
    try store.save(&mine)
    #expect(mine.place.name == "Homer")
    #expect(try second(store) == mine)
  }

  @Test func savingTwiceInOneWrite() throws {
    let store = try Quake.store()
    try store.write { tx in
      var mine = try #require(try tx.object(second))
      try tx.update(second) { $0.place.name = "Nome" }
      mine.magnitude = 7
      try tx.save(&mine)
      #expect(mine.place.name == "Nome")
      try tx.update(second) { $0.place.latitude = 1 }
      mine.felt = 3
      try tx.save(&mine)
      try tx.save(&mine, ifUnchanged: true)
    }
    let read = try second(store)
    #expect(read.place.name == "Nome" && read.place.latitude == 1 && read.magnitude == 7 && read.felt == 3)
  }

  @Test func twoInOneWrite() throws {
    let store = try Quake.store()
    try store.write { tx in
      var mine = try #require(try tx.object(second))
      var theirs = mine
      mine.felt = 5
      theirs.magnitude = 8
      try tx.save(&mine)
      try tx.save(&theirs)
      var third = try #require(try tx.object(second))
      try tx.update(second) { $0.code = "other" }
      third.felt = 6
      try tx.save(&third)
    }
    let read = try second(store)
    #expect(read.felt == 6 && read.magnitude == 8 && read.code == "other")
  }

  @Test func ofTwoWhoChangeOnePropertyTheLaterWins() throws {
    let store = try Quake.store()
    var (mine, theirs) = (try second(store), try second(store))
    mine.magnitude = 7
    theirs.magnitude = 8
    theirs.felt = 2
    try store.save(&theirs)
    try store.save(&mine)
    #expect(try second(store).magnitude == 7)
    #expect(try second(store).felt == 2)
  }

  @Test func unlessItMustBeUnchanged() throws {
    let store = try Quake.store()
    var (mine, theirs) = (try second(store), try second(store))
    mine.magnitude = 7
    theirs.place.latitude = 8
    theirs.origin?.name = "Palmer"
    try store.save(&theirs, ifUnchanged: true)
    let expected = StoreError.changedSince(
      ObjectReference(entity: "Quake", number: ObjectNumber(2)), properties: ["place.latitude", "origin"])
    #expect(throws: expected) { try store.save(&mine, ifUnchanged: true) }
    #expect(expected.localizedDescription.contains("'place.latitude', 'origin'"))
    #expect(try second(store).magnitude == 1.5)
    // The write goes on, and what was changed back is unchanged.
    try store.write { tx in
      #expect(throws: expected) { try tx.save(&mine, ifUnchanged: true) }
      try tx.update(second) {
        $0.place.latitude = 61
        $0.origin?.name = "Anchorage"
      }
      try tx.save(&mine, ifUnchanged: true)
    }
    #expect(try second(store).magnitude == 7)
  }

  @Test func neighboursDoNotCount() throws {
    let store = try Quake.store()
    var mine = try second(store)
    try store.write { tx in
      try tx.update(tx.objects(Quake.self)) { $0.felt = ($0.felt ?? 0) + ($0.code == "ak2" ? 0 : 1) }
    }
    mine.magnitude = 7
    #expect(throws: StoreError.self) { try store.save(&mine, ifUnchanged: true) }
    mine = try second(store)
    try store.write { tx in try tx.update(tx.objects(Quake.self).filter("code != 'ak2'")) { $0.felt = 9 } }
    try store.save(&mine, ifUnchanged: true)
  }

  @Test func collections() throws {
    let store = try Store.inMemory(Project.self, Task.self, Person.self, Sample.self, Notes.self)
    var project = Project("New", tasks: [Task("a"), Task("b")])
    try store.save(&project)
    let id = try #require(project.objectID)
    var mine = try #require(try store.object(id))
    var theirs = mine
    mine.tasks.append(Task("c"))
    theirs.name = "Old"
    try store.save(&theirs, ifUnchanged: true)
    try store.save(&mine)
    let read = try #require(try store.object(id))
    #expect(try read.name == "Old" && read.tasks.objects().map(\.name) == ["a", "b", "c"])
    // Deleting a task shortens the list: that is a change of others.
    theirs = try #require(try store.object(id))
    theirs.name = "Older"
    let first = try #require(theirs.tasks.ids.first)
    try store.write { tx in _ = try tx.delete(first) }
    #expect(
      throws: StoreError.changedSince(ObjectReference(entity: "Project", number: id.number), properties: ["tasks"])
    ) {
      try store.save(&theirs, ifUnchanged: true)
    }
    try store.save(&theirs)
    let last = try #require(try store.object(id))
    #expect(try last.name == "Older" && last.tasks.objects().map(\.name) == ["b", "c"])
    // The list that was saved is the shorter one: saving again brings no deleted task back.
    #expect(theirs.tasks == last.tasks)
    theirs.name = "Oldest"
    try store.save(&theirs, ifUnchanged: true)
    #expect(try store.object(id)?.tasks == last.tasks)
    // It can be read as any list.
    theirs.tasks.append(Task("d"))
    try store.save(&theirs)
    #expect(try theirs.tasks.objects().map(\.name) == ["b", "c", "d"])
    #expect(try store.object(id)?.tasks.objects().map(\.name) == ["b", "c", "d"])
  }

  /// What is not stored stays when properties are set that others changed, unless setting them changes others.
  @Test(arguments: [false, true]) func whatIsNotStored(countsRevisions: Bool) throws {
    let store = try Store.inMemory(Draft.self)
    var draft = Draft(title: "a", body: "b")
    draft.selection = 7
    draft.countsRevisions = countsRevisions
    try store.save(&draft)
    let id = try #require(draft.objectID)
    try store.write { tx in try tx.update(id) { $0.body = "theirs" } }
    draft.title = "mine"
    try store.save(&draft)
    #expect(draft.title == "mine" && draft.body == "theirs" && draft.revision == 0)
    #expect(draft.selection == (countsRevisions ? 0 : 7))
    let version = try store.snapshot { try $0.version }
    try store.save(&draft, ifUnchanged: true)
    #expect(try store.snapshot { try $0.version } == version)
  }

  /// What others stored and nobody here can read is kept, and `save` says so before it writes anything.
  @Test func whatOthersStoredAndCannotBeRead() throws {
    let store = try Store.inMemory(Draft.self)
    var draft = Draft(title: "a", body: "b")
    try store.save(&draft)
    _ = try StatementSession(store).run("UPDATE Draft SET status = 'lost'")
    draft.title = "mine"
    #expect(throws: StoreError.self) { try store.save(&draft) }
    #expect(draft.title == "mine")
    #expect(try store.objects(Draft.self).values(of: \.title) == ["a"])
    _ = try StatementSession(store).run("UPDATE Draft SET status = 'done'")
    try store.save(&draft)
    #expect(draft.status == .done)
  }

  private static func taken(_ objects: [UInt64]) -> StoreError {
    .constraintViolated(
      UniquenessViolation(
        entity: "Quake", path: "code", value: .string("us4"), objects: objects.map { ObjectNumber($0) }))
  }

  @Test func aNewValueThatIsNotUniqueIsNamed() throws {
    let store = try Quake.store()
    var quake = Quake("us4", 3)
    let error = #expect(throws: Self.taken([4])) { try store.add(quake) }
    let words = error.map { "\($0)" } ?? ""
    #expect(words.contains("Quake") && words.contains("code \"us4\""), "\(words)")
    #expect(throws: Self.taken([4])) { try store.save(&quake) }
    // It is still new, and the write goes on without it.
    #expect(quake.objectID == nil)
    try store.write { tx in
      #expect(throws: Self.taken([4])) { try tx.save(&quake) }
      quake.code = "us5"
      try tx.save(&quake)
    }
    #expect(try store.objects(Quake.self).values(of: \.code) == ["us1", "ak2", "ci3", "us4", "nc5", "us5"])
  }

  @Test func withoutBlockingATaskItIsNamedToo() async throws {
    let store = try Quake.store()
    await #expect(throws: Self.taken([4])) { try await store.add(Quake("us4", 3)) }
    var quake = Quake("us4", 3)
    await #expect(throws: Self.taken([4])) { try await store.save(&quake) }
    #expect(try quake.objectID == nil && store.objects(Quake.self).count == 5)
  }

  /// Two objects may swap their values within a write, so that is judged at its end.
  @Test func aChangedValueThatIsNotUniqueIsNamedAtTheEnd() throws {
    let store = try Quake.store()
    var quake = try second(store)
    quake.code = "us4"
    quake.felt = 7
    #expect(throws: Self.taken([2, 4])) { try store.save(&quake) }
    #expect(try second(store).code == "ak2" && second(store).felt == nil)
    var other = try #require(try store.object(Quake.self, where: \.code, is: "us4"))
    try store.write { tx in
      try tx.save(&quake)
      other.code = "ak2"
      try tx.save(&other)
    }
    #expect(try store.objects(Quake.self).values(of: \.code) == ["us1", "us4", "ci3", "ak2", "nc5"])
    #expect(try second(store).felt == 7)
  }

  @Test func anObjectThatIsGone() throws {
    let store = try Quake.store()
    var mine = try second(store)
    try store.delete(mine)
    #expect(throws: StoreError.unknownObject(entity: "Quake", ObjectNumber(2))) { try store.save(&mine) }
  }

  @Test func anIdentityThatWasSetByHandIsNoReading() throws {
    let store = try Quake.store()
    var quake = Quake("ak2", 9)
    quake.objectID = second
    #expect(throws: StoreError.self) { try store.save(&quake, ifUnchanged: true) }
    try store.save(&quake)
    #expect(try second(store) == quake)
  }

  @Test func whatNobodyKnowsAnyMoreIsRefused() throws {
    let store = try Quake.store()
    var (mine, same) = (try second(store), try second(store))
    try store.write { tx in
      try tx.add((0..<5_000).map { Quake("x\($0)", 1) })
      try tx.update(tx.objects(Quake.self)) { $0.felt = 1 }
    }
    mine.magnitude = 7
    #expect(
      throws: StoreError.changedSince(
        ObjectReference(entity: "Quake", number: ObjectNumber(2)), properties: ["magnitude", "felt"])
    ) { try store.save(&mine) }
    same.felt = 1
    try store.save(&same)
    // In one write each of very many can be read, changed and saved.
    try store.write { tx in
      for var quake in try tx.objects(Quake.self).objects() {
        quake.felt = 2
        try tx.save(&quake, ifUnchanged: true)
      }
    }
    #expect(try store.objects(Quake.self).filter("felt == 2").count == 5_005)
  }

  @Test func withoutBlockingATask() async throws {
    let store = try Quake.store()
    var quake = try second(store)
    quake.felt = 4
    try await store.save(&quake)
    quake.felt = 5
    try await store.save(&quake, ifUnchanged: true)
    #expect(try second(store).felt == 5)
  }

  @Test func valuesSavedThroughSeveralStoresOnOneFolder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("quakes")
    let (here, there) = (try Store(path, models: Quake.self), try Store(path, models: Quake.self))
    var mine = Quake("a", 1)
    try here.save(&mine)
    var theirs = try #require(try there.object(Quake.self, where: \.code, is: "a"))
    theirs.felt = 1
    mine.magnitude = 2
    try there.save(&theirs, ifUnchanged: true)
    try here.save(&mine)
    let read = try #require(try here.objects(Quake.self).first)
    #expect(read.felt == 1 && read.magnitude == 2)
  }

  /// A copy goes on with the numbers of the original's commits: what the original knows of its own is not taken for the
  /// copy's.
  @Test func inACopyOfAStore() throws {
    let folder = try TemporaryFolder()
    let original = try Store(folder.path("original"), models: Quake.self)
    try original.write { tx in _ = try tx.add(Quake.five) }
    for turn in 0..<20 { try original.write { tx in try tx.update(second) { $0.felt = turn } } }
    try original.backup(to: folder.path("copy"))
    let copy = try Store(folder.path("copy"), models: Quake.self)
    for turn in 0..<30 {
      var (mine, theirs) = (try second(copy), try second(copy))
      mine.felt = 100 + turn
      theirs.magnitude = Double(turn)
      try copy.save(&theirs, ifUnchanged: true)
      #expect(throws: StoreError.self) { try copy.save(&mine, ifUnchanged: true) }
      try copy.save(&mine)
      let read = try second(copy)
      #expect(read.felt == 100 + turn && read.magnitude == Double(turn))
    }
  }

  /// Random people with copies of random age: the store has what a merge by hand has.
  @Test func randomSaves() throws {
    var random = Numbers(testSeed())
    for _ in 0..<8 {
      let store = try Quake.store()
      var known = try store.objects(Quake.self).objects()
      var copies: [(read: Quake, now: Quake)] = known.map { ($0, $0) }
      for step in 0..<120 {
        let place = Int.random(in: copies.indices, using: &random)
        func change(_ quake: inout Quake) {
          switch Int.random(in: 0..<4, using: &random) {
          case 0: quake.magnitude = Double(step)
          case 1: quake.felt = [nil, step].randomElement(using: &random) ?? nil
          case 2: quake.place.name = "p\(step)"
          default: quake.origin = [nil, Place("o\(step)")].randomElement(using: &random) ?? nil
          }
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          let quake = known.randomElement(using: &random) ?? known[0]
          let id = try #require(quake.objectID)
          let read = try #require(try store.object(id))
          copies.append((read, read))
        case 1: change(&copies[place].now)
        default:
          let (read, now) = copies[place]
          let index = try #require(known.firstIndex { $0.objectID == now.objectID })
          if now.magnitude != read.magnitude { known[index].magnitude = now.magnitude }
          if now.felt != read.felt { known[index].felt = now.felt }
          if now.place.name != read.place.name { known[index].place.name = now.place.name }
          if now.origin != read.origin { known[index].origin = now.origin }
          // Sometimes several writes are one.
          if step % 5 == 0 {
            var saved = now
            saved = try store.write { tx in
              var copy = saved
              try tx.save(&copy)
              try tx.save(&copy, ifUnchanged: true)
              return copy
            }
            copies[place].now = saved
          } else {
            try store.save(&copies[place].now)
          }
          // The copy is kept, and is what is stored: what it saves next are its changes since.
          #expect(copies[place].now == known[index])
          copies[place].read = copies[place].now
        }
        #expect(try store.objects(Quake.self).objects() == known)
      }
    }
  }
}
