internal import Storage

// Writes of one object, each a transaction of its own. Where several belong together, or many follow each other, `write`
// does them in one: it syncs the disk once.

extension Store {
  /// Adds an object, in a transaction of its own, and gives its identity. See `WriteTransaction.add(_:)`.
  ///
  /// ```swift
  /// let id = try store.add(quake)
  /// ```
  ///
  /// - Throws: as `write` and `WriteTransaction.add(_:)`; then nothing was written.
  @discardableResult
  public func add<Object: Model>(_ object: Object) throws -> ObjectID<Object> { try write { tx in try tx.add(object) } }

  /// Adds an object, in a transaction of its own, without blocking the task's thread.
  @discardableResult
  public func add<Object: Model>(_ object: Object) async throws -> ObjectID<Object> {
    try await write { tx in try tx.add(object) }
  }

  /// Deletes the stored object that `object` was read from, in a transaction of its own; false when it was not there.
  ///
  /// ```swift
  /// try store.delete(quake)
  /// ```
  ///
  /// - Throws: as `write` and `WriteTransaction.delete(_:)`; then nothing was deleted.
  @discardableResult
  public func delete<Object: Model>(_ object: Object) throws -> Bool { try write { tx in try tx.delete(object) } }

  /// Deletes an object, in a transaction of its own, without blocking the task's thread.
  @discardableResult
  public func delete<Object: Model>(_ object: Object) async throws -> Bool {
    try await write { tx in try tx.delete(object) }
  }

  /// Deletes the object of an identity, in a transaction of its own; false when it was not there.
  @discardableResult
  public func delete<Object: Model>(_ id: ObjectID<Object>) throws -> Bool { try write { tx in try tx.delete(id) } }

  /// Deletes the object of an identity, in a transaction of its own, without blocking the task's thread.
  @discardableResult
  public func delete<Object: Model>(_ id: ObjectID<Object>) async throws -> Bool {
    try await write { tx in try tx.delete(id) }
  }
}
