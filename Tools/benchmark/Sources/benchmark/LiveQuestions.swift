import Foundation
import ObjectStoreCore

/// What it costs to watch results, beside the writes that are watched, and to save a value that was read. In memory, so that
/// no disk is waited for.
struct LiveQuestions {
  let quakes: [QuakeRow]
  let report: Report

  private static let save = "read one object, change two properties and save it, in memory"
  private static let unchanged = "read one object and save it unchanged, in memory"
  private static let told = "a changed object told to who watches a tenth of the objects"
  private static let sorted = "the same, sorted"
  private static let sections = "the same, in sections by type"
  private static let few = "the same, to who watches the first 20 sorted"
  private static let entering = "an object that enters or leaves, told to who watches a tenth of the objects"
  private static let enteringSorted = "the same, among sorted ones"
  private static let enteringFew = "an object that enters the first 20 sorted, told to who watches them"
  private static let moving = "an object that moves among a tenth of the objects, sorted, told to who watches"
  private static let changingSection = "an object that changes its section, told to who watches sections by type"
  private static let properties = "a commit to other properties, with ten who watch (limit: with none)"
  private static let entity = "a commit to another entity, with ten who watch (limit: with none)"

  func ask() async throws {
    let names = [
      Self.save, Self.unchanged, Self.told, Self.sorted, Self.sections, Self.few, Self.entering, Self.enteringSorted,
      Self.enteringFew, Self.moving, Self.changingSection, Self.properties, Self.entity,
    ]
    guard names.contains(where: report.wants) else { return }
    let store = try Store.inMemory(StoredQuake.self, StoredNote.self)
    try load(store)
    try save(store)
    // Significances are as good as random: those of a tenth are above the nine other tenths.
    let values = quakes.map(\.significance).sorted()
    let bound = values[values.count * 9 / 10]
    let results = try store.objects(StoredQuake.self).filter("significance > %@", bound)
    try await tell(Self.told, results, store, goal: 50)
    try await tell(Self.sorted, results.sorted(by: \.significance), store, goal: 50)
    try await tellSections(results, store)
    try await tell(Self.few, results.sorted(by: \.significance).limit(20), store, goal: 50, 0.25)
    let changed = ChangedResults(store: store, results: results, bound: bound, report: report)
    try await changed.enter(Self.entering, sorted: false, goal: 50)
    try await changed.enter(Self.enteringSorted, sorted: true, goal: 50)
    try await changed.enterFew(Self.enteringFew, goal: 50)
    try await changed.move(Self.moving, goal: 50)
    try await changed.changeSection(Self.changingSection, goal: 100)
    var value = 0
    try await pass(Self.properties, results, store) {
      value += 1
      try change(ObjectID(ObjectNumber(1)), store) { $0.felt = value }
    }
    let note = try add(StoredNote(), to: store)
    try await pass(Self.entity, results, store) {
      value += 1
      try store.write { tx in try tx.update(note) { $0.size = value } }
    }
  }

  private func load(_ store: Store) throws {
    try store.write { tx in for quake in quakes { try tx.add(StoredQuake(quake)) } }
  }

  private func add(_ note: StoredNote, to store: Store) throws -> ObjectID<StoredNote> {
    try store.write { tx in try tx.add(note) }
  }

  private func save(_ store: Store) throws {
    var random = Generator(seed: 41)
    func measure(_ name: String, goal: Double, _ change: (inout StoredQuake) -> Void) throws {
      guard report.wants(name) else { return }
      let time = try median(report.repetitions) {
        let id = ObjectID<StoredQuake>(ObjectNumber(UInt64(random.below(quakes.count) + 1)))
        guard var quake = try store.object(id) else { return }
        change(&quake)
        try store.save(&quake)
      }
      report.add(Row(row: name, unit: "us", ours: time / 1e3, goal: goal, isQuery: false))
    }
    var felt = 1_000
    try measure(Self.save, goal: 100) { quake in
      felt += 1
      quake.felt = felt
      quake.depth += 1
    }
    try measure(Self.unchanged, goal: 50) { _ in }
  }

  /// Changes one object of the results, and waits until that is told; the writing is left out.
  private func tell(
    _ name: String, _ results: Results<StoredQuake>, _ store: Store, goal: Double?, _ fraction: Double = 0.5
  ) async throws {
    guard report.wants(name) else { return }
    var changes = results.changes().makeAsyncIterator()
    _ = try await changes.next()
    try await time(name, try results.ids, store, goal: goal, fraction) {
      guard case .update(_, _, _, let modifications, _)? = try await changes.next() else { return 0 }
      return modifications.count
    }
  }

  /// The same of results in sections.
  private func tellSections(_ results: Results<StoredQuake>, _ store: Store) async throws {
    guard report.wants(Self.sections) else { return }
    var changes = results.sectioned(by: \.type).changes().makeAsyncIterator()
    _ = try await changes.next()
    try await time(Self.sections, try results.ids, store, goal: 100, 0.75) {
      guard case .update(_, _, _, _, _, let modifications)? = try await changes.next() else { return 0 }
      return modifications.count
    }
  }

  /// Times what `next` takes to tell of one changed object; it gives how many it was told of. `fraction` tells the depths
  /// that a row writes from those of the others.
  private func time(
    _ name: String, _ ids: [ObjectID<StoredQuake>], _ store: Store, goal: Double?, _ fraction: Double,
    _ next: () async throws -> Int
  ) async throws {
    var random = Generator(seed: 43)
    var times: [Double] = []
    for turn in 0..<(100 * report.repetitions) {
      // A depth that no row before has stored: what writes the value that is there changes nothing.
      try change(ids[random.below(ids.count)], store) { $0.depth = Double(turn) + fraction }
      let start = ContinuousClock.now
      guard try await next() == 1 else {
        throw DifferentAnswers(description: "\(name): a changed object was not told of")
      }
      times.append(seconds(start.duration(to: .now)) * 1e6)
    }
    report.add(Row(row: name, unit: "us", ours: median(of: times), goal: goal, isQuery: false))
  }

  private func change(
    _ id: ObjectID<StoredQuake>, _ store: Store, _ change: (inout StoredQuake) -> Void
  ) throws {
    try store.write { tx in try tx.update(id) { change(&$0) } }
  }

  /// Times commits of what nobody watches.
  private func pass(
    _ name: String, _ results: Results<StoredQuake>, _ store: Store, _ commit: () throws -> Void
  ) async throws {
    guard report.wants(name) else { return }
    let alone = try median(report.repetitions, commit)
    let watching = (0..<10).map { _ in
      Task { for try await _ in results.changes(keyPaths: [\.magnitude]) {} }
    }
    try await Task.sleep(for: .milliseconds(500))
    let watched = try median(report.repetitions, commit)
    for task in watching { task.cancel() }
    report.add(Row(row: name, unit: "us", ours: watched / 1e3, limit: alone / 1e3, isQuery: false))
  }
}
