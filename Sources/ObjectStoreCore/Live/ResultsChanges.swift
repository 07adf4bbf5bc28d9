internal import Storage

/// What became of results: first what they are, then each change.
///
/// To follow along in an array: take out the objects at `deletions` and at each move's `from`, from the back to the front;
/// then put in those at `insertions` and at each move's `to`, ascending. That gives the objects of the results, in order.
public enum ResultsChange<Object: Model>: Sendable {
  /// The results as they are when the observation begins.
  case initial(Results<Object>)
  /// The results after a change. `deletions` are positions before it; `insertions`, and `modifications` of objects that were
  /// there before, are positions after it. An object that moved is in `moves` alone, unless it was modified, too.
  case update(
    Results<Object>, deletions: [Int], insertions: [Int], modifications: [Int], moves: [ResultMove])
}

/// The changes of results, one after the other, as they happen: `Results.changes(keyPaths:)`.
///
/// Each `for try await` observes on its own.
public struct ResultsChanges<Object: Model>: AsyncSequence, Sendable {
  /// What there is for each change.
  public typealias Element = ResultsChange<Object>

  let make: @Sendable () -> ResultsObserver
  /// Names the observations, for `store.write(withoutNotifying:)`.
  public let token: ObservationToken

  /// Begins to observe.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observer: make()) }

  /// One observation. It ends with the task.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    let observer: ResultsObserver
    private var hasBegun = false

    init(observer: ResultsObserver) { self.observer = observer }

    /// Waits for the next change; nil when the task was cancelled.
    public mutating func next() async throws -> ResultsChange<Object>? {
      guard let delta = try await observer.next() else { return nil }
      let results = Results<Object>(observer.results)
      guard hasBegun else {
        hasBegun = true
        return .initial(results)
      }
      return .update(
        results, deletions: delta.deletions, insertions: delta.insertions, modifications: delta.modifications,
        moves: delta.moves)
    }
  }
}

extension Results {
  /// The results, and then what each commit changes about them, whoever made it: this process or another.
  ///
  /// ```swift
  /// for try await change in try store.objects(Quake.self).filter("magnitude > 5").changes() {
  ///   switch change {
  ///   case .initial(let quakes): show(try quakes.array)
  ///   case .update(let quakes, let deletions, let insertions, let modifications, let moves): …
  ///   }
  /// }
  /// ```
  ///
  /// The results of a change show the version that it is about, until the next change is there or the observation ends; then
  /// using them throws. One
  /// version is held so: as long as the loop does not ask for the next change, space that other writes free is not used again.
  /// Changes that come meanwhile are told as one. It ends when the task is cancelled.
  ///
  /// A commit that can't matter, since it changed another entity or other properties, costs next to nothing. One that changed
  /// a few objects costs about as much as reading those, however many results there are, if the query is made of filters of the
  /// object's own properties and of sorts by them. With a limit, `DISTINCT`, or properties of linked objects the query is run
  /// again, and compared with before. So it is after a commit that changed thousands of objects at once: then an object
  /// that is stored beside a changed one counts as modified, too.
  ///
  /// - Parameter keyPaths: The properties whose changes are modifications; all when empty. Which objects there are, and in what
  ///   order, is told anyway. A linked object's properties are not those of the object.
  /// - Throws: at the first step `QueryError` for what is wrong with the query; at each `StoreError` when the store can't be
  ///   read.
  public func changes(keyPaths: [PartialKeyPath<Object>] = []) -> ResultsChanges<Object> {
    let (selection, paths, token) = (selection, Object.observedPaths(keyPaths), ObservationToken())
    return ResultsChanges(make: { ResultsObserver(selection, paths: paths, token: token) }, token: token)
  }
}

extension Model {
  /// The paths of properties whose changes count; nil for all.
  static func observedPaths(_ keyPaths: [PartialKeyPath<Self>]) -> Result<[String]?, any Error> {
    if keyPaths.isEmpty { return .success(nil) }
    return Result {
      try keyPaths.map { keyPath in
        guard let path = modelDefinition.path(of: keyPath) else { throw noPath(keyPath) }
        return path
      }
    }
  }
}
