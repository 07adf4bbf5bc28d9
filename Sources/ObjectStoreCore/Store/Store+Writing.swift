internal import Storage

// Writes of one object, each in its own transaction. For several objects, one `write` for all is faster, as it syncs
// the disk once, and commits them together.

extension Store {
  /// Adds an object in its own transaction and returns its identity. See `WriteTransaction.add(_:)`.
  ///
  /// ```swift
  /// let id = try store.add(quake)
  /// ```
  ///
  /// - Throws: The errors of `write` and `WriteTransaction.add(_:)`; nothing is written.
  @discardableResult
  public func add<Object: Model>(_ object: Object) throws -> ObjectID<Object> { try write { tx in try tx.add(object) } }

  /// Adds an object in its own transaction, without blocking the task's thread.
  ///
  /// ```swift
  /// let id = try await store.add(quake)
  /// ```
  ///
  /// - Throws: The errors of the synchronous form; `CancellationError` when the task was cancelled before its turn.
  @discardableResult
  public func add<Object: Model>(_ object: Object) async throws -> ObjectID<Object> {
    try await write { tx in try tx.add(object) }
  }

  /// Deletes the stored object that `object` was read from, in its own transaction. Returns false when it did not
  /// exist.
  ///
  /// ```swift
  /// try store.delete(quake)
  /// ```
  ///
  /// - Throws: The errors of `write` and `WriteTransaction.delete(_:)`; nothing is deleted.
  @discardableResult
  public func delete<Object: Model>(_ object: Object) throws -> Bool { try write { tx in try tx.delete(object) } }

  /// Deletes an object in its own transaction, without blocking the task's thread.
  ///
  /// ```swift
  /// try await store.delete(quake)
  /// ```
  ///
  /// - Throws: The errors of the synchronous form; `CancellationError` when the task was cancelled before its turn.
  @discardableResult
  public func delete<Object: Model>(_ object: Object) async throws -> Bool {
    try await write { tx in try tx.delete(object) }
  }

  /// Deletes the object with an identity, in its own transaction. Returns false when it did not exist.
  ///
  /// ```swift
  /// try store.delete(id)
  /// ```
  ///
  /// - Throws: The errors of `write` and `WriteTransaction.delete(_:)`; nothing is deleted.
  @discardableResult
  public func delete<Object: Model>(_ id: ObjectID<Object>) throws -> Bool { try write { tx in try tx.delete(id) } }

  /// Deletes the object with an identity, in its own transaction, without blocking the task's thread.
  ///
  /// - Throws: The errors of the synchronous form; `CancellationError` when the task was cancelled before its turn.
  @discardableResult
  public func delete<Object: Model>(_ id: ObjectID<Object>) async throws -> Bool {
    try await write { tx in try tx.delete(id) }
  }
}
