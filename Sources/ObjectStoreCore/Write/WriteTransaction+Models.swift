internal import Storage

extension WriteTransaction {
  /// Adds an object with the values of `object` and returns its identity.
  ///
  /// ```swift
  /// let id = try store.write { tx in try tx.add(quake) }
  /// ```
  ///
  /// New objects that it links to, directly or not, are added first, each once; stored objects are only linked to.
  /// Takes constant time for each object, and about a second for a million small objects.
  ///
  /// - Throws: `StoreError`: `alreadyStored` for a value that has an `objectID`, since it was read from a store and
  ///   adding it would make a copy; `constraintViolated` when an object has the value of a unique property, or that of
  ///   a new object it links to; `modelNotOpened` when the store was opened without the model; `missingValue` or
  ///   `wrongType` when the file requires another value; `unseenProperties` when it requires a property that the model
  ///   lacks; `limitExceeded` for a value that is too large; `unsupported` for a `.codable` value that can't be
  ///   encoded. The transaction can continue without the object.
  @discardableResult
  public func add<Object: Model>(_ object: Object) throws -> ObjectID<Object> {
    let session = try session
    let layout = try layout(Object.modelDefinition)
    if let id = object.objectID { throw StoreError.alreadyStored(entity: layout.entity.name, id.number) }
    return ObjectID(
      try encoding(object) { values in
        try session.insert(try layout.row(of: values), into: layout.entity, refusingDuplicates: true)
      })
  }

  /// Adds several objects and returns their identities in order.
  ///
  /// ```swift
  /// let ids = try tx.add([Person(name: "Alex"), Person(name: "Kim")])
  /// ```
  ///
  /// - Throws: The errors of `add` for one object, at the first that can't be added: those before it remain added
  ///   unless the write throws.
  @discardableResult
  public func add<Object: Model>(_ objects: some Sequence<Object>) throws -> [ObjectID<Object>] {
    try objects.map { try add($0) }
  }

  /// Updates the object with the same value of the model's first unique property to the values of `object`, or adds an
  /// object when there is none. New objects that it links to are treated the same way; those without a unique property
  /// are added.
  ///
  /// ```swift
  /// let id = try store.write { tx in try tx.upsert(quake) }
  /// ```
  ///
  /// - Throws: The errors of `add`; `StoreError.unsupported` for a model without a unique property.
  @discardableResult
  public func upsert<Object: Model>(_ object: Object) throws -> ObjectID<Object> {
    let session = try session
    let layout = try layout(Object.modelDefinition)
    guard let index = layout.uniqueIndex, let column = index.columns.first else {
      throw StoreError.unsupported(
        "\(layout.entity.name) has no unique property to find the object by: declare one '@Attribute(.unique)'")
    }
    let number = try encoding(object, isMerging: true) { values -> ObjectNumber in
      guard let key = layout.value(of: column, in: values),
        let found = try session.find(unique: index, key, of: layout.entity)
      else { return try session.insert(try layout.row(of: values), into: layout.entity, refusingDuplicates: true) }
      try change(found, to: values, by: layout, in: session)
      return found
    }
    return ObjectID(number)
  }

  /// Changes one object: `change` receives its values, and the changed values are stored.
  ///
  /// ```swift
  /// try store.write { tx in try tx.update(id) { $0.magnitude = 6.1 } }
  /// ```
  ///
  /// Only differences are written. New objects that it now links to are added: `$0.tasks.append(Task())`. Properties of
  /// the file that the model does not know keep their values.
  ///
  /// - Throws: The errors of `change`; `StoreError`: `unknownObject` when the object no longer exists,
  ///   `unreadableValue` when the model can't represent a stored value.
  public func update<Object: Model>(_ id: ObjectID<Object>, _ change: (inout Object) throws -> Void) throws {
    guard try updateStored(id, change) else {
      throw StoreError.unknownObject(entity: try layout(Object.modelDefinition).entity.name, id.number)
    }
  }

  /// As `update`; false when the object is not there.
  func updateStored<Object: Model>(_ id: ObjectID<Object>, _ change: (inout Object) throws -> Void) throws -> Bool {
    let layout = try layout(Object.modelDefinition)
    guard let row = try session.row(id.number, of: layout.entity) else { return false }
    var decoder = RowDecoder(
      layout.values(in: row), definition: layout.definition,
      origin: RowOrigin(store: scope.store.reference, number: id.number))
    var object = try Object.decode(from: &decoder)
    object.objectIdentity = ObjectIdentity(id.number, readAt: try session.moment)
    try change(&object)
    // `change` may have used the transaction: the row is read again.
    let session = try session
    try encoding(object) { values in
      try self.change(id.number, to: values, by: layout, in: session)
    }
    return true
  }

  /// Deletes an object; false when it did not exist. Links to it are removed: links to one object become nil, lists
  /// lose the element. The targets of its own links and inverses are treated by their delete rules.
  ///
  /// ```swift
  /// try store.write { tx in try tx.delete(id) }
  /// ```
  ///
  /// - Throws: `StoreError.deleteDenied`, which names the property and the objects; nothing is deleted and the
  ///   transaction can continue.
  @discardableResult
  public func delete<Object: Model>(_ id: ObjectID<Object>) throws -> Bool {
    try session.delete(id.number, of: try layout(Object.modelDefinition).entity)
  }

  /// Deletes the objects that `results` currently contains, together, and returns their number. See `delete(_:)` for
  /// one object.
  ///
  /// ```swift
  /// try store.write { tx in try tx.delete(tx.objects(Quake.self).filter("time < %@", cutoff)) }
  /// ```
  ///
  /// - Throws: `StoreError.deleteDenied`: nothing is deleted and the transaction can continue; the errors of
  ///   `Results.ids`.
  /// - Complexity: Linear in the number of deleted objects and of links to them, besides finding them.
  @discardableResult
  public func delete<Object: Model>(_ results: Results<Object>) throws -> Int {
    try delete(try results.selection.ids, of: try layout(Object.modelDefinition).entity)
  }

  /// The objects of a model, including changes by this transaction.
  ///
  /// ```swift
  /// let felt = try tx.objects(Quake.self).filter("felt > 100").count
  /// ```
  public func objects<Object: Model>(_ model: Object.Type) -> Results<Object> { Results(in: .transaction(scope)) }

  func delete(_ ids: [ObjectNumber], of entity: StoredEntity) throws -> Int {
    try session.delete(ids, of: entity)
  }

  /// Sets an object to the values of a model; only differences are written.
  func change(
    _ object: ObjectNumber, to values: [Value], by layout: ModelLayout, in session: WriteSession
  ) throws(StoreError) {
    guard let row = try session.row(object, of: layout.entity) else {
      throw .unknownObject(entity: layout.entity.name, object)
    }
    let changes = try layout.changes(from: row, to: values)
    if !changes.isEmpty { try session.update(object, of: layout.entity, changes) }
  }
}

extension ModelLayout {
  /// The file's index over the model's first unique property.
  var uniqueIndex: StoredIndex? {
    for index in definition.entity.indexes where index.kind == .unique && index.paths.count == 1 {
      if let found = entity.index(named: index.name, kind: .unique) { return found }
    }
    return nil
  }
}
