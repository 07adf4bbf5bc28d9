internal import LMDB

/// Callbacks while waiting for the writer lock, or during long work.
package struct WriteWait {
  /// Called regularly; when it returns true, the wait or the work ends with `StoreError.cancelled`.
  package var isCancelled: (@Sendable () -> Bool)?
  /// Called half a second after a wait began and every half second from then on, with the current writer, if known, and
  /// the duration of the wait.
  package var report: (@Sendable (StoreWriter?, Duration) -> Void)?

  package init(
    isCancelled: (@Sendable () -> Bool)? = nil, report: (@Sendable (StoreWriter?, Duration) -> Void)? = nil
  ) {
    self.isCancelled = isCancelled
    self.report = report
  }

  /// The callbacks for the storage engine.
  var ofEngine: WriterWait {
    WriterWait(
      isCancelled: isCancelled,
      report: report.map { report in { holder, duration in report(holder.map(StoreWriter.init), duration) } })
  }

  /// Whether the work was cancelled.
  var isOver: Bool { isCancelled?() ?? false }
}
