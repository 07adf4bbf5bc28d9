internal import Storage

// Single objects by their identities: reading the object, without a query.

extension QuerySource {
  /// The object with an identity in this source; nil if there is none.
  fileprivate func object<Object: Model>(_ id: ObjectID<Object>) throws -> Object? {
    try read { snapshot in try objects(of: Object.self, in: snapshot).object(ifThere: id.number) }
  }
}

extension Store {
  /// The object with an identity, in the newest version; nil if it does not exist, or no longer.
  ///
  /// ```swift
  /// let id = try store.add(quake)
  /// let stored = try store.object(id)
  /// ```
  ///
  /// - Throws: `StoreError`: `modelNotOpened` if the store was opened without the model, `unreadableValue`, or an error
  ///   of reading.
  public func object<Object: Model>(_ id: ObjectID<Object>) throws -> Object? { try QuerySource.store(self).object(id) }
}

extension StoreSnapshot {
  /// The object with an identity, in this version; nil if it does not exist. See `Store`.
  ///
  /// ```swift
  /// let quake = try snapshot.object(id)
  /// ```
  ///
  /// - Throws: `StoreError`: `finished` after the end of the snapshot, `unsupported` on another thread,
  ///   `modelNotOpened`, `unreadableValue`.
  public func object<Object: Model>(_ id: ObjectID<Object>) throws -> Object? {
    try QuerySource.snapshot(scope).object(id)
  }
}

extension WriteTransaction {
  /// The object with an identity in this transaction; nil if it does not exist, or no longer. See `Store`.
  ///
  /// ```swift
  /// let quake = try tx.object(id)
  /// ```
  ///
  /// - Throws: `StoreError`: `finished` after the end of the transaction, `unsupported` on another thread,
  ///   `modelNotOpened`, `unreadableValue`.
  public func object<Object: Model>(_ id: ObjectID<Object>) throws -> Object? {
    try QuerySource.transaction(scope).object(id)
  }
}
