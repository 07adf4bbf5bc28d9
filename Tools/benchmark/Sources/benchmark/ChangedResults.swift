import Foundation
import ObjectStoreCore

/// The cost of reporting an object that enters watched results, leaves them or moves within them, without the write.
struct ChangedResults {
  let store: Store
  /// The objects whose significance is above `bound`.
  let results: Results<StoredQuake>
  let bound: Int
  let report: Report

  /// An object that is among the results leaves them and comes back, by turns.
  func enter(_ name: String, sorted: Bool, goal: Double) async throws {
    guard report.wants(name) else { return }
    var changes = (sorted ? results.sorted(by: \.significance) : results).changes().makeAsyncIterator()
    _ = try await changes.next()
    var left: ObjectID<StoredQuake>?
    var random = try Numbers(try results.ids, seed: 47)
    try await time(name, goal: goal) { turn in
      let id = left ?? random.next()
      left = left == nil ? id : nil
      // It comes back with a value of its own, so that it has a place of its own.
      try change(id) { $0.significance = left == nil ? bound + 1 + turn % 1_000 : bound - 1 }
    } next: {
      guard case .update(_, let deletions, let insertions, _, let moves)? = try await changes.next() else { return 0 }
      return moves.isEmpty ? deletions.count + insertions.count : 0
    }
    // Whoever is asked next finds as many as before.
    if let left { try change(left) { $0.significance = bound + 1 } }
  }

  /// An object that is not among the first ones becomes the first.
  func enterFew(_ name: String, goal: Double) async throws {
    guard report.wants(name) else { return }
    let sorted = results.sorted(by: \.significance, order: .reverse)
    var changes = sorted.limit(20).changes().makeAsyncIterator()
    _ = try await changes.next()
    let first = try sorted.first?.significance ?? 0
    var random = try Numbers(try results.sorted(by: \.significance).limit(try results.count / 2).ids, seed: 53)
    try await time(name, goal: goal) { turn in
      try change(random.next()) { $0.significance = first + 1 + turn }
    } next: {
      guard case .update(_, let deletions, let insertions, _, let moves)? = try await changes.next() else { return 0 }
      return deletions.count == insertions.count ? insertions.count + moves.count : 0
    }
  }

  /// An object gets another place among the sorted results.
  func move(_ name: String, goal: Double) async throws {
    guard report.wants(name) else { return }
    let sorted = results.sorted(by: \.significance)
    var changes = sorted.changes().makeAsyncIterator()
    _ = try await changes.next()
    let ids = try sorted.ids
    let half = ids.count / 2
    var random = try Numbers(Array(ids[..<half]), seed: 59)
    let last = try sorted.objects().last?.significance ?? bound
    // From the first half behind all others: that is another place in any case.
    try await time(name, goal: goal) { turn in
      try change(random.next()) { $0.significance = last + 1 + turn }
    } next: {
      guard case .update(_, let deletions, let insertions, _, let moves)? = try await changes.next() else { return 0 }
      return deletions.isEmpty && insertions.isEmpty ? moves.count : 0
    }
  }

  /// An object goes from one section to another.
  func changeSection(_ name: String, goal: Double) async throws {
    guard report.wants(name) else { return }
    // In the order of their keys no section moves: one that did would be deleted and inserted, its objects unlisted.
    var changes = results.sectioned(by: \.type, order: .forward).changes().makeAsyncIterator()
    _ = try await changes.next()
    var random = try Numbers(try results.ids, seed: 61)
    let kinds = Array(Set(try results.values(of: \.type))).sorted()
    guard kinds.count > 1 else { throw DifferentAnswers(description: "\(name): all objects are of one type") }
    try await time(name, goal: goal) { turn in
      try change(random.next()) { quake in
        quake.type = kinds[((kinds.firstIndex(of: quake.type) ?? 0) + 1) % kinds.count]
      }
    } next: {
      guard case .update(let sections, let gone, let come, let deletions, let insertions, _)? = try await changes.next()
      else { return 0 }
      // A section that goes or comes has its objects unlisted.
      let left = deletions.isEmpty ? gone.count : deletions.count
      let entered = insertions.isEmpty ? come.count : insertions.count
      return sections.isEmpty || left != entered ? 0 : entered
    }
  }

  private func change(_ id: ObjectID<StoredQuake>, _ change: (inout StoredQuake) -> Void) throws {
    try store.write { tx in try tx.update(id) { change(&$0) } }
  }

  /// Times how long `next` takes to report each change that `commit` makes, and returns the number of its objects.
  private func time(
    _ name: String, goal: Double, _ commit: (_ turn: Int) throws -> Void, next: () async throws -> Int
  ) async throws {
    var times: [Double] = []
    for turn in 0..<(100 * report.repetitions) {
      try commit(turn)
      let start = ContinuousClock.now
      guard try await next() == 1 else {
        throw DifferentAnswers(description: "\(name): a change was reported as another one")
      }
      times.append(seconds(start.duration(to: .now)) * 1e6)
    }
    report.add(Row(row: name, unit: "us", ours: median(of: times), goal: goal, isQuery: false))
  }

  /// Objects in an arbitrary order: each once before any comes again.
  private struct Numbers {
    private let ids: [ObjectID<StoredQuake>]
    private var place = 0

    init(_ ids: [ObjectID<StoredQuake>], seed: UInt64) throws {
      guard !ids.isEmpty else { throw DifferentAnswers(description: "there are too few objects to change any") }
      var random = Generator(seed: seed)
      self.ids = ids.shuffled(using: &random)
    }

    mutating func next() -> ObjectID<StoredQuake> {
      defer { place = (place + 1) % ids.count }
      return ids[place]
    }
  }
}
