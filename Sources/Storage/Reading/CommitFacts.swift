internal import Synchronization

/// What was read of one commit and is the same for all who look at it: the catalog, and the counters of entities.
///
/// Many short reads of one commit need not find, check and decode the same records again. It is kept by the file for
/// the newest commit only; it holds nothing open and knows no objects.
final class CommitFacts: Sendable {
  /// The number of the commit.
  let commit: Int
  /// The catalog as of that commit.
  let catalog: LoadedCatalog
  /// Of the entities that were asked for.
  private let states = Mutex<[(entity: UInt32, state: EntityState)]>([])

  init(commit: Int, catalog: LoadedCatalog) {
    self.commit = commit
    self.catalog = catalog
  }

  /// The counters of an entity, read the first time they are asked for.
  func state(of entity: UInt32, _ read: () throws(StoreError) -> EntityState) throws(StoreError) -> EntityState {
    if let known = states.withLock({ states in states.first { $0.entity == entity } }) { return known.state }
    let state = try read()
    // Threads that asked at the same time have read the same.
    states.withLock { states in
      if !states.contains(where: { $0.entity == entity }) { states.append((entity, state)) }
    }
    return state
  }
}
