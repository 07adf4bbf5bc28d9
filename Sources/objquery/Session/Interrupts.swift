import Dispatch
import Glibc
import ObjectStoreCore
import Synchronization

/// Ctrl-C: stops the running statement when somebody types, ends the process otherwise.
///
/// Ending at once is safe: a store is whole at every moment, whatever happens to the process.
final class Interrupts: Sendable {
  static let shared = Interrupts()

  private struct State {
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
  func listen(interactive: Bool) {
    signal(SIGPIPE, SIG_IGN)
    // Where nobody types there is nothing to do but to leave, which a handler may do: no thread need be started for it.
    guard interactive else {
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
      let ends = state.wasInterrupted && state.target != nil
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
