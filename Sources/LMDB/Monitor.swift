import Glibc

/// A recursive lock with a condition to wait for.
final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    var mutexKind = pthread_mutexattr_t()
    pthread_mutexattr_init(&mutexKind)
    pthread_mutexattr_settype(&mutexKind, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &mutexKind)
    pthread_mutexattr_destroy(&mutexKind)
    var conditionKind = pthread_condattr_t()
    pthread_condattr_init(&conditionKind)
    pthread_condattr_setclock(&conditionKind, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &conditionKind)
    pthread_condattr_destroy(&conditionKind)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Releases the lock until woken, possibly spuriously; false once the deadline has passed.
  func wait(until deadline: Deadline) -> Bool {
    guard let time = deadline.time else { return pthread_cond_wait(condition, mutex) == 0 }
    var spec = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    return pthread_cond_timedwait(condition, mutex, &spec) == 0
  }

  func wakeAll() { pthread_cond_broadcast(condition) }
}

/// A moment of the monotonic clock, or never.
struct Deadline {
  /// Nanoseconds; nil for never.
  let time: UInt64?

  static let never = Deadline(time: nil)

  init(time: UInt64?) { self.time = time }

  /// That long from now; nil for never.
  init(after duration: Duration?) {
    guard let duration else {
      time = nil
      return
    }
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else {
      time = Self.now
      return
    }
    // A wait of over thirty years is for ever.
    guard seconds < 1_000_000_000 else {
      time = nil
      return
    }
    time = Self.now + UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }

  var hasPassed: Bool { time.map { $0 <= Self.now } ?? false }

  /// Nanoseconds of the monotonic clock.
  static var now: UInt64 {
    var spec = timespec()
    clock_gettime(CLOCK_MONOTONIC, &spec)
    return UInt64(spec.tv_sec) * 1_000_000_000 + UInt64(spec.tv_nsec)
  }

  /// The same, accurate to a few milliseconds, at a fraction of the cost.
  static var coarseNow: UInt64 {
    var spec = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &spec)
    return UInt64(spec.tv_sec) * 1_000_000_000 + UInt64(spec.tv_nsec)
  }
}
