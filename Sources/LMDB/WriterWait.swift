import Glibc

/// Callbacks during a wait for the writer lock.
package struct WriterWait {
  /// Called every few milliseconds: once it returns true, the wait ends with `LMDBError.cancelled`.
  package var isCancelled: (() -> Bool)?
  /// Called half a second after the wait began and every half second from then on, with the holder, if known, and the
  /// duration of the wait.
  package var report: ((WriterHolder?, Duration) -> Void)?

  /// A wait without callbacks.
  package init() {}

  package init(isCancelled: (() -> Bool)?, report: ((WriterHolder?, Duration) -> Void)?) {
    self.isCancelled = isCancelled
    self.report = report
  }
}

/// The waits of a process for the writer lock.
package struct WriterWaits: Sendable, Hashable {
  /// The writes that had to wait.
  package private(set) var count = 0
  /// The sum of their waits.
  package private(set) var total = Duration.zero
  package private(set) var longest = Duration.zero

  mutating func add(_ wait: Duration) {
    count &+= 1
    total += wait
    longest = max(longest, wait)
  }
}

/// One wait for the writer lock.
struct WaitingWriter {
  /// Whether another writer had the lock.
  var hasWaited = false
  private let wait: WriterWait
  private let deadline: Deadline
  private let start = Deadline.now
  private var nextReport: UInt64

  private static let reportInterval: UInt64 = 500_000_000
  /// The interval between checks for cancellation.
  private static let lookInterval: UInt64 = 10_000_000

  init(_ wait: WriterWait, timeout: Duration?) {
    self.wait = wait
    deadline = Deadline(after: timeout)
    nextReport = start + Self.reportInterval
  }

  /// How long the wait took that ends now; nil when there was none.
  var duration: Duration? { hasWaited ? .nanoseconds(Int64(clamping: Deadline.now - start)) : nil }

  /// Whether there are no callbacks while waiting, so that the kernel can wait.
  var isEndless: Bool { deadline.time == nil && wait.isCancelled == nil && wait.report == nil }

  /// The time of the next check.
  var nextLook: Deadline {
    if wait.isCancelled == nil, wait.report == nil { return deadline }
    return Deadline(time: min(deadline.time ?? .max, Deadline.now + Self.lookInterval))
  }

  /// Throws when the wait is over, and reports it when that is due.
  ///
  /// - Parameter holder: Returns the holder of the lock.
  mutating func look(_ holder: () -> WriterHolder?) throws(LMDBError) {
    if let isCancelled = wait.isCancelled, isCancelled() { throw .cancelled }
    if deadline.hasPassed { throw .writerBusy(holder()) }
    guard let report = wait.report else { return }
    let now = Deadline.now
    guard now >= nextReport else { return }
    nextReport = now + Self.reportInterval
    report(holder(), .nanoseconds(Int64(clamping: now - start)))
  }
}
