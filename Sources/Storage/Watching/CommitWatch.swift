internal import LMDB
internal import Synchronization

/// Tells those who watch a file of its commits, by whatever process.
///
/// Commits of this process are noted as they end. Those of others are noticed by the system's notices about the data file,
/// which they write to: nobody looks at the file again and again. Where the system gives no notices, the number of the last
/// commit, which stands in mapped memory, is looked at every 50 ms, as long as somebody watches.
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

  /// One who is told of every commit from now on.
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

  /// Tells the observers, if there was a commit since they were told last.
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

/// One who waits for commits, or for whatever else it is signalled. Several signals before it waits are one.
package final class CommitObserver: Sendable {
  private struct State {
    var isSignalled = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let watch: CommitWatch
  private let state = Mutex(State())

  fileprivate init(_ watch: CommitWatch) { self.watch = watch }

  deinit { watch.remove(ObjectIdentifier(self)) }

  /// Has it go on.
  package func signal() {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      state.isSignalled = state.continuation == nil
      return state.continuation
    }
    continuation?.resume()
  }

  /// Waits for a signal, unless there was one since the last time; false when the task was cancelled. One task at a time.
  package func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let other = state.withLock { state -> CheckedContinuation<Void, Never>? in
          if state.isSignalled || Task.isCancelled {
            state.isSignalled = false
            return continuation
          }
          // Whoever waits already gives way.
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
