import Dispatch
import Glibc
import ObjectStoreCore
import Synchronization

/// Ctrl-C: stops what runs, where that is long work which clears up after itself and says how far it came, or where
/// somebody types. Everywhere else it ends the process.
///
/// Ending at once is safe: a store is whole at every moment, whatever happens to the process.
final class Interrupts: Sendable {
  static let shared = Interrupts()

  /// What Ctrl-C does while nothing runs that it stops.
  enum Effect {
    /// Ends the process at once.
    case leaving
    /// Nothing: who types goes on.
    case staying
  }

  private struct State {
    var effect = Effect.leaving
    var target: Cancellation?
    var wasInterrupted = false
  }

  /// Whether a transaction is open, which ends undone when the process ends: said then.
  var isInTransaction: Bool {
    get { Self.isInTransaction.load(ordering: .relaxed) }
    set { Self.isInTransaction.store(newValue, ordering: .relaxed) }
  }

  /// Read by a handler of a signal, which may take no lock.
  private static let isInTransaction = Atomic(false)

  private let state = Mutex(State())
  private let source = Mutex<(any DispatchSourceSignal)?>(nil)

  /// Begins to listen.
  func listen(_ effect: Effect) {
    signal(SIGPIPE, SIG_IGN)
    state.withLock { $0.effect = effect }
    switch effect {
    case .staying: observe()
    case .leaving:
      // A handler may leave, and do nothing else that is needed here: only for that no thread need be started.
      signal(SIGINT) { _ in Interrupts.leave() }
      // Programs that block signals in their threads start others with the signals blocked.
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

  /// Whether there was an interrupt since what was stopped last began.
  var wasInterrupted: Bool { state.withLock(\.wasInterrupted) }

  /// The same; asking forgets it.
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
    let ends = state.withLock { state in
      // A second Ctrl-C means it.
      let ends = state.target == nil ? state.effect == .leaving : state.wasInterrupted
      state.wasInterrupted = true
      state.target?.cancel()
      return ends
    }
    if ends { Self.leave() }
  }

  /// Ends the process. It does nothing that a handler of a signal may not do.
  private static func leave() {
    let words: StaticString =
      isInTransaction.load(ordering: .relaxed) ? "\ninterrupted: what was done since BEGIN was undone\n" : "\n"
    _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
    _exit(ExitStatus.interrupted.rawValue)
  }
}
