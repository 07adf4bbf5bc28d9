internal import Storage
internal import Synchronization

/// Observed results whose query can change, for example with a search field.
///
/// ```swift
/// let live = ObservedQuery(store.objects(Quake.self))
/// let shown = Task { for try await change in live.changes() { show(change) } }
/// live.query = try Query("place CONTAINS[cd] %@", text)   // with every key
/// live.sort = [SortDescriptor(\.magnitude, order: .reverse)]
/// ```
///
/// A new query is reported as a change of the results, with deletions, insertions and moves: first as `.initial`, later
/// as `.update`. Any thread may change the query.
public final class ObservedQuery<Object: Model>: Sendable {
  private struct Observer {
    weak var observer: ResultsObserver?
  }

  private struct State {
    /// The objects before `query` and `sort`.
    var all: Results<Object>
    var query = Query<Object>.all
    /// The order as it was set, and the function that applies it.
    var sort: (any Sendable)?
    var sorted: @Sendable (Results<Object>) -> Results<Object> = { $0 }
    var observers: [Observer] = []

    var results: Results<Object> {
      do {
        return sorted(query == .all ? all : try all.filter(query))
      } catch {
        return Results(all.selection.failing(error))
      }
    }
  }

  private let state: Mutex<State>
  private let paths: Result<[String]?, any Error>

  /// Observes results.
  ///
  /// - Parameters:
  ///   - results: The objects before `query` and `sort` apply.
  ///   - keyPaths: The properties whose changes are modifications; all if empty. One that is not stored is an error of
  ///     the changes.
  public init(_ results: Results<Object>, keyPaths: [PartialKeyPath<Object>] = []) {
    state = Mutex(State(all: results))
    paths = Object.observedPaths(keyPaths)
  }

  /// The observed results: those it was made with, filtered by `query` and sorted by `sort`. Setting it resets `query`
  /// to `.all` and removes `sort`.
  ///
  /// ```swift
  /// live.results = store.objects(Quake.self)
  /// ```
  public var results: Results<Object> {
    get { state.withLock { $0.results } }
    set {
      change { state in
        state.all = newValue
        state.query = .all
        (state.sort, state.sorted) = (nil, { $0 })
      }
    }
  }

  /// The filter of the observed objects; at first `.all`. The changes throw its errors.
  ///
  /// ```swift
  /// live.query = try Query("magnitude > %@", minimum)
  /// ```
  public var query: Query<Object> {
    get { state.withLock { $0.query } }
    set { change { $0.query = newValue } }
  }

  /// The order as it was set last.
  package var sortAsSet: (any Sendable)? { state.withLock { $0.sort } }

  /// Has the objects in another order.
  package func setSort(
    _ sort: any Sendable, _ sorted: @escaping @Sendable (Results<Object>) -> Results<Object>
  ) {
    change { state in (state.sort, state.sorted) = (sort, sorted) }
  }

  private func change(_ body: (inout sending State) -> Void) {
    let (results, observers) = state.withLock { state in
      body(&state)
      state.observers.removeAll { $0.observer == nil }
      return (state.results, state.observers.compactMap(\.observer))
    }
    for observer in observers { observer.change(to: results.selection) }
  }

  /// The results and what becomes of them, by commits and by changes of the query. See `Results.changes(keyPaths:)`.
  ///
  /// ```swift
  /// for try await change in live.changes() { show(change) }
  /// ```
  ///
  /// Each `for try await` over it is an observation of its own.
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
