internal import Storage
internal import Synchronization

/// The version of a store that some results show: one that an observer exchanges for a newer one with each change, or one
/// that stays, for frozen results. The version ends with the last of those that show it.
final class HeldSnapshot: Sendable {
  let store: Store
  private let lock = RecursiveLock()
  private let pinned: Mutex<PinnedSnapshot?>

  init(_ snapshot: Snapshot, of store: Store) {
    self.store = store
    pinned = Mutex(PinnedSnapshot(snapshot))
  }

  private init(_ snapshot: PinnedSnapshot, of store: Store) {
    self.store = store
    pinned = Mutex(snapshot)
  }

  /// Runs `body` on the version. Until it is done, the version is not exchanged.
  func read<R>(_ body: (Snapshot) throws -> R) throws -> R {
    try lock.locked { try current().read(body) }
  }

  /// The same version, which stays when this one is exchanged.
  func frozen() throws -> HeldSnapshot { HeldSnapshot(try current(), of: store) }

  /// Exchanges the version for another one, or none.
  func replace(by other: Snapshot?) {
    let other = other.map { PinnedSnapshot($0) }
    lock.locked { pinned.withLock { $0 = other } }
  }

  private func current() throws -> PinnedSnapshot {
    guard let snapshot = pinned.withLock({ $0 }) else { throw StoreError.finished }
    return snapshot
  }
}

/// A version of a store until nobody needs it. Any thread may read it, one at a time.
private final class PinnedSnapshot: @unchecked Sendable {
  private let snapshot: Snapshot
  private let lock = RecursiveLock()

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  deinit { snapshot.end() }

  func read<R>(_ body: (Snapshot) throws -> R) rethrows -> R { try lock.locked { try body(snapshot) } }
}
