internal import LMDB
internal import Synchronization

/// Notifies observers of a file's commits, by any process.
///
/// Commits of this process are noted as they end. Those of others are noticed by the system's notifications about the
/// data file, which they write, so the file is not polled. Without system notifications, the number of the last commit,
/// which is in mapped memory, is read every 50 to 60 ms while there are observers.
package final class CommitWatch: Sendable {
  private struct Observer {
    weak var observer: CommitObserver?
  }

  private struct State {
    var observers: [ObjectIdentifier: Observer] = [:]
    var lastCommit = 0
    var notices: FileNotices?
    var environment: Environment
    /// Called before it looks for commits because of a notification of the system.
    var beforeLooking: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>

  init(_ environment: Environment) { state = Mutex(State(environment: environment)) }

  /// Has `body` called first whenever the system notifies of a change by anybody.
  func beforeLooking(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.beforeLooking = body } }

  /// Watches the file of another environment from now on, and notifies the observers.
  func follow(_ environment: Environment) {
    let (old, observers) = state.withLock { state -> (FileNotices?, [CommitObserver]) in
      state.environment = environment
      if state.observers.isEmpty { return (nil, []) }
      let old = state.notices
      state.notices = notices(of: environment)
      state.lastCommit = environment.lastCommit
      return (old, state.observers.values.compactMap(\.observer))
    }
    old?.end()
    for observer in observers { observer.signal() }
  }

  private func notices(of environment: Environment) -> FileNotices {
    FileNotices(of: environment.dataPath) { [weak self] in
      self?.state.withLock { $0.beforeLooking }?()
      self?.noteCommit()
    }
  }

  /// A new observer of all later commits.
  package func makeObserver() -> CommitObserver {
    let made = CommitObserver(self)
    state.withLock { state in
      if state.observers.isEmpty {
        state.lastCommit = state.environment.lastCommit
        state.notices = notices(of: state.environment)
      }
      state.observers[ObjectIdentifier(made)] = Observer(observer: made)
    }
    return made
  }

  fileprivate func remove(_ observer: ObjectIdentifier) {
    let notices = state.withLock { state -> FileNotices? in
      state.observers[observer] = nil
      guard state.observers.isEmpty else { return nil }
      defer { state.notices = nil }
      return state.notices
    }
    notices?.end()
  }

  /// Notifies the observers, if there was a commit since the last notification.
  func noteCommit() {
    let observers = state.withLock { state -> [CommitObserver] in
      if state.observers.isEmpty { return [] }
      let last = state.environment.lastCommit
      if last == state.lastCommit { return [] }
      state.lastCommit = last
      return state.observers.values.compactMap(\.observer)
    }
    for observer in observers { observer.signal() }
  }
}

/// An observer that waits for commits or for any other signal. Several signals before it waits count as one.
package final class CommitObserver: Sendable {
  private struct State {
    var isSignalled = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let watch: CommitWatch
  private let state = Mutex(State())

  fileprivate init(_ watch: CommitWatch) { self.watch = watch }

  deinit { watch.remove(ObjectIdentifier(self)) }

  /// Wakes the observer.
  package func signal() {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      state.isSignalled = state.continuation == nil
      return state.continuation
    }
    continuation?.resume()
  }

  /// Waits for a signal, unless there was one since the last time. Returns false if the task was cancelled. Used by one
  /// task at a time.
  package func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let other = state.withLock { state -> CheckedContinuation<Void, Never>? in
          if state.isSignalled || Task.isCancelled {
            state.isSignalled = false
            return continuation
          }
          // An earlier wait is ended.
          defer { state.continuation = continuation }
          return state.continuation
        }
        other?.resume()
      }
    } onCancel: {
      signal()
    }
    return !Task.isCancelled
  }
}
