import CEdit
import Dispatch
import Glibc
import ObjectStoreCore
import Synchronization

/// Handles Ctrl-C: cancels long work that cleans up and reports its progress, and the current operation in the
/// interactive shell. Otherwise it ends the process.
///
/// Ending at once is safe: a store is consistent at every moment, whatever happens to the process.
final class Interrupts: Sendable {
  static let shared = Interrupts()

  /// The effect of Ctrl-C while there is no work to cancel.
  enum Effect {
    /// Ends the process at once.
    case leaving
    /// None: the interactive shell continues.
    case staying
    /// Calls the function, on any thread, which ends the process in its own time.
    case ending(@Sendable () -> Void)
  }

  private struct State {
    var effect = Effect.leaving
    var target: Cancellation?
    var wasInterrupted = false
  }

  /// Whether a transaction is open, which is undone when the process ends: this is reported then.
  var isInTransaction: Bool {
    get { Self.isInTransaction.load(ordering: .relaxed) }
    set { Self.isInTransaction.store(newValue, ordering: .relaxed) }
  }

  /// Read by a signal handler, which must not take a lock.
  private static let isInTransaction = Atomic(false)

  private let state = Mutex(State())
  private let source = Mutex<(any DispatchSourceSignal)?>(nil)

  /// Begins to listen.
  func listen(_ effect: Effect) {
    signal(SIGPIPE, SIG_IGN)
    state.withLock { $0.effect = effect }
    switch effect {
    case .staying, .ending: observe()
    case .leaving:
      // A signal handler can exit, and nothing else is needed here: no thread is started for that alone.
      signal(SIGINT) { _ in Interrupts.leave() }
      // Programs that block signals in their threads pass the blocked signals on to child processes.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
  }

  /// Runs `body`, which Ctrl-C stops by its cancellation. A second Ctrl-C ends the process.
  func stopping<R>(by cancellation: Cancellation, _ body: () throws -> R) rethrows -> R {
    observe()
    let outer = state.withLock { state in
      defer {
        if state.target == nil { state.wasInterrupted = false }
        state.target = cancellation
      }
      return state.target
    }
    defer { state.withLock { $0.target = outer } }
    return try body()
  }

  /// Whether there was an interrupt since the start of the last cancellable work.
  var wasInterrupted: Bool { state.withLock(\.wasInterrupted) }

  /// The same, and resets the flag.
  func take() -> Bool {
    state.withLock { state in
      defer { state.wasInterrupted = false }
      return state.wasInterrupted
    }
  }

  /// Hears of interrupts on a thread, which may do more than a handler of a signal. When this returns none is missed.
  private func observe() {
    source.withLock { source in
      guard source == nil else { return }
      let listener = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global(qos: .userInteractive))
      let isRegistered = DispatchSemaphore(value: 0)
      listener.setRegistrationHandler { isRegistered.signal() }
      listener.setEventHandler { [self] in interrupt() }
      listener.resume()
      isRegistered.wait()
      source = listener
    }
  }

  private func interrupt() {
    let (effect, leaves) = state.withLock { state in
      // A second Ctrl-C ends the process.
      let leaves =
        switch state.effect {
        case .leaving: state.target == nil || state.wasInterrupted
        case .staying: state.target != nil && state.wasInterrupted
        case .ending: false
        }
      state.wasInterrupted = true
      state.target?.cancel()
      return (state.effect, leaves)
    }
    if case .ending(let end) = effect { end() }
    if leaves { Self.leave() }
  }

  /// Ends the process, using only functions that are safe in a signal handler.
  private static func leave() {
    let words: StaticString =
      isInTransaction.load(ordering: .relaxed) ? "\ninterrupted: what was done since BEGIN was undone\n" : "\n"
    _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
    _exit(ExitStatus.interrupted.rawValue)
  }
}
