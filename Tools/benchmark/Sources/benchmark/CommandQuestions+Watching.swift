import Foundation
import ObjectStoreCore

extension CommandQuestions {
  /// How long after another process began to write a watcher learns of its commit.
  ///
  /// The other process stores the time at which it begins, so the sync of its commit is part of the delay, and its start
  /// is not.
  func watch() async throws {
    let name = "a commit of another process, told to who watches the store"
    guard report.wants(name) else { return }
    guard let objquery else { throw MissingCommand() }
    let path = folder.appendingPathComponent("watched.store").path
    let store = try Store(path, models: StoredQuake.self)
    let id = try fill(store)
    var delays: [Double] = []
    for turn in 0...(3 * report.repetitions) {
      let told = Task { [commits = store.changes.makeAsyncIterator()] in
        var commits = commits
        _ = await commits.next()
        return Date.now
      }
      _ = try run(objquery, [path, "--yes", "-c", "UPDATE Quake SET time = now()"])
      let end = await told.value
      guard let begun = try store.object(id)?.time else { return }
      if turn > 0 { delays.append(end.timeIntervalSince(begun) * 1e3) }
    }
    report.add(Row(row: name, unit: "ms", ours: median(of: delays), goal: 100, isQuery: false))
  }

  private func fill(_ store: Store) throws -> ObjectID<StoredQuake> { try store.add(StoredQuake(quakes[0])) }
}
