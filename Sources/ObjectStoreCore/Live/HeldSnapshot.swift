internal import Glibc
internal import Storage

/// The snapshot of an observer's current results, replaced by a newer one with each reported change.
///
/// Any thread may read it, one at a time.
final class HeldSnapshot: @unchecked Sendable {
  let store: Store
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var snapshot: Snapshot?

  init(_ snapshot: Snapshot, of store: Store) {
    self.snapshot = snapshot
    self.store = store
    lock = .allocate(capacity: 1)
    // A reader may read recursively.
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(lock, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    snapshot?.end()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Runs `body` on the version.
  func read<R>(_ body: (Snapshot) throws -> R) throws -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard let snapshot else { throw StoreError.finished }
    return try body(snapshot)
  }

  /// Replaces the snapshot by another one, or none.
  func replace(by other: Snapshot?) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    snapshot?.end()
    snapshot = other
  }
}
