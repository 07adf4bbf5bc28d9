internal import Storage

/// The course of observed results: first the initial results, then each change.
///
/// To apply a change to an array: remove the objects at `deletions` and at each move's `from`, in descending order;
/// then insert those at `insertions` and at each move's `to`, in ascending order.
public enum ResultsChange<Object: Model>: Sendable {
  /// The results at the start of the observation.
  case initial(Results<Object>)
  /// The results after a change. `deletions` are positions before the change; `insertions`, and `modifications` of
  /// objects that remained, are positions after it. A moved object is only in `moves`, unless it was also modified.
  case update(
    Results<Object>, deletions: [Int], insertions: [Int], modifications: [Int], moves: [ResultMove])
}

/// The sequence of changes to results: `Results.changes(keyPaths:)`.
///
/// Each `for try await` is an observation of its own.
public struct ResultsChanges<Object: Model>: AsyncSequence, Sendable {
  /// The elements of the sequence.
  public typealias Element = ResultsChange<Object>

  let make: @Sendable () -> ResultsObserver
  /// Names the observations, for `store.write(withoutNotifying:)`.
  public let token: ObservationToken

  /// Begins to observe.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observer: make()) }

  /// An observation. It ends with the task.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    let observer: ResultsObserver
    private var hasBegun = false

    init(observer: ResultsObserver) { self.observer = observer }

    /// How many times the query was run: once at the start, and again after each change that could not be followed.
    package var runs: Int { observer.runs }

    /// Waits for the next change; nil when the task was cancelled.
    ///
    /// - Throws: `QueryError` for errors in the query or in the key paths, usually at the first step; `QueryCancelled`;
    ///   `StoreError` if the store cannot be read, or a limit of it is exceeded.
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
  /// The results, and then their changes with each commit, made by this or any other process.
  ///
  /// ```swift
  /// for try await change in try store.objects(Quake.self).filter("magnitude > 5").changes() {
  ///   switch change {
  ///   case .initial(let quakes): show(try quakes.array)
  ///   case .update(let quakes, let deletions, let insertions, let modifications, let moves):
  ///     show(try quakes.array)
  ///     print(deletions, insertions, modifications, moves)
  ///   }
  /// }
  /// ```
  ///
  /// The results in a change show that change's version, until the loop requests the next change. From then on the
  /// observation advances its version with each commit, even if there is nothing to report about it, and earlier
  /// results do not keep theirs: `frozen()` results do. After the end of the observation reading them throws. So one
  /// version is kept alive, and two while they are compared: until the loop requests the next change, space that other
  /// writes free is not reused. Changes in the meantime are combined. The sequence ends when the task is cancelled,
  /// without an error, even before its first step.
  ///
  /// A commit that cannot affect the results, because it changed another entity or other properties, costs next to
  /// nothing. A commit that changed a few objects costs about as much as reading these, for any number of results. The
  /// properties of linked objects belong to each object that leads to them: if many objects link to a changed one, all
  /// of these are read.
  ///
  /// The query is run again, and its results are compared with the previous ones, after a change that matters to
  /// - a limit that is reached, if an object leaves the results; a limit with an offset, if it is not reached or if the
  ///   change reaches the end of the results;
  /// - an offset without a limit, `DISTINCT`, a filter or a sort after a limit, and `now()`;
  /// - the objects of a link or an inverse, such as `project.tasks`.
  ///
  /// The same applies after a commit that changed thousands of objects: then an object that is stored next to a changed
  /// one also counts as modified.
  ///
  /// - Parameter keyPaths: The properties whose changes are modifications; all if empty. Insertions, deletions and
  ///   moves are always reported. Properties of linked objects do not belong to the object.
  /// - Throws: At the first step `QueryError` for errors in the query; at each step `StoreError` if the store cannot be
  ///   read.
  public func changes(keyPaths: [PartialKeyPath<Object>] = []) -> ResultsChanges<Object> {
    let (selection, paths, token) = (selection, Object.observedPaths(keyPaths), ObservationToken())
    return ResultsChanges(make: { ResultsObserver(selection, paths: paths, token: token) }, token: token)
  }
}

extension Model {
  /// The paths of properties whose changes are modifications; nil for all.
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
