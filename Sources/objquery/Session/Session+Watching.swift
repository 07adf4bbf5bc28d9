import Dispatch
import ObjectStoreCore
import Synchronization

extension Session {
  /// Shows the result of a query, and then what each commit changes in it, by this or any other process, until Ctrl-C.
  ///
  /// - Parameter most: How many commits that change something are followed; nil for all.
  func watch(_ text: String, most: Int? = nil) throws {
    try refuseInTransaction(".watch")
    let watch = try QueryWatch(text, in: self)
    watch.warnings.forEach { console.warn($0, source: text) }
    var screen: WatchScreen?
    var count = 0
    try waiting { [self] in
      try await watch.follow { step in
        if let screen, !step.isFresh {
          try output.result { try screen.show(step.rows, commit: step.commit, $0) }
        } else {
          let fresh = WatchScreen(step.shape, text, style, console)
          try output.result { try fresh.begin(step.rows, commit: step.commit, $0) }
          defer { screen = fresh }
          if screen == nil { return true }
        }
        count += 1
        return most.map { count < $0 } ?? true
      }
    }
  }

  /// Runs `body` in a task, and waits for it on this thread; the cancellation of the statement cancels the task.
  private func waiting(for body: @escaping () async throws -> Void) throws {
    let handed = HandedOver(body: body)
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    let task = Task {
      do {
        try await handed.body()
        outcome.withLock { $0 = .success(()) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    while done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if running?.isCancelled == true { task.cancel() }
    }
    if case .failure(let error)? = outcome.withLock({ $0 }) {
      if !(error is CancellationError) { throw error }
    }
    guard running?.isCancelled == true else { return }
    // In the shell, Ctrl-C is the way to end it.
    if isInteractive { _ = Interrupts.shared.take() } else { throw Interrupted() }
  }
}

/// Work that another task does while this thread waits for it, so that both never run at once.
private struct HandedOver: @unchecked Sendable {
  let body: () async throws -> Void
}
