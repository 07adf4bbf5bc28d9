internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// One object by the value of a unique property, without a query: nothing is read, bound or planned.
///
/// It is of no type of its own for each model, and neither is what it reads with: looking such types up takes a tenth of
/// a look-up.
struct ObjectLookup {
  let source: QuerySource
  let keyPath: AnyKeyPath
  let value: Value

  init<Key: ScalarValue>(_ keyPath: AnyKeyPath, _ value: Key, in source: QuerySource) {
    self.source = source
    self.keyPath = keyPath
    self.value = value.columnValue
  }

  /// The object, of the model that the key path is of; nil when there is none.
  func object<Object: Model>(of model: Object.Type) throws -> Object? {
    try source.read { snapshot in
      let store = source.store
      let layout = try store.layout(Object.modelDefinition, in: snapshot.schema)
      guard let number = try number(in: snapshot, layout, of: model) else { return nil }
      guard let cluster = try snapshot.cluster(number.cluster, of: layout.entity), cluster.present[number.slot] else {
        throw StoreError.missing(number)
      }
      let columns = try ClusterColumns(
        cluster, columns: layout.positions, substitutes: layout.substitutes, of: layout.definition,
        in: store.reference)
      var decoder = RowDecoder(columns, number)
      var object = try Object.decode(from: &decoder)
      object.objectID = ObjectID(number)
      return object
    }
  }

  /// A property of the object, without the others; nil when there is no such object.
  func value<Object: Model, Property: PropertyValue>(of property: KeyPath<Object, Property>) throws -> Property? {
    try source.read { snapshot in
      let store = source.store
      let layout = try store.layout(Object.modelDefinition, in: snapshot.schema)
      guard let number = try number(in: snapshot, layout, of: Object.self) else { return nil }
      guard let place = layout.place(of: property, columnCount: Property.columnCount) else {
        throw Object.noPath(property)
      }
      guard let cluster = try snapshot.cluster(number.cluster, of: layout.entity), cluster.present[number.slot] else {
        throw StoreError.missing(number)
      }
      let columns = try ClusterColumns(
        cluster, columns: place.positions, substitutes: place.substitutes, of: nil, in: store.reference)
      var decoder = RowDecoder(columns, number)
      return try Property.decode(from: &decoder)
    }
  }

  private func number<Object: Model>(
    in snapshot: Snapshot, _ layout: ModelLayout, of model: Object.Type
  ) throws -> ObjectNumber? {
    // A scalar, optional or not, is one column.
    guard let place = layout.place(of: keyPath, columnCount: 1) else { throw Object.noPath(keyPath) }
    if snapshot.isCommitted, let key = place.key, let lookup = UniqueLookup(value, by: key) {
      return try lookup.object(in: snapshot)
    }
    guard layout.entity.indexes.contains(where: { $0.index.kind == .unique && $0.index.paths == [place.path] }) else {
      throw StoreError.unsupported(
        "\(layout.entity.name).\(place.path) is not unique: declare it '@Attribute(.unique)', or ask by 'filter'")
    }
    let arguments = Arguments([.string(place.path), value])
    return try Selection(layout.entity.name, in: source).filter("%K == %@", arguments).first(in: snapshot)?.id
  }
}

extension Store {
  /// The object with a value of a unique property, in the newest version; nil when there is none.
  ///
  /// ```swift
  /// let quake = try store.object(Quake.self, where: \.code, is: "us1000chhc")
  /// ```
  ///
  /// The shortest way to one object: it takes a look-up in the index and reading the object.
  ///
  /// - Throws: `StoreError.unsupported` for a property that is not declared unique.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key>, is value: Key
  ) throws -> Object? {
    try ObjectLookup(property, value, in: .store(self)).object(of: model)
  }

  /// The same by an optional property; nil is no value to look objects up by.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key?>, is value: Key
  ) throws -> Object? {
    try ObjectLookup(property, value, in: .store(self)).object(of: model)
  }
}

extension StoreSnapshot {
  /// The object with a value of a unique property, in this version; nil when there is none. See `Store`.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key>, is value: Key
  ) throws -> Object? {
    try ObjectLookup(property, value, in: .snapshot(scope)).object(of: model)
  }

  /// The same by an optional property; nil is no value to look objects up by.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key?>, is value: Key
  ) throws -> Object? {
    try ObjectLookup(property, value, in: .snapshot(scope)).object(of: model)
  }

  /// One property of the object with a value of a unique property, without reading the others; nil when there is no such
  /// object.
  ///
  /// ```swift
  /// let depth = try snapshot.value(of: \Quake.depth, where: \.code, is: "us1000chhc")
  /// ```
  ///
  /// - Throws: `StoreError.unsupported` for a key that is not declared unique, `QueryError` for a computed property.
  public func value<Object: Model, Property: PropertyValue, Key: ScalarValue>(
    of property: KeyPath<Object, Property>, where key: KeyPath<Object, Key>, is value: Key
  ) throws -> Property? {
    try ObjectLookup(key, value, in: .snapshot(scope)).value(of: property)
  }
}

extension WriteTransaction {
  /// The object with a value of a unique property, as this transaction sees it; nil when there is none. Of several that
  /// have the value until the transaction ends, the first.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key>, is value: Key
  ) throws -> Object? {
    try ObjectLookup(property, value, in: .transaction(scope)).object(of: model)
  }

  /// The same by an optional property; nil is no value to look objects up by.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key?>, is value: Key
  ) throws -> Object? {
    try ObjectLookup(property, value, in: .transaction(scope)).object(of: model)
  }
}
