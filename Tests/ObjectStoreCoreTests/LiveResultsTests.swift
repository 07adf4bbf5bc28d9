import Foundation
import ObjectStoreCore
import SortDescriptors
import Synchronization
import Testing

/// Results that are observed: what each commit is told as.
@Suite struct LiveResultsTests {
  /// A change as it is compared.
  private struct Update: Equatable {
    var codes: [String]
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []
    var moves: [ResultMove] = []
  }

  private func update(_ change: ResultsChange<Quake>?) throws -> Update {
    switch try #require(change) {
    case .initial(let results): return Update(codes: try results.map(\.code))
    case .update(let results, let deletions, let insertions, let modifications, let moves):
      return Update(
        codes: try results.map(\.code), deletions: deletions, insertions: insertions, modifications: modifications,
        moves: moves)
    }
  }

  private func expect(
    _ changes: inout ResultsChanges<Quake>.AsyncIterator, _ expected: Update,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let told = try update(await changes.next())
    #expect(told == expected, sourceLocation: sourceLocation)
  }

  private func expect(
    _ changes: inout ResultsChanges<Quake>.AsyncIterator, codes: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let told = try update(await changes.next())
    #expect(told.codes == codes, sourceLocation: sourceLocation)
  }

  /// Writes without waiting for it elsewhere.
  private func write(_ store: Store, _ body: (WriteTransaction) throws -> Void) throws { try store.write(body) }

  private func change(_ store: Store, _ code: String, _ change: (inout Quake) -> Void) throws {
    try store.write { tx in try tx.update(tx.objects(Quake.self).filter("code == %@", code)) { change(&$0) } }
  }

  @Test func whatComesAndGoesAndChanges() async throws {
    let store = try Quake.store()
    var changes = try store.objects(Quake.self).filter("magnitude > 2").changes().makeAsyncIterator()
    try await expect(&changes, Update(codes: ["us1", "ci3", "us4", "nc5"]))
    try write(store) { tx in _ = try tx.add(Quake("new", 3)) }
    try await expect(&changes, Update(codes: ["us1", "ci3", "us4", "nc5", "new"], insertions: [4]))
    try change(store, "ak2") { $0.magnitude = 8 }
    try await expect(&changes, Update(codes: ["us1", "ak2", "ci3", "us4", "nc5", "new"], insertions: [1]))
    try change(store, "us4") { $0.felt = 8 }
    try await expect(&changes, Update(codes: ["us1", "ak2", "ci3", "us4", "nc5", "new"], modifications: [3]))
    // Several commits that come meanwhile are one.
    try write(store) { tx in _ = try tx.delete(tx.objects(Quake.self).filter("code == 'us1'")) }
    try change(store, "ci3") { $0.magnitude = 1 }
    try change(store, "nc5") { $0.magnitude = 9 }
    try await expect(&changes, Update(codes: ["ak2", "us4", "nc5", "new"], deletions: [0, 2], modifications: [2]))
  }

  @Test func whatMoves() async throws {
    let store = try Quake.store()
    var changes = store.objects(Quake.self).sorted(by: \.magnitude).changes(keyPaths: [\.magnitude]).makeAsyncIterator()
    try await expect(&changes, Update(codes: ["ak2", "ci3", "nc5", "us4", "us1"]))
    try change(store, "us1") { $0.magnitude = 2 }
    try await expect(
      &changes,
      Update(
        codes: ["ak2", "us1", "ci3", "nc5", "us4"], modifications: [1], moves: [ResultMove(from: 4, to: 1)]))
    // It stays where it is, and what is not watched is not told.
    try change(store, "us4") { $0.felt = 1 }
    try change(store, "us1") { $0.magnitude = 2.25 }
    try await expect(&changes, Update(codes: ["ak2", "us1", "ci3", "nc5", "us4"], modifications: [1]))
    try write(store) { tx in _ = try tx.add(Quake("new", 2.4)) }
    try await expect(&changes, Update(codes: ["ak2", "us1", "new", "ci3", "nc5", "us4"], insertions: [2]))
  }

  @Test func theResultsOfAChangeShowItsVersion() async throws {
    let store = try Quake.store()
    var changes = store.objects(Quake.self).changes().makeAsyncIterator()
    guard case .initial(let first)? = try await changes.next() else { throw StoreError.finished }
    try write(store) { tx in _ = try tx.add(Quake("new", 3)) }
    #expect(try first.count == 5 && first.filter("felt == 3").count == 2)
    _ = try await changes.next()
    // The version is another one now, the one that is told of.
    #expect(try first.count == 6)
  }

  @Test func aLimitIsAskedAnew() async throws {
    let store = try Quake.store()
    var changes = store.objects(Quake.self).sorted(by: \.magnitude, .reverse).limit(2).changes().makeAsyncIterator()
    try await expect(&changes, Update(codes: ["us1", "us4"]))
    try change(store, "ak2") { $0.magnitude = 6 }
    try await expect(&changes, Update(codes: ["us1", "ak2"], deletions: [1], insertions: [1]))
    try change(store, "ak2") { $0.magnitude = 7 }
    let moved = try update(await changes.next())
    #expect(moved.moves.count == 1)
  }

  @Test func aWriteThatLeavesAnObservationOut() async throws {
    let store = try Quake.store()
    let (one, other) = (store.objects(Quake.self).changes(), store.objects(Quake.self).changes())
    var (told, untold) = (one.makeAsyncIterator(), other.makeAsyncIterator())
    _ = try await (told.next(), untold.next())
    func quietly(_ body: (WriteTransaction) throws -> Void) throws {
      try store.write(withoutNotifying: [other.token], body)
    }
    try quietly { tx in _ = try tx.delete(tx.objects(Quake.self).filter("code == 'us1'")) }
    #expect(throws: StoreError.finished) {
      try store.write(withoutNotifying: [other.token]) { tx in
        try tx.add(Quake("undone", 1))
        throw StoreError.finished
      }
    }
    let deleted = try update(await told.next())
    #expect(deleted.deletions == [0])
    let shown = _Concurrency.Task { [untold] in
      var untold = untold
      return try await untold.next()
    }
    // It waits already, or it does not: what is left out is not told as long as nothing else is.
    try await _Concurrency.Task.sleep(for: .milliseconds(300))
    try change(store, "ak2") { $0.felt = 7 }
    let shownUpdate = try update(await shown.value)
    #expect(shownUpdate == Update(codes: ["ak2", "ci3", "us4", "nc5"], modifications: [0]))
  }

  @Test func aQueryThatChangesWhileItIsObserved() async throws {
    let store = try Quake.store()
    let live = ObservedQuery(store.objects(Quake.self))
    var changes = live.changes().makeAsyncIterator()
    try await expect(&changes, codes: ["us1", "ak2", "ci3", "us4", "nc5"])
    live.results = try store.objects(Quake.self).filter("place.name == 'Alaska'")
    try await expect(&changes, Update(codes: ["ak2", "us4"], deletions: [0, 2, 4]))
    try change(store, "us1") { $0.place.name = "Alaska" }
    live.results = live.results.sorted(by: \.magnitude)
    try await expect(&changes, codes: ["ak2", "us4", "us1"])
    try change(store, "us4") { $0.magnitude = 9 }
    try await expect(
      &changes, Update(codes: ["ak2", "us1", "us4"], modifications: [2], moves: [ResultMove(from: 1, to: 2)]))
    var late = live.changes().makeAsyncIterator()
    try await expect(&late, codes: ["ak2", "us1", "us4"])
  }

  @Test func aFilterAndAnOrderThatChangeWhileTheyAreObserved() async throws {
    let store = try Quake.store()
    let live = ObservedQuery(store.objects(Quake.self))
    #expect(live.query == .all && live.sort.isEmpty)
    var changes = live.changes().makeAsyncIterator()
    try await expect(&changes, codes: ["us1", "ak2", "ci3", "us4", "nc5"])
    live.query = try Query("magnitude > %@", 2)
    try await expect(&changes, Update(codes: ["us1", "ci3", "us4", "nc5"], deletions: [1]))
    live.sort = [SortDescriptor(\.magnitude), SortDescriptor(\.code, order: .reverse)]
    try await expect(&changes, codes: ["nc5", "ci3", "us4", "us1"])
    #expect(live.sort.count == 2 && live.query.predicateFormat == "magnitude > 2")
    try change(store, "ak2") { $0.magnitude = 3 }
    try await expect(&changes, Update(codes: ["nc5", "ci3", "ak2", "us4", "us1"], insertions: [2]))
    // Each stays as it is when the other one is set.
    live.query = .all
    try change(store, "us1") { $0.magnitude = 0 }
    try await expect(&changes, codes: ["us1", "nc5", "ci3", "ak2", "us4"])
    live.sort = []
    try await expect(&changes, codes: ["us1", "ak2", "ci3", "us4", "nc5"])
    live.query = try Query("magnitud > 2")
    await #expect(throws: QueryError.self) { try await changes.next() }
  }

  @Test func aTasksWriteThatLeavesAnObservationOut() async throws {
    let store = try Quake.store()
    let (one, other) = (store.objects(Quake.self).changes(), store.objects(Quake.self).changes())
    var (told, untold) = (one.makeAsyncIterator(), other.makeAsyncIterator())
    _ = try await (told.next(), untold.next())
    let deleted = try await store.write(withoutNotifying: [other.token]) { tx in
      try tx.delete(tx.objects(Quake.self).filter("code == 'us1'"))
      return try tx.objects(Quake.self).count
    }
    #expect(deleted == 4)
    await #expect(throws: StoreError.finished) {
      try await store.write(withoutNotifying: [other.token]) { tx in
        try tx.add(Quake("undone", 1))
        throw StoreError.finished
      }
    }
    // The next commit has the number of the one that failed, and is no secret.
    try await store.write { tx in _ = try tx.add(Quake("new", 1)) }
    try await expect(&told, Update(codes: ["ak2", "ci3", "us4", "nc5", "new"], deletions: [0], insertions: [4]))
    let both = try update(await untold.next())
    #expect(both.codes == ["ak2", "ci3", "us4", "nc5", "new"] && both.insertions == [4])
    // Writes of other tasks that wait with it are commits of their own.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await store.write(withoutNotifying: number % 2 == 0 ? [other.token] : []) { tx in
            _ = try tx.add(Quake("task\(number)", 1))
          }
        }
      }
      try await group.waitForAll()
    }
    let (all, rest) = (try update(await told.next()), try update(await untold.next()))
    #expect(all.insertions.count == 20 && rest.codes == all.codes)
  }

  @Test func aChangeIsAppliedToAnArray() async throws {
    let store = try Quake.store()
    var changes = store.objects(Quake.self).sorted(by: \.magnitude).changes().makeAsyncIterator()
    var (quakes, ids): ([Quake], [ObjectID<Quake>]) = ([], [])
    func apply() async throws {
      let change = try #require(try await changes.next())
      try change.apply(to: &quakes)
      try change.apply(to: &ids)
      #expect(quakes == (try store.objects(Quake.self).sorted(by: \.magnitude).objects()))
      #expect(ids == quakes.compactMap(\.objectID))
    }
    try await apply()
    try write(store) { tx in
      try tx.delete(tx.objects(Quake.self).filter("code == 'ci3'"))
      try tx.update(tx.objects(Quake.self).filter("code == 'us1'")) { $0.magnitude = 2 }
      try tx.update(tx.objects(Quake.self).filter("code == 'nc5'")) { $0.felt = 8 }
      try tx.add([Quake("a", 0), Quake("b", 9)])
    }
    try await apply()
    // An array that is another one is left as it is.
    try write(store) { tx in try tx.delete(tx.objects(Quake.self).filter("code == 'b'")) }
    let change = try await changes.next()
    var others = Array(quakes.prefix(2))
    #expect(throws: IndexOutOfRange.self) { try change?.apply(to: &others) }
    #expect(others == Array(quakes.prefix(2)))
  }

  /// A loop over a sequence, which calls `step` with each step until that is false.
  struct Loop: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The number of steps without any commit.
    let initialSteps: Int
    let run: @Sendable (_ store: Store, _ step: @Sendable () -> Bool) async throws -> Void
  }

  static let loops = [
    Loop(testDescription: "results", initialSteps: 1) { store, step in
      for try await _ in store.objects(Quake.self).changes() { if !step() { break } }
    },
    Loop(testDescription: "observed query", initialSteps: 1) { store, step in
      let live = ObservedQuery(store.objects(Quake.self))
      for try await _ in live.changes() { if !step() { break } }
    },
    Loop(testDescription: "sections", initialSteps: 1) { store, step in
      for try await _ in store.objects(Quake.self).sectioned(by: \.felt).changes() { if !step() { break } }
    },
    Loop(testDescription: "object", initialSteps: 1) { store, step in
      for try await _ in store.changes(of: ObjectID<Quake>(ObjectNumber(2))) { if !step() { break } }
    },
    Loop(testDescription: "commits", initialSteps: 0) { store, step in
      for await _ in store.changes { if !step() { break } }
    },
  ]

  @Test(arguments: loops, [false, true]) func itEndsWithItsTask(loop: Loop, isCancelledBefore: Bool) async throws {
    let store = try Quake.store()
    let steps = Mutex(0)
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let task = _Concurrency.Task {
      if isCancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
      do {
        try await loop.run(store) {
          steps.withLock { steps in
            steps += 1
            return steps < 10
          }
        }
        outcome.withLock { $0 = .success(()) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
    }
    let expected = isCancelledBefore ? 0 : loop.initialSteps
    for _ in 0..<10_000 where steps.withLock({ $0 }) < expected {
      try await _Concurrency.Task.sleep(for: .milliseconds(1))
    }
    task.cancel()
    // A loop that was not ended by the cancellation receives these commits, and so ends, too.
    for turn in 0..<1_000 where outcome.withLock({ $0 == nil }) {
      try change(store, "ak2") { $0.felt = turn }
      try await _Concurrency.Task.sleep(for: .milliseconds(2))
    }
    try #require(outcome.withLock { $0 }, "it goes on").get()
    #expect(steps.withLock { $0 } == expected)
  }

  @Test func whatIsWrongIsThrown() async throws {
    let store = try Quake.store()
    var changes = store.objects(Quake.self).changes(keyPaths: [\.id]).makeAsyncIterator()
    await #expect(throws: QueryError.self) { try await changes.next() }
  }

  @Test func valuesThatStayTheSameAreNoChange() async throws {
    let store = try Quake.store()
    var changes = store.objects(Quake.self).changes().makeAsyncIterator()
    try await expect(&changes, Update(codes: ["us1", "ak2", "ci3", "us4", "nc5"]))
    let version = try store.snapshot { try $0.version }
    _ = try StatementSession(store).run("UPDATE Quake SET magnitude = magnitude")
    #expect(try store.snapshot { try $0.version } == version)
    try change(store, "us4") { $0.felt = 8 }
    try await expect(&changes, Update(codes: ["us1", "ak2", "ci3", "us4", "nc5"], modifications: [3]))
  }

  @Test func oneObject() async throws {
    let store = try Quake.store()
    let id = ObjectID<Quake>(ObjectNumber(2))
    var changes = store.changes(of: id).makeAsyncIterator()
    #expect(try await changes.next()?.code == "ak2")
    try change(store, "us1") { $0.felt = 1 }
    try change(store, "ak2") { $0.felt = 2 }
    #expect(try await changes.next()?.felt == 2)
    try write(store) { tx in _ = try tx.delete(id) }
    #expect(try await changes.next() == nil)
  }

  @Test func commits() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("quakes")
    let store = try Store(path, models: Quake.self)
    var commits = store.changes.makeAsyncIterator()
    try write(store) { tx in _ = try tx.add(Quake.five) }
    let version = try store.snapshot { try $0.version }
    #expect(await commits.next() == Commit(number: version))
    // A write that changes nothing is no commit; one by another process is.
    try write(store) { _ in }
    try OtherProcess.run("UPDATE Quake SET felt = 9 WHERE code == 'ak2'", on: path)
    let next = try #require(await commits.next())
    #expect(next.number > version)
  }

  @Test func writesOfAnotherProcess() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("quakes")
    let store = try Store(path, models: Quake.self)
    try write(store) { tx in _ = try tx.add(Quake.five) }
    var changes = try store.objects(Quake.self).filter("magnitude > 2").changes().makeAsyncIterator()
    _ = try await changes.next()
    let next = _Concurrency.Task { [changes] in
      var changes = changes
      return try await changes.next()
    }
    try await _Concurrency.Task.sleep(for: .milliseconds(50))
    try OtherProcess.run("UPDATE Quake SET felt = 9 WHERE code == 'us4'", on: path)
    let shownUpdate = try update(await next.value)
    #expect(shownUpdate == Update(codes: ["us1", "ci3", "us4", "nc5"], modifications: [2]))
    try OtherProcess.run("DELETE Quake WHERE code == 'us1'", on: path)
    try await expect(&changes, Update(codes: ["ci3", "us4", "nc5"], deletions: [0]))
    // A value that was read before the other process wrote is saved beside what that wrote.
    var quake = try #require(try store.object(Quake.self, where: \.code, is: "nc5"))
    try OtherProcess.run("UPDATE Quake SET magnitude = 9 WHERE code == 'nc5'", on: path)
    quake.felt = 77
    try await store.save(&quake)
    let saved = try store.object(Quake.self, where: \.code, is: "nc5")
    #expect(saved?.magnitude == 9 && saved?.felt == 77)
  }

  /// However slow who watches is, and however many commits wait: each observation holds one version, until it ends.
  @Test func slowObserversHoldOneVersionEach() async throws {
    let folder = try TemporaryFolder()
    let store = try Store(folder.path("quakes"), models: Quake.self)
    try write(store) { tx in _ = try tx.add(Quake.five) }
    #expect(try store.statistics().readers == 0)
    var observers: [ResultsChanges<Quake>.AsyncIterator] = []
    let queries = [
      "TRUEPREDICATE", "magnitude > 2 SORT(felt)", "TRUEPREDICATE LIMIT(2)", "TRUEPREDICATE DISTINCT(felt)",
    ]
    for query in queries {
      observers.append(try store.objects(Quake.self).filter(query).changes().makeAsyncIterator())
    }
    var sections = store.objects(Quake.self).sectioned(by: \.place.name).changes().makeAsyncIterator()
    // Whoever has not begun holds nothing; nor does who watches commits only.
    var commits = store.changes.makeAsyncIterator()
    #expect(try store.statistics().readers == 0)
    for index in observers.indices { _ = try await observers[index].next() }
    _ = try await sections.next()
    let version = try store.statistics().version
    #expect(try store.statistics().readers == 5)
    for turn in 0..<30 {
      try change(store, "ak2") { $0.felt = turn }
      try write(store) { tx in _ = try tx.add(Quake("new\(turn)", Double(turn % 9))) }
      #expect(try store.statistics().readers == 5)
    }
    #expect(try store.statistics().oldestReader?.version == version)
    // All that came meanwhile is one change, after which each holds the newest version.
    _ = await commits.next()
    for index in observers.indices { _ = try await observers[index].next() }
    _ = try await sections.next()
    let newest = try store.statistics()
    #expect(newest.readers == 5 && newest.oldestReader?.version == newest.version)
    observers.removeLast(3)
    #expect(try store.statistics().readers == 2)
    observers = []
    sections = store.objects(Quake.self).sectioned(by: \.place.name).changes().makeAsyncIterator()
    #expect(try store.statistics().readers == 0)
  }
}
