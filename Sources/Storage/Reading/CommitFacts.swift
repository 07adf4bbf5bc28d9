internal import Synchronization

/// The data of one commit that all readers share: the catalog, and the counters of entities.
///
/// With it, many short reads of a commit need not find, validate and decode the same records again. The file keeps it
/// for the newest commit only; it holds no resources and does not depend on objects.
final class CommitFacts: Sendable {
  /// The number of the commit.
  let commit: Int
  /// The catalog as of that commit.
  let catalog: LoadedCatalog
  /// The counters of the entities that were read.
  private let states = Mutex<[(entity: UInt32, state: EntityState)]>([])

  init(commit: Int, catalog: LoadedCatalog) {
    self.commit = commit
    self.catalog = catalog
  }

  /// The counters of an entity, read on first use.
  func state(of entity: UInt32, _ read: () throws(StoreError) -> EntityState) throws(StoreError) -> EntityState {
    if let known = states.withLock({ states in states.first { $0.entity == entity } }) { return known.state }
    let state = try read()
    // Threads that read at the same time have the same result.
    states.withLock { states in
      if !states.contains(where: { $0.entity == entity }) { states.append((entity, state)) }
    }
    return state
  }
}
