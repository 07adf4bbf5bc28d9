import Foundation
import ObjectStoreCore
import TestSeeds
import Testing

/// Sections that are observed: the changes of each commit.
@Suite struct LiveSectionsTests {
  private typealias Iterator<Key: Sendable> = SectionsChanges<Quake, Key>.AsyncIterator

  /// A change as it is compared.
  private struct Update: Equatable {
    var codes: [[String]]
    var sectionDeletions: [Int] = []
    var sectionInsertions: [Int] = []
    var deletions: [SectionPosition] = []
    var insertions: [SectionPosition] = []
    var modifications: [SectionPosition] = []
  }

  private func update<Key>(_ change: SectionsChange<Quake, Key>?) throws -> Update {
    switch try #require(change) {
    case .initial(let sections): return Update(codes: try sections.map { try $0.objects.map(\.code) })
    case .update(
      let sections, let sectionDeletions, let sectionInsertions, let deletions, let insertions, let modifications):
      return Update(
        codes: try sections.map { try $0.objects.map(\.code) }, sectionDeletions: sectionDeletions,
        sectionInsertions: sectionInsertions, deletions: deletions, insertions: insertions,
        modifications: modifications)
    }
  }

  private func next<Key>(_ changes: inout Iterator<Key>) async throws -> Update {
    try update(await changes.next())
  }

  private func write(_ store: Store, _ body: (WriteTransaction) throws -> Void) throws { try store.write(body) }

  private func change(_ store: Store, _ code: String, _ change: (inout Quake) -> Void) throws {
    try store.write { tx in try tx.update(tx.objects(Quake.self).filter("code == %@", code)) { change(&$0) } }
  }

  private func at(_ section: Int, _ item: Int) -> SectionPosition { SectionPosition(section: section, item: item) }

  @Test func whatComesAndGoesAndChanges() async throws {
    let store = try Quake.store()
    var changes = store.objects(Quake.self).sectioned(by: \.place.name).changes().makeAsyncIterator()
    #expect(try await next(&changes) == Update(codes: [["us1"], ["ak2", "us4"], ["ci3", "nc5"]]))
    // An object that goes to another section, and one that changes within its own.
    try change(store, "us4") { $0.place.name = "California" }
    try change(store, "ci3") { $0.felt = 9 }
    #expect(
      try await next(&changes)
        == Update(
          codes: [["us1"], ["ak2"], ["ci3", "us4", "nc5"]], deletions: [at(1, 1)], insertions: [at(2, 1)],
          modifications: [at(2, 0)]))
    // A section goes with its last object, and another comes with its first.
    try write(store) { tx in _ = try tx.delete(tx.objects(Quake.self).filter("code == 'us1'")) }
    try change(store, "nc5") { $0.place.name = "Nevada" }
    #expect(
      try await next(&changes)
        == Update(
          codes: [["ak2"], ["ci3", "us4"], ["nc5"]], sectionDeletions: [0], sectionInsertions: [2],
          deletions: [at(2, 2)]))
  }

  /// The property that sections are made by matters, even where it is not watched.
  @Test func onlyWhatIsWatchedIsAModification() async throws {
    let store = try Quake.store()
    let sectioned = store.objects(Quake.self).sectioned(by: \.felt, order: .forward)
    var changes = sectioned.changes(keyPaths: [\.magnitude]).makeAsyncIterator()
    #expect(try await next(&changes) == Update(codes: [["ak2", "us4"], ["ci3", "nc5"], ["us1"]]))
    try change(store, "us1") { $0.code = "us9" }
    try change(store, "nc5") { $0.magnitude = 8 }
    #expect(
      try await next(&changes)
        == Update(codes: [["ak2", "us4"], ["ci3", "nc5"], ["us9"]], modifications: [at(1, 1)]))
    try change(store, "us9") { $0.felt = nil }
    #expect(
      try await next(&changes)
        == Update(
          codes: [["us9", "ak2", "us4"], ["ci3", "nc5"]], sectionDeletions: [2], insertions: [at(0, 0)]))
  }

  @Test func aSectionThatMovesGoesAndComes() async throws {
    let store = try Quake.store()
    let sorted = store.objects(Quake.self).sorted(by: \.magnitude)
    var changes = sorted.sectioned(byFirstLetterOf: \.place.name).changes(keyPaths: [\.code]).makeAsyncIterator()
    #expect(try await next(&changes) == Update(codes: [["ak2", "us4"], ["ci3", "nc5"], ["us1"]]))
    try change(store, "us1") { $0.magnitude = 0 }
    #expect(
      try await next(&changes)
        == Update(codes: [["us1"], ["ak2", "us4"], ["ci3", "nc5"]], sectionDeletions: [2], sectionInsertions: [0]))
  }

  @Test func aWriteThatLeavesAnObservationOut() async throws {
    let store = try Quake.store()
    let sequence = store.objects(Quake.self).sectioned(by: \.place.name).changes()
    var changes = sequence.makeAsyncIterator()
    _ = try await changes.next()
    try await store.write(withoutNotifying: [sequence.token]) { tx in
      _ = try tx.delete(tx.objects(Quake.self).filter("code == 'us1'"))
    }
    let shown = _Concurrency.Task { [changes] in
      var changes = changes
      return try await changes.next()
    }
    // It goes on to the version of the write without a change.
    try await _Concurrency.Task.sleep(for: .milliseconds(300))
    try change(store, "ak2") { $0.felt = 7 }
    let shownUpdate = try update(await shown.value)
    #expect(shownUpdate == Update(codes: [["ak2", "us4"], ["ci3", "nc5"]], modifications: [at(0, 0)]))
  }

  @Test func whatIsWrongIsThrown() async throws {
    let store = try Quake.store()
    var changes = store.objects(Quake.self).sectioned(by: \.objectID?.number.rawValue).changes().makeAsyncIterator()
    await #expect(throws: QueryError.self) { try await changes.next() }
  }

  @Test func aChangeAppliesOnlyToWhatWasBefore() async throws {
    let store = try Quake.store()
    var changes = store.objects(Quake.self).sectioned(by: \.place.name).changes().makeAsyncIterator()
    var ids: [[ObjectID<Quake>]] = []
    try await changes.next()?.apply(to: &ids)
    try write(store) { tx in _ = try tx.delete(tx.objects(Quake.self).filter("code == 'nc5'")) }
    let second = try await changes.next()
    var other: [[ObjectID<Quake>]] = [[]]
    #expect(throws: IndexOutOfRange.self) { try second?.apply(to: &other) }
    #expect(other == [[]])
    try second?.apply(to: &ids)
    #expect(ids.map(\.count) == [1, 2, 1])
  }

  // MARK: Random writes

  /// Follows sections in arrays, as an application does.
  private struct Follower<Key: Sendable & Hashable> {
    let query: SectionedResults<Quake, Key>
    var changes: Iterator<Key>
    var ids: [[ObjectID<Quake>]] = []
    var values: [ObjectID<Quake>: Quake] = [:]

    init(_ query: SectionedResults<Quake, Key>) {
      self.query = query
      changes = query.changes().makeAsyncIterator()
    }

    mutating func begin() async throws {
      try await changes.next()?.apply(to: &ids)
      values = try known()
    }

    private func known() throws -> [ObjectID<Quake>: Quake] {
      Dictionary(
        uniqueKeysWithValues: try query.results.objects().compactMap { object in object.objectID.map { ($0, object) } })
    }

    mutating func follow(_ step: Int) async throws {
      let (now, new) = (try query.sections().map(\.ids), try known())
      let isModified = new.contains { values[$0.key].map { [new = $0.value] in $0 != new } ?? false }
      if now == ids, !isModified { return }
      let change = try #require(try await changes.next())
      let before = ids
      try change.apply(to: &ids)
      #expect(ids == now, "step \(step)")
      guard case .update(let sections, _, let come, _, let insertions, let modifications) = change else {
        Issue.record("step \(step): no update")
        return
      }
      #expect(sections.map(\.ids) == now)
      // What stayed in its place and has another value is modified; nothing else is.
      let (entered, were) = (Set(insertions), Set(before.joined()))
      var expected: [SectionPosition] = []
      for section in now.indices where !come.contains(section) {
        for (item, id) in now[section].enumerated() {
          let position = SectionPosition(section: section, item: item)
          if !entered.contains(position), were.contains(id), values[id] != new[id] { expected.append(position) }
        }
      }
      #expect(modifications == expected, "step \(step)")
      values = new
    }
  }

  /// By two stores on one folder, and by another process.
  @Test func randomWrites() async throws {
    let seed = testSeed()
    var random = Numbers(seed)
    let folder = try TemporaryFolder()
    let path = folder.path("quakes")
    let (store, other) = (try Store(path, models: Quake.self), try Store(path, models: Quake.self))
    try write(store) { tx in
      _ = try tx.add((0..<60).map { Quake("q\($0)", Double($0 % 9), felt: $0 % 4 == 0 ? nil : $0 % 4) })
    }
    let all = store.objects(Quake.self)
    var numbers = [
      Follower(all.sectioned(by: \.felt)), Follower(all.sectioned(by: \.felt, order: .reverse)),
      Follower(try all.filter("magnitude > 3").sectioned(by: \.felt)),
      Follower(all.sorted(by: \.magnitude, order: .reverse).sectioned(by: \.felt)),
      Follower(all.sorted(by: \.magnitude).limit(20).sectioned(by: \.felt, order: .forward)),
    ]
    var texts = [
      Follower(all.sectioned(byFirstLetterOf: \.place.name)),
      Follower(all.sorted(by: \.code, options: .numeric).sectioned(by: \.place.name, options: .caseInsensitive)),
    ]
    for index in numbers.indices { try await numbers[index].begin() }
    for index in texts.indices { try await texts[index].begin() }
    for step in 0..<60 {
      try write(Bool.random(using: &random) ? store : other) { tx in
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let value = Int.random(in: 0..<12, using: &random)
          let one = try tx.objects(Quake.self).filter("code == %@", "q\(Int.random(in: 0..<70, using: &random))")
          switch Int.random(in: 0..<6, using: &random) {
          case 0: try tx.add(Quake("s\(step).\(Int.random(in: 0..<1_000_000_000, using: &random))", Double(value)))
          case 1: try tx.delete(one)
          case 2: try tx.update(one) { $0.felt = value == 0 ? nil : value % 5 }
          case 3: try tx.update(one) { $0.place.name = ["Bali", "alaska", "Ararat", "Égypte", ""][value % 5] }
          case 4: try tx.update(one) { $0.magnitude = Double(value) }
          default: try tx.update(one) { $0.time += 1 }
          }
        }
      }
      if step % 6 == 0 {
        let (felt, code) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<60, using: &random))
        try OtherProcess.run("UPDATE Quake SET felt = \(felt) WHERE code == 'q\(code)'", on: path)
      }
      for index in numbers.indices { try await numbers[index].follow(step) }
      for index in texts.indices { try await texts[index].follow(step) }
    }
  }

  /// Enough objects and sections that few of them are looked at after a change.
  @Test func randomWritesAmongManyObjects() async throws {
    let seed = testSeed()
    var random = Numbers(seed)
    let store = try Store.inMemory(Quake.self)
    try write(store) { tx in
      _ = try tx.add((0..<2_000).map { Quake("q\($0)", Double($0 % 9), felt: $0 * 7 % 40) })
    }
    let all = store.objects(Quake.self)
    var followers = [
      Follower(all.sectioned(by: \.felt)), Follower(all.sorted(by: \.magnitude).sectioned(by: \.felt)),
      Follower(all.sorted(by: \.time, order: .reverse).sectioned(by: \.felt, order: .reverse)),
    ]
    var each = [Follower(all.sorted(by: \.magnitude).sectioned(by: \.code))]
    for index in followers.indices { try await followers[index].begin() }
    for index in each.indices { try await each[index].begin() }
    for step in 0..<12 {
      try write(store) { tx in
        for _ in 0..<Int.random(in: 1...40, using: &random) {
          let value = Int.random(in: 0..<50, using: &random)
          let one = try tx.objects(Quake.self).filter("code == %@", "q\(Int.random(in: 0..<2_000, using: &random))")
          switch Int.random(in: 0..<5, using: &random) {
          case 0: try tx.add(Quake("s\(step).\(Int.random(in: 0..<1_000_000_000, using: &random))", 3, felt: value))
          case 1: try tx.delete(one)
          case 2: try tx.update(one) { $0.felt = value }
          case 3: try tx.update(one) { $0.magnitude = Double(value % 9) }
          default: try tx.update(one) { $0.time += Double(value) }
          }
        }
      }
      for index in followers.indices { try await followers[index].follow(step) }
      for index in each.indices { try await each[index].follow(step) }
    }
  }
}
