internal import Storage

/// A commit that was noticed.
public struct Commit: Hashable, Sendable {
  /// The number of the version that the commit made. Numbers ascend, possibly with gaps.
  public var number: Int

  /// The commit of a number.
  public init(number: Int) { self.number = number }
}

/// The sequence of a store's commits: `Store.changes`.
public struct StoreChanges: AsyncSequence, Sendable {
  /// One commit, or the last of several that were made while no task waited.
  public typealias Element = Commit
  /// It never fails.
  public typealias Failure = Never

  let store: Store

  /// Begins to watch.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(store) }

  /// An observation. It ends with the task.
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
  /// Several commits during one iteration of the loop are combined. Commits of other processes are noticed within
  /// milliseconds by the system's notifications about the file (inotify), without polling; where there are none, within
  /// 60 ms. The sequence ends when the task is cancelled. Commits are noticed from the start of the loop on.
  public var changes: StoreChanges { StoreChanges(store: self) }

  /// An object in its current state, and again after each commit that changed it. Ends when the object is deleted, or
  /// with the task.
  ///
  /// ```swift
  /// for try await quake in store.changes(of: id) { show(quake) }
  /// ```
  ///
  /// - Parameter id: The identity of the object. The sequence ends at once if it does not exist.
  /// - Throws: At the first step `QueryError` if the store was opened without the model; at each step `StoreError` when
  ///   the store, or a value of the object, can't be read.
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

  /// An observation. It ends with the task.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    private let observer: ResultsObserver

    init(_ store: Store, _ id: ObjectID<Object>) {
      let results = Results<Object>(linked: .these([id.number]), in: .store(store))
      observer = ResultsObserver(results.selection, paths: .success(nil), token: ObservationToken())
    }

    /// Waits for the next change; nil if the object was deleted or the task was cancelled.
    ///
    /// - Throws: `QueryError` if the store was opened without the model; `StoreError`: `unreadableValue`, or an error
    ///   of reading.
    public mutating func next() async throws -> Object? {
      guard try await observer.next() != nil else { return nil }
      return try Results<Object>(observer.results).first
    }
  }
}
