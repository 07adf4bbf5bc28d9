internal import Glibc
internal import Storage

/// The version of a store that an observer's results show, exchanged for a newer one with each change it tells of.
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
    // Whoever reads may read again within it.
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

  /// Lets go of the version for another one, or none.
  func replace(by other: Snapshot?) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    snapshot?.end()
    snapshot = other
  }
}
