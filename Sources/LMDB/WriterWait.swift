import Glibc

/// What goes on while somebody waits for the writer's turn.
package struct WriterWait {
  /// Asked every few milliseconds: once it says yes the wait ends with `LMDBError.cancelled`.
  package var isCancelled: (() -> Bool)?
  /// Called half a second after the wait began and every half second from then on, with who has the turn, if that is
  /// known, and how long the wait has lasted.
  package var report: ((WriterHolder?, Duration) -> Void)?

  /// A wait of which nobody hears.
  package init() {}

  package init(isCancelled: (() -> Bool)?, report: ((WriterHolder?, Duration) -> Void)?) {
    self.isCancelled = isCancelled
    self.report = report
  }
}

/// One wait for the writer's turn, from its beginning.
struct WaitingWriter {
  private let wait: WriterWait
  private let deadline: Deadline
  private let start = Deadline.now
  private var nextReport: UInt64

  private static let reportInterval: UInt64 = 500_000_000
  /// How long nobody is asked whether the wait is cancelled.
  private static let lookInterval: UInt64 = 10_000_000

  init(_ wait: WriterWait, timeout: Duration?) {
    self.wait = wait
    deadline = Deadline(after: timeout)
    nextReport = start + Self.reportInterval
  }

  /// Whether there is nothing to do while waiting, so that the system can do it.
  var isEndless: Bool { deadline.time == nil && wait.isCancelled == nil && wait.report == nil }

  /// When to look again.
  var nextLook: Deadline {
    if wait.isCancelled == nil, wait.report == nil { return deadline }
    return Deadline(time: min(deadline.time ?? .max, Deadline.now + Self.lookInterval))
  }

  /// Throws when the wait is over, and reports it when that is due.
  ///
  /// - Parameter holder: Who has the turn.
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
