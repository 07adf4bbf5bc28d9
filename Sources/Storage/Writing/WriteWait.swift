internal import LMDB

/// What goes on while somebody waits for the writer's turn, or until long work is done that nobody may want any more.
package struct WriteWait {
  /// Asked now and then: once it says yes, the wait or the work ends with `StoreError.cancelled`.
  package var isCancelled: (@Sendable () -> Bool)?
  /// Called half a second after a wait began and every half second from then on, with who has the turn, if that is
  /// known, and how long the wait has lasted.
  package var report: (@Sendable (StoreWriter?, Duration) -> Void)?

  package init(
    isCancelled: (@Sendable () -> Bool)? = nil, report: (@Sendable (StoreWriter?, Duration) -> Void)? = nil
  ) {
    self.isCancelled = isCancelled
    self.report = report
  }

  /// The same for the storage engine.
  var ofEngine: WriterWait {
    WriterWait(
      isCancelled: isCancelled,
      report: report.map { report in { holder, duration in report(holder.map(StoreWriter.init), duration) } })
  }

  /// Whether nobody wants the work any more.
  var isOver: Bool { isCancelled?() ?? false }
}
