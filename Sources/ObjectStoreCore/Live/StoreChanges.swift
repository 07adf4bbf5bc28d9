internal import Storage

/// A commit that was noticed.
public struct Commit: Hashable, Sendable {
  /// Its number: that of the version it made. Numbers ascend, and may leave some out.
  public var number: Int

  /// The commit of a number.
  public init(number: Int) { self.number = number }
}

/// The commits of a store, as they are made: `Store.changes`.
public struct StoreChanges: AsyncSequence, Sendable {
  /// One commit, or several that came while nobody waited: then the last of them.
  public typealias Element = Commit
  /// It never fails.
  public typealias Failure = Never

  let store: Store

  /// Begins to watch.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(store) }

  /// One watch. It ends with the task.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    private let store: Store
    private let signals: CommitObserver
    private var last: Int

    init(_ store: Store) {
      self.store = store
      signals = store.file.commits.makeObserver()
      last = store.file.currentVersion
    }

    /// Waits for the next commit; nil when the task was cancelled.
    public mutating func next() async -> Commit? {
      while await signals.wait() {
        let number = store.file.currentVersion
        if number > last {
          last = number
          return Commit(number: number)
        }
      }
      return nil
    }
  }
}

extension Store {
  /// The commits from now on, by this process and by others.
  ///
  /// ```swift
  /// for await commit in store.changes { print("version", commit.number) }
  /// ```
  ///
  /// Several that come while the loop is at work are one. Commits of other processes are noticed within some milliseconds, by
  /// the system's notices about the file (inotify), and nothing runs while there are none; where the system gives none,
  /// within 50 ms. It ends when the task is cancelled. A commit is noticed from the moment the loop begins.
  public var changes: StoreChanges { StoreChanges(store: self) }

  /// One object as it is, and then after each commit that changed it. It ends when the object is deleted, or with the task.
  ///
  /// ```swift
  /// for try await quake in store.changes(of: id) { show(quake) }
  /// ```
  ///
  /// - Throws: `StoreError` when the store can't be read.
  public func changes<Object: Model>(of id: ObjectID<Object>) -> ObjectChangeSequence<Object> {
    ObjectChangeSequence(store: self, id: id)
  }
}

/// An object after each commit that changed it: `Store.changes(of:)`.
public struct ObjectChangeSequence<Object: Model>: AsyncSequence, Sendable {
  /// The object.
  public typealias Element = Object

  let store: Store
  let id: ObjectID<Object>

  /// Begins to watch.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(store, id) }

  /// One watch. It ends with the task.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    private let observer: ResultsObserver

    init(_ store: Store, _ id: ObjectID<Object>) {
      let results = Results<Object>(linked: .these([id.number]), in: .store(store))
      observer = ResultsObserver(results.selection, paths: .success(nil), token: ObservationToken())
    }

    /// Waits for the next change; nil when the object is gone or the task was cancelled.
    public mutating func next() async throws -> Object? {
      guard try await observer.next() != nil else { return nil }
      return try Results<Object>(observer.results).first
    }
  }
}
