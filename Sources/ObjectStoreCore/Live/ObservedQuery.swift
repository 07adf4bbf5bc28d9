internal import Storage
internal import Synchronization

/// Results that are observed while their query changes: what stands behind a search field.
///
/// ```swift
/// let live = ObservedQuery(store.objects(Quake.self))
/// let shown = Task { for try await change in live.changes() { show(change) } }
/// live.results = try store.objects(Quake.self).filter("place CONTAINS[cd] %@", text)   // with every key
/// ```
///
/// A new query is told as a change of the results, with what goes, comes and moves: the first one with `.initial`, all
/// others with `.update`. Any thread may change it.
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

  /// Observes `results`; changes of the properties at `keyPaths` are modifications, of all when there are none.
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

  /// The results and what becomes of them, by commits and by changes of the query. See `Results.changes(keyPaths:)`.
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
