import ObjectStoreCore
import Synchronization

extension Console {
  /// A cancellation for an operation, with an optional time limit, that reports once when the operation waits for
  /// another writer.
  func cancellation(after duration: Duration? = nil) -> Cancellation {
    let notice = WaitingNotice(console: self)
    guard let duration else { return Cancellation { notice.show($0) } }
    return Cancellation(after: duration) { notice.show($0) }
  }
}

/// Reports once that a write is waiting, and for which writer.
private final class WaitingNotice: Sendable {
  private let console: Console
  private let isTold = Atomic(false)

  init(console: Console) { self.console = console }

  func show(_ wait: WaitingWrite) {
    if isTold.exchange(true, ordering: .relaxed) { return }
    // There may be a progress bar on the line.
    let start = StandardError.isTerminal ? "\r\u{1B}[K" : ""
    console.note("\(start)waiting for \(Self.name(wait.writer)); Ctrl-C gives up")
  }

  private static func name(_ writer: StoreWriter?) -> String {
    guard let writer else { return "another process, which is writing to the store" }
    guard let duration = writer.duration, duration > .milliseconds(500) else {
      return "process \(writer.processID), which is writing to the store"
    }
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    return "process \(writer.processID), which has been writing to the store for \(Progress.time(seconds))"
  }
}
