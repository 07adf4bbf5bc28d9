internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// Looks up objects of a model by the value of a unique property in one snapshot, without a query: nothing is parsed,
/// bound or planned, and data that is the same for all values is prepared once.
///
/// It is not generic over the model. The rules of its snapshot apply.
final class ObjectLookup {
  /// The property. A key path that is written in one place of a program is a single object.
  let keyPath: AnyKeyPath
  private let objects: SingleObjects
  private let path: String
  private let key: UniqueKey?
  /// The index of the key. Within a write several objects may have the value, until it ends: then a query finds them.
  private let index: IndexReader?

  init<Object: Model>(_ keyPath: AnyKeyPath, of model: Object.Type, _ objects: SingleObjects, in snapshot: Snapshot)
    throws
  {
    // A scalar, optional or not, is one column.
    guard let place = objects.layout.place(of: keyPath, columnCount: 1) else { throw Object.noPath(keyPath) }
    self.keyPath = keyPath
    self.objects = objects
    path = place.path
    key = place.key
    index = try snapshot.isCommitted ? key?.index(in: objects.entity) : nil
    let entity = objects.entity.entity
    guard index != nil || entity.indexes.contains(where: { $0.isUnique && $0.index.paths == [place.path] }) else {
      throw StoreError.unsupported(
        "\(entity.name).\(path) is not unique: declare it '@Attribute(.unique)', or ask by 'filter'")
    }
  }

  /// The object with a value, of the key path's model; nil if there is none. `source` is where the lookup reads.
  func object<Object: Model>(_ value: Value, in source: QuerySource) throws -> Object? {
    guard let number = try number(value, in: source) else { return nil }
    return try objects.object(number)
  }

  /// A property of the object with a value, without reading the others; nil if there is no such object.
  func value<Object: Model, Property: PropertyValue>(
    of property: KeyPath<Object, Property>, _ value: Value, in source: QuerySource
  ) throws -> Property? {
    guard let number = try number(value, in: source) else { return nil }
    return try objects.value(of: property, number)
  }

  private func number(_ value: Value, in source: QuerySource) throws -> ObjectNumber? {
    if let index, let key, key.finds(value) { return try objects.entity.object(with: value, in: index) }
    let selection = Selection(objects.entity.entity.name, in: source)
    return try source.read { snapshot in
      try selection.filter("%K == %@", Arguments([.string(path), value])).first(in: snapshot)?.id
    }
  }
}

extension QuerySource {
  /// The object with a value of a unique property in this source; nil if there is none.
  fileprivate func object<Object: Model>(by keyPath: AnyKeyPath, _ value: Value) throws -> Object? {
    try read { snapshot in
      try ObjectLookup(keyPath, of: Object.self, try objects(of: Object.self, in: snapshot), in: snapshot)
        .object(value, in: self)
    }
  }
}

extension Store {
  /// The object with a value of a unique property, in the newest version; nil if there is none.
  ///
  /// ```swift
  /// let quake = try store.object(Quake.self, where: \.code, is: "us1000chhc")
  /// ```
  ///
  /// The fastest way to a single object: it takes a lookup in the index and reading the object.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - property: The unique property.
  ///   - value: The value to look up.
  /// - Throws: `StoreError`: `unsupported` for a property that is not declared unique, `modelNotOpened`,
  ///   `unreadableValue`, or an error of reading. `QueryError` for a computed property.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key>, is value: Key
  ) throws -> Object? {
    try QuerySource.store(self).object(by: property, value.columnValue)
  }

  /// The object with a value of an optional unique property. nil cannot be looked up.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - property: The unique property.
  ///   - value: The value to look up.
  /// - Throws: As the form for a property that is not optional.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key?>, is value: Key
  ) throws -> Object? {
    try QuerySource.store(self).object(by: property, value.columnValue)
  }
}

extension StoreSnapshot {
  /// The object with a value of a unique property, in this version; nil if there is none. See `Store`.
  ///
  /// ```swift
  /// let quake = try snapshot.object(Quake.self, where: \.code, is: "us1000chhc")
  /// ```
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - property: The unique property.
  ///   - value: The value to look up.
  /// - Throws: `StoreError`: `unsupported` for a property that is not declared unique, or on another thread; `finished`
  ///   after the end of the snapshot; `modelNotOpened`, `unreadableValue`. `QueryError` for a computed property.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key>, is value: Key
  ) throws -> Object? {
    try scope.lookup(by: property, of: model).object(value.columnValue, in: .snapshot(scope))
  }

  /// The object with a value of an optional unique property. nil cannot be looked up.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - property: The unique property.
  ///   - value: The value to look up.
  /// - Throws: As the form for a property that is not optional.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key?>, is value: Key
  ) throws -> Object? {
    try scope.lookup(by: property, of: model).object(value.columnValue, in: .snapshot(scope))
  }

  /// A property of the object with a value of a unique property, without reading the others; nil if there is no such
  /// object.
  ///
  /// ```swift
  /// let depth = try snapshot.value(of: \Quake.depth, where: \.code, is: "us1000chhc")
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property to read.
  ///   - key: The unique property.
  ///   - value: The value of `key` to look up.
  /// - Throws: `StoreError`: `unsupported` for a key that is not declared unique, or on another thread; `finished`
  ///   after the end of the snapshot; `modelNotOpened`, `unreadableValue`. `QueryError` for a computed property.
  public func value<Object: Model, Property: PropertyValue, Key: ScalarValue>(
    of property: KeyPath<Object, Property>, where key: KeyPath<Object, Key>, is value: Key
  ) throws -> Property? {
    try scope.lookup(by: key, of: Object.self).value(of: property, value.columnValue, in: .snapshot(scope))
  }
}

extension WriteTransaction {
  /// The object with a value of a unique property in this transaction; nil if there is none. If several objects have
  /// the value before the transaction ends, the first.
  ///
  /// ```swift
  /// let quake = try tx.object(Quake.self, where: \.code, is: "us1000chhc")
  /// ```
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - property: The unique property.
  ///   - value: The value to look up.
  /// - Throws: `StoreError`: `unsupported` for a property that is not declared unique, or on another thread; `finished`
  ///   after the end of the transaction; `modelNotOpened`, `unreadableValue`. `QueryError` for a computed property.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key>, is value: Key
  ) throws -> Object? {
    try QuerySource.transaction(scope).object(by: property, value.columnValue)
  }

  /// The object with a value of an optional unique property. nil cannot be looked up.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - property: The unique property.
  ///   - value: The value to look up.
  /// - Throws: As the form for a property that is not optional.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key?>, is value: Key
  ) throws -> Object? {
    try QuerySource.transaction(scope).object(by: property, value.columnValue)
  }
}
