internal import Storage

// Writing by values that were read, and by results: the identity is the value's own.

extension WriteTransaction {
  /// Changes the stored object that `object` was read from: `change` gets the values the object has now, whatever
  /// `object` has, and what it makes of them is kept.
  ///
  /// ```swift
  /// try store.write { tx in try tx.update(quake) { $0.felt = 3 } }
  /// ```
  ///
  /// - Throws: what `change` throws; `StoreError`: `notStored` for a value that has no `objectID`, `unknownObject` when
  ///   the object is not there any more.
  public func update<Object: Model>(_ object: Object, _ change: (inout Object) throws -> Void) throws {
    try update(try identity(of: object), change)
  }

  /// Changes each of the objects that `results` has now, in order; how many there were.
  ///
  /// ```swift
  /// try store.write { tx in try tx.update(tx.objects(Quake.self).filter("felt == nil")) { $0.felt = 0 } }
  /// ```
  ///
  /// The objects are found before the first is changed. One that `change` deletes before its turn is left out.
  ///
  /// - Throws: what `change` throws, which ends it; what was changed by then stays changed unless the write throws.
  @discardableResult
  public func update<Object: Model>(
    _ results: Results<Object>, _ change: (inout Object) throws -> Void
  ) throws -> Int {
    var count = 0
    for number in try results.selection.ids where try updateStored(ObjectID<Object>(number), change) { count += 1 }
    return count
  }

  /// Deletes the stored object that `object` was read from; false when it was not there. See `delete(_:)` of an identity.
  ///
  /// ```swift
  /// try store.write { tx in try tx.delete(quake) }
  /// ```
  ///
  /// - Throws: `StoreError`: `notStored` for a value that has no `objectID`, `deleteDenied`.
  @discardableResult
  public func delete<Object: Model>(_ object: Object) throws -> Bool { try delete(try identity(of: object)) }

  /// Deletes all objects of a model; how many there were.
  ///
  /// ```swift
  /// try store.write { tx in try tx.deleteAll(Quake.self) }
  /// ```
  ///
  /// - Throws: `StoreError.deleteDenied`; then nothing was deleted and the transaction can go on.
  @discardableResult
  public func deleteAll<Object: Model>(_ model: Object.Type) throws -> Int { try delete(objects(model)) }

  private func identity<Object: Model>(of object: Object) throws(StoreError) -> ObjectID<Object> {
    guard let id = object.objectID else { throw .notStored(entity: try layout(Object.modelDefinition).entity.name) }
    return id
  }
}
