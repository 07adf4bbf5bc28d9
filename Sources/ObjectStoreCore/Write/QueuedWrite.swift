internal import Storage
internal import Synchronization

/// A write that a task waits for, with any result type.
protocol QueuedWrite: AnyObject, Sendable {
  /// Whether it takes a transaction of its own.
  var isAlone: Bool { get }

  /// Whether it is to be done: false when its task was cancelled before its turn. From the first time on it can't be
  /// cancelled any more.
  func begin() -> Bool

  /// Runs it in a session shared with other writes; it may run again in another session.
  func perform(in session: WriteSession) throws

  /// Keeps the error of a write that changed nothing, for its task.
  func refuse(_ error: any Error)

  /// Resumes the task with the result of the write, which is now durable.
  func succeed()

  /// Resumes the task with an error.
  func fail(_ error: any Error)
}

/// The write of one task, from the call until the task resumes.
final class TaskWrite<Output: Sendable>: QueuedWrite {
  private enum Phase {
    /// No task waits for it yet.
    case new
    case waiting(CheckedContinuation<Output, any Error>)
    case begun(CheckedContinuation<Output, any Error>)
    case over
  }

  private struct State {
    var phase = Phase.new
    var result: Result<Output, any Error>?
    var outcome: WriteOutcome?
  }

  private let store: Store
  /// Runs when the write fails, before any other write; nil for a write that shares its transaction with others.
  private let onFailure: (@Sendable () -> Void)?
  private let body: @Sendable (WriteTransaction) throws -> Output
  private let state = Mutex(State())

  init(
    _ store: Store, onFailure: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Output
  ) {
    self.store = store
    self.onFailure = onFailure
    self.body = body
  }

  var isAlone: Bool { onFailure != nil }

  /// The task waits; false when it need not, since it was cancelled.
  func wait(_ continuation: CheckedContinuation<Output, any Error>) -> Bool {
    let isWaiting = state.withLock { state in
      guard case .new = state.phase else { return false }
      state.phase = .waiting(continuation)
      return true
    }
    if !isWaiting { continuation.resume(throwing: CancellationError()) }
    return isWaiting
  }

  /// Called when the task is cancelled: it resumes at once, unless the write has begun.
  func cancel() {
    let continuation: CheckedContinuation<Output, any Error>? = state.withLock { state in
      switch state.phase {
      case .new:
        state.phase = .over
        return nil
      case .waiting(let continuation):
        state.phase = .over
        return continuation
      case .begun, .over: return nil
      }
    }
    continuation?.resume(throwing: CancellationError())
  }

  func begin() -> Bool {
    state.withLock { state in
      switch state.phase {
      case .waiting(let continuation):
        state.phase = .begun(continuation)
        return true
      case .begun: return true
      case .new, .over: return false
      }
    }
  }

  func perform(in session: WriteSession) throws {
    let transaction = WriteTransaction(session, store: store)
    let earlier = state.withLock { state in
      defer { state.outcome = transaction.outcome }
      return state.outcome
    }
    earlier?.end()
    let output = try transaction.run(body)
    state.withLock { $0.result = .success(output) }
  }

  func refuse(_ error: any Error) { state.withLock { $0.result = .failure(error) } }

  func succeed() {
    let (result, outcome) = state.withLock { ($0.result, $0.outcome) }
    guard let result else { return }
    if case .success = result { outcome?.commit() }
    end(with: result)
  }

  func fail(_ error: any Error) {
    onFailure?()
    end(with: .failure(error))
  }

  private func end(with result: Result<Output, any Error>) {
    let (phase, outcome) = state.withLock { state in
      defer { state = State(phase: .over) }
      return (state.phase, state.outcome)
    }
    outcome?.end()
    switch phase {
    case .waiting(let continuation), .begun(let continuation): continuation.resume(with: result)
    case .new, .over: break
    }
  }
}
