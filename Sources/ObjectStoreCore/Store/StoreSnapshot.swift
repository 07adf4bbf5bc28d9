internal import Dispatch
internal import Storage

/// One version of a store, constant while the closure of `Store.snapshot` runs: several queries see the same data.
///
/// ```swift
/// try store.snapshot { s in print(try s.version, try s.objects(Quake.self).count) }
/// ```
///
/// It may be used only on the thread of the closure; afterwards, and on other threads, every access throws.
public struct StoreSnapshot: Sendable {
  let scope: SnapshotScope

  /// The number of the commit it shows.
  ///
  /// - Throws: `StoreError`: `finished` after the closure, `unsupported` on another thread.
  public var version: Int { get throws { try scope.snapshot().version } }

  /// The objects of a model in this version.
  public func objects<Object: Model>(_ model: Object.Type) -> Results<Object> { Results(in: .snapshot(scope)) }

  /// The objects of an entity in this version.
  ///
  /// - Throws: `QueryError` when there is no such entity.
  public func objects(_ entity: String) throws -> DynamicResults { try DynamicResults(entity, in: .snapshot(scope)) }
}

extension Store {
  /// Runs `body` on one version of the store: all its queries and links read the same commit.
  ///
  /// ```swift
  /// let (projects, tasks) = try store.snapshot { s in
  ///   (try s.objects(Project.self).count, try s.objects(Task.self).count)
  /// }
  /// ```
  ///
  /// Space freed by writes in the meantime is not reused before it ends.
  ///
  /// - Throws: The errors of `body`; `StoreError` when the store can't be read.
  public func snapshot<R>(_ body: (StoreSnapshot) throws -> R) throws -> R {
    try file.read { snapshot in
      let scope = SnapshotScope(snapshot, store: self)
      defer { scope.end() }
      return try ThreadState.current.reading(in: .snapshot(scope)) { try body(StoreSnapshot(scope: scope)) }
    }
  }

  /// Runs `body` on one version of the store, like `snapshot`, on another thread: the task waits without blocking its
  /// thread.
  ///
  /// ```swift
  /// let strong = try await store.read { s in try s.objects(Quake.self).filter("magnitude > 5").array }
  /// ```
  ///
  /// - Throws: The errors of `body`; `CancellationError` when the task was cancelled before; `StoreError` when the
  ///   store can't be read.
  public func read<R: Sendable>(_ body: @escaping @Sendable (StoreSnapshot) throws -> R) async throws -> R {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try self.snapshot(body) })
      }
    }
  }
}
