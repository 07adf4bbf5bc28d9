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

/// One wait for the writer lock.
struct WaitingWriter {
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
