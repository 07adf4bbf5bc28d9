internal import Storage
internal import Synchronization

/// Observed results whose query can change, for example with a search field.
///
/// ```swift
/// let live = ObservedQuery(store.objects(Quake.self))
/// let shown = Task { for try await change in live.changes() { show(change) } }
/// live.results = try store.objects(Quake.self).filter("place CONTAINS[cd] %@", text)   // with every key
/// ```
///
/// A new query is reported as a change of the results, with deletions, insertions and moves: first as `.initial`, later
/// as `.update`. Any thread may change the query.
public final class ObservedQuery<Object: Model>: Sendable {
  private struct Observer {
    weak var observer: ResultsObserver?
  }

  private struct State {
    var results: Results<Object>
    var observers: [Observer] = []
  }

  private let state: Mutex<State>
  private let paths: Result<[String]?, any Error>

  /// Observes `results`. Changes of the properties at `keyPaths` are modifications; changes of any property if
  /// `keyPaths` is empty.
  public init(_ results: Results<Object>, keyPaths: [PartialKeyPath<Object>] = []) {
    state = Mutex(State(results: results))
    paths = Object.observedPaths(keyPaths)
  }

  /// The query, with its filters and its order.
  public var results: Results<Object> {
    get { state.withLock { $0.results } }
    set {
      let observers = state.withLock { state in
        state.results = newValue
        state.observers.removeAll { $0.observer == nil }
        return state.observers.compactMap(\.observer)
      }
      for observer in observers { observer.change(to: newValue.selection) }
    }
  }

  /// The results and their changes, caused by commits and by changes of the query. See `Results.changes(keyPaths:)`.
  public func changes() -> ResultsChanges<Object> {
    let token = ObservationToken()
    return ResultsChanges(make: { self.observer(token) }, token: token)
  }

  private func observer(_ token: ObservationToken) -> ResultsObserver {
    let observer = ResultsObserver(results.selection, paths: paths, token: token)
    let results = state.withLock { state in
      state.observers.append(Observer(observer: observer))
      return state.results
    }
    // The query may have changed meanwhile.
    observer.change(to: results.selection)
    return observer
  }
}
