import ObjectStoreCore
import Synchronization

/// Stops a request: its client cancels it, or its time is over.
final class RequestCancellation: Sendable {
  /// Why it was stopped.
  enum Reason: Sendable {
    case cancelled
    case timeout(milliseconds: Int)
  }

  private struct State {
    var isCancelled = false
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Why its work was stopped.
  ///
  /// - Parameter milliseconds: The limit of time, if it had one.
  func reason(limit milliseconds: Int?) -> Reason? {
    isCancelled ? .cancelled : milliseconds.map { .timeout(milliseconds: $0) }
  }

  func cancel() {
    let actions = state.withLock { state in
      state.isCancelled = true
      defer { state.actions = [] }
      return state.actions
    }
    for action in actions { action() }
  }

  /// Calls `action` when the request is cancelled, at once if it is already.
  func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.actions.append(action) }
      return state.isCancelled
    }
    if isCancelled { action() }
  }

  /// A cancellation for the store's operations, with a limit of time.
  func cancellation(after milliseconds: Int?) -> Cancellation {
    let cancellation = milliseconds.map { Cancellation(after: .milliseconds($0)) } ?? Cancellation()
    onCancel { cancellation.cancel() }
    return cancellation
  }
}
