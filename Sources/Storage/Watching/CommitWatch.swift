internal import LMDB
internal import Synchronization

/// Notifies observers of a file's commits, by any process.
///
/// Commits of this process are noted as they end. Those of others are noticed by the system's notifications about the
/// data file, which they write, so the file is not polled. Without system notifications, the number of the last commit,
/// which is in mapped memory, is read every 50 ms while there are observers.
package final class CommitWatch: Sendable {
  private struct Observer {
    weak var observer: CommitObserver?
  }

  private struct State {
    var observers: [ObjectIdentifier: Observer] = [:]
    var lastCommit = 0
    var notices: FileNotices?
  }

  private let environment: Environment
  private let state = Mutex(State())

  init(_ environment: Environment) { self.environment = environment }

  /// A new observer of all later commits.
  package func makeObserver() -> CommitObserver {
    let made = CommitObserver(self)
    state.withLock { state in
      if state.observers.isEmpty {
        state.lastCommit = environment.lastCommit
        state.notices = FileNotices(of: environment.dataPath) { [weak self] in self?.noteCommit() }
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
    let told = state.withLock { state -> [CommitObserver] in
      if state.observers.isEmpty { return [] }
      let last = environment.lastCommit
      if last == state.lastCommit { return [] }
      state.lastCommit = last
      return state.observers.values.compactMap(\.observer)
    }
    for observer in told { observer.signal() }
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
