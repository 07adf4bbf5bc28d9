internal import LMDB
internal import Synchronization

/// An environment, and what is known of its file. Each file that a store has had since it was opened has one: databases
/// and addresses of one mean nothing in another.
final class OpenEnvironment: Sendable {
  let environment: Environment
  /// The catalog of the newest schema that was read.
  let loaded = Mutex<LoadedCatalog?>(nil)
  /// Data read from the newest commit.
  let newest = Mutex<CommitFacts?>(nil)

  init(_ environment: Environment) { self.environment = environment }

  /// The data of a commit that was read and in which no damage was met since.
  func facts(of commit: Int) -> CommitFacts? {
    let damage = environment.damaged.generation
    return newest.withLock { $0?.commit == commit && $0?.catalog.damage == damage ? $0 : nil }
  }
}
