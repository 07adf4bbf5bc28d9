internal import Synchronization

/// Identifies an observation, so that a write can exclude it: `store.write(withoutNotifying: [changes.token])`.
public final class ObservationToken: Sendable {
  private let commits = Mutex<Set<Int>>([])

  init() {}

  /// Whether any commit is excluded.
  var isInUse: Bool { commits.withLock { !$0.isEmpty } }

  /// Whether a commit is excluded.
  func leavesOut(_ commit: Int) -> Bool { commits.withLock { $0.contains(commit) } }

  func leaveOut(_ commit: Int) { commits.withLock { _ = $0.insert(commit) } }

  func forget(_ commit: Int) { commits.withLock { _ = $0.remove(commit) } }

  /// Forgets the commits up to `commit`, which were passed.
  func forget(upTo commit: Int) { commits.withLock { $0 = $0.filter { $0 > commit } } }
}
