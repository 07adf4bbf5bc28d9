import Dispatch
import Glibc
import ObjectStoreCore
import Synchronization

/// Ctrl-C: stops what runs where somebody types or an import is to say how far it came, ends the process otherwise.
///
/// Ending at once is safe: a store is whole at every moment, whatever happens to the process.
final class Interrupts: Sendable {
  static let shared = Interrupts()

  /// What Ctrl-C does.
  enum Effect {
    /// Ends the process at once.
    case leaving
    /// Stops what runs, so that it can say how far it came; ends the process where nothing heeds it.
    case stopping
    /// Stops what runs, and does nothing where nothing runs: who types goes on.
    case staying
  }

  private struct State {
    var effect = Effect.leaving
    var target: Cancellation?
    var wasInterrupted = false
  }

  private let state = Mutex(State())
  private let source = Mutex<(any DispatchSourceSignal)?>(nil)

  /// What Ctrl-C stops.
  var target: Cancellation? {
    get { state.withLock { $0.target } }
    set {
      state.withLock { state in
        state.target = newValue
        if newValue != nil { state.wasInterrupted = false }
      }
    }
  }

  /// Begins to listen.
  func listen(_ effect: Effect) {
    signal(SIGPIPE, SIG_IGN)
    state.withLock { $0.effect = effect }
    // A handler may leave, and do nothing else that is needed here: only for that no thread need be started.
    guard effect != .leaving else {
      signal(SIGINT) { _ in Interrupts.leave() }
      // Programs that block signals in their threads start others with the signals blocked.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      return
    }
    signal(SIGINT, SIG_IGN)
    source.withLock { source in
      let listener = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global(qos: .userInteractive))
      listener.setEventHandler { [self] in interrupt() }
      listener.resume()
      source = listener
    }
  }

  /// Whether there was an interrupt since the running statement began; asking forgets it.
  func take() -> Bool {
    state.withLock { state in
      defer { state.wasInterrupted = false }
      return state.wasInterrupted
    }
  }

  private func interrupt() {
    let ends = state.withLock { state in
      // A second Ctrl-C during one statement means it; one between statements has nothing to stop.
      let ends = state.target == nil ? state.effect == .stopping : state.wasInterrupted
      state.wasInterrupted = true
      state.target?.cancel()
      return ends
    }
    if ends { Self.leave() }
  }

  /// Ends the process. It does nothing that a handler of a signal may not do.
  private static func leave() {
    var newline = UInt8(ascii: "\n")
    _ = write(2, &newline, 1)
    _exit(ExitStatus.interrupted.rawValue)
  }
}
