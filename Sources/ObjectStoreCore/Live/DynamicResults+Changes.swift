internal import Storage

/// The course of observed results of an entity that is known by name, as `ResultsChange` of models.
public enum DynamicResultsChange: Sendable {
  /// The results at the start of the observation.
  case initial(DynamicResults)
  /// The results after a change. `deletions` are positions before the change; `insertions`, and `modifications` of
  /// objects that remained, are positions after it. A moved object is only in `moves`, unless it was also modified.
  case update(
    DynamicResults, deletions: [Int], insertions: [Int], modifications: [Int], moves: [ResultMove])
}

/// The sequence of changes to results: `DynamicResults.changes()`.
///
/// Each `for try await` is an observation of its own.
public struct DynamicResultsChanges: AsyncSequence, Sendable {
  /// The elements of the sequence.
  public typealias Element = DynamicResultsChange

  let selection: Selection

  /// Begins to observe.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(observer: ResultsObserver(selection, paths: .success(nil), token: ObservationToken()))
  }

  /// An observation. It ends with the task.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    let observer: ResultsObserver
    private var hasBegun = false

    init(observer: ResultsObserver) { self.observer = observer }

    /// Waits for the next change; nil when the task was cancelled.
    ///
    /// - Throws: `QueryError` for errors in the query, usually at the first step; `QueryCancelled`; `StoreError` if the
    ///   store cannot be read, or a limit of it is exceeded.
    public mutating func next() async throws -> DynamicResultsChange? {
      guard let delta = try await observer.next() else { return nil }
      let results = try DynamicResults(observer.results)
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

extension DynamicResults {
  /// The results, and then their changes with each commit, made by this or any other process: as `Results.changes`,
  /// which says what it costs and how long the results of a change can be read.
  ///
  /// ```swift
  /// for try await change in try store.objects("Quake").filter("magnitude > 5").changes() {
  ///   switch change {
  ///   case .initial(let quakes): print(try quakes.count)
  ///   case .update(let quakes, let deletions, let insertions, _, _): print(try quakes.count, deletions, insertions)
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: At the first step `QueryError` for errors in the query; at each step `StoreError` if the store cannot be
  ///   read.
  public func changes() -> DynamicResultsChanges { DynamicResultsChanges(selection: selection) }

  /// The number of the version that the results are read in.
  ///
  /// ```swift
  /// let version = try store.objects("Quake").version
  /// ```
  ///
  /// - Throws: `StoreError`: `finished` for results of a snapshot, a write or an observation that has ended, or an
  ///   error of reading.
  public var version: Int { get throws { try selection.source.read(\.version) } }

  /// Calls `body` with the rows of the objects at the given positions, as `forEachNamedRow`. Positions past the end are
  /// left out.
  ///
  /// ```swift
  /// let strong = try store.objects("Quake").filter("magnitude > 5")
  /// try strong.forEachNamedRow(["code", "magnitude"], at: [0, 1]) { number, values in print(number, values) }
  /// ```
  ///
  /// - Parameters:
  ///   - paths: The dotted paths of properties.
  ///   - positions: Positions in the results, from 0, in the order in which `body` gets them.
  ///   - body: Called with each object's ID and its values at the paths.
  /// - Throws: `StoreError.unknownProperty` for a path without a property; the error of `body`, which ends the loop;
  ///   otherwise as `objects()`.
  public func forEachNamedRow(
    _ paths: [String], at positions: [Int], _ body: (ObjectNumber, [Value]) throws -> Void
  ) throws {
    if positions.isEmpty { return }
    let all = try ids
    let chosen = positions.compactMap { all.indices.contains($0) ? all[$0] : nil }
    let some = Selection(entity.name, linked: .these(chosen), in: selection.source)
    try DynamicResults(some).forEachNamedRow(paths, body)
  }
}
