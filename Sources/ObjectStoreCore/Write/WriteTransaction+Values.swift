internal import Storage

// Writing by values that were read, and by results: the identity is the value's own.

extension WriteTransaction {
  /// Changes the stored object that `object` was read from: `change` receives the stored values, whatever values
  /// `object` has, and the changed values are stored.
  ///
  /// ```swift
  /// try store.write { tx in try tx.update(quake) { $0.felt = 3 } }
  /// ```
  ///
  /// - Throws: The errors of `change`; `StoreError`: `notStored` for a value without an `objectID`, `unknownObject`
  ///   when the object no longer exists.
  public func update<Object: Model>(_ object: Object, _ change: (inout Object) throws -> Void) throws {
    try update(try identity(of: object), change)
  }

  /// Changes each object that `results` currently contains, in order, and returns the number of objects.
  ///
  /// ```swift
  /// try store.write { tx in try tx.update(tx.objects(Quake.self).filter("felt == nil")) { $0.felt = 0 } }
  /// ```
  ///
  /// The objects are found before the first is changed. An object that `change` deletes before its turn is left out.
  ///
  /// - Throws: The errors of `change`, which end the update; earlier changes remain unless the write throws.
  @discardableResult
  public func update<Object: Model>(
    _ results: Results<Object>, _ change: (inout Object) throws -> Void
  ) throws -> Int {
    var count = 0
    for number in try results.selection.ids where try updateStored(ObjectID<Object>(number), change) { count += 1 }
    return count
  }

  /// Deletes the stored object that `object` was read from; false when it did not exist. See `delete(_:)` for an
  /// identity.
  ///
  /// ```swift
  /// try store.write { tx in try tx.delete(quake) }
  /// ```
  ///
  /// - Throws: `StoreError`: `notStored` for a value without an `objectID`, `deleteDenied`.
  @discardableResult
  public func delete<Object: Model>(_ object: Object) throws -> Bool { try delete(try identity(of: object)) }

  /// Deletes all objects of a model and returns their number.
  ///
  /// ```swift
  /// try store.write { tx in try tx.deleteAll(Quake.self) }
  /// ```
  ///
  /// - Throws: `StoreError.deleteDenied`; nothing is deleted and the transaction can continue.
  /// - Complexity: Linear in the number of objects.
  @discardableResult
  public func deleteAll<Object: Model>(_ model: Object.Type) throws -> Int { try delete(objects(model)) }

  private func identity<Object: Model>(of object: Object) throws(StoreError) -> ObjectID<Object> {
    guard let id = object.objectID else { throw .notStored(entity: try layout(Object.modelDefinition).entity.name) }
    return id
  }
}
