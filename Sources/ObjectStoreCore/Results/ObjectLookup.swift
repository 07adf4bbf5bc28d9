internal import PredicateLanguage
internal import QueryEngine
internal import Storage

/// Objects of a model by the value of a unique property in one snapshot, without a query: nothing is read, bound or
/// planned, and what is the same for all values is found once.
///
/// It is of no type of its own for each model, and neither is what it reads with: looking such types up takes a tenth of
/// a look-up. Used like the snapshot it is of, and not after that.
final class ObjectLookup {
  /// The property. One that is written in one place of a program is one object.
  let keyPath: AnyKeyPath
  private let layout: ModelLayout
  private let place: ModelLayout.Place
  private let entity: EntityReader
  /// Its index. Within a write several objects may have the value, until it ends: then a query finds them.
  private let index: IndexReader?
  private let store: StoreReference
  /// What objects were read with; nil while it is in use.
  private var columns: ClusterColumns?
  /// What a property was read with; nil while it is in use.
  private var property: (keyPath: AnyKeyPath, columns: ClusterColumns)?

  init<Object: Model>(_ keyPath: AnyKeyPath, of model: Object.Type, in snapshot: Snapshot, _ store: Store) throws {
    layout = try store.layout(Object.modelDefinition, in: snapshot.schema)
    // A scalar, optional or not, is one column.
    guard let place = layout.place(of: keyPath, columnCount: 1) else { throw Object.noPath(keyPath) }
    self.keyPath = keyPath
    self.place = place
    self.store = store.reference
    entity = try snapshot.reader(of: layout.entity)
    index = try snapshot.isCommitted ? place.key?.index(in: entity) : nil
    guard index != nil || layout.entity.indexes.contains(where: { $0.isUnique && $0.index.paths == [place.path] })
    else {
      throw StoreError.unsupported(
        "\(layout.entity.name).\(place.path) is not unique: declare it '@Attribute(.unique)', or ask by 'filter'")
    }
  }

  /// The object with a value, of the model that the key path is of; nil when there is none. `source` is where it reads.
  func object<Object: Model>(_ value: Value, in source: QuerySource) throws -> Object? {
    guard let number = try number(value, in: source) else { return nil }
    let known = columns
    columns = nil
    let columns = try row(number, known) { cluster throws(StoreError) in
      try ClusterColumns(
        cluster, columns: layout.positions, substitutes: layout.substitutes, of: layout.definition, in: store)
    }
    var decoder = RowDecoder(columns, number)
    var object = try Object.decode(from: &decoder)
    object.objectID = ObjectID(number)
    self.columns = columns
    return object
  }

  /// A property of the object with a value, without the others; nil when there is no such object.
  func value<Object: Model, Property: PropertyValue>(
    of keyPath: KeyPath<Object, Property>, _ value: Value, in source: QuerySource
  ) throws -> Property? {
    guard let number = try number(value, in: source) else { return nil }
    var known: ClusterColumns?
    if let property, property.keyPath === keyPath { known = property.columns }
    property = nil
    let columns = try row(number, known) { cluster throws in
      guard let place = layout.place(of: keyPath, columnCount: Property.columnCount) else {
        throw Object.noPath(keyPath)
      }
      return try ClusterColumns(
        cluster, columns: place.positions, substitutes: place.substitutes, of: nil, in: store)
    }
    var decoder = RowDecoder(columns, number)
    let read = try Property.decode(from: &decoder)
    property = (keyPath, columns)
    return read
  }

  /// The columns of an object that was found: those known, of its cluster now, or new ones.
  private func row(
    _ number: ObjectNumber, _ known: ClusterColumns?, _ make: (ClusterView) throws -> ClusterColumns
  ) throws -> ClusterColumns {
    if let known, known.number == number.cluster, known.present[number.slot] { return known }
    guard let cluster = try entity.cluster(number.cluster), cluster.present[number.slot] else {
      throw StoreError.missing(number)
    }
    guard let known else { return try make(cluster) }
    try known.open(cluster)
    return known
  }

  private func number(_ value: Value, in source: QuerySource) throws -> ObjectNumber? {
    if let index, place.key?.finds(value) ?? false { return try entity.object(with: value, in: index) }
    let arguments = Arguments([.string(place.path), value])
    return try source.read { snapshot in
      try Selection(layout.entity.name, in: source).filter("%K == %@", arguments).first(in: snapshot)?.id
    }
  }
}

extension QuerySource {
  /// The object with a value of a unique property where it reads; nil when there is none.
  fileprivate func object<Object: Model>(by keyPath: AnyKeyPath, _ value: Value) throws -> Object? {
    try read { try ObjectLookup(keyPath, of: Object.self, in: $0, store).object(value, in: self) }
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
    try QuerySource.store(self).object(by: property, value.columnValue)
  }

  /// The same by an optional property; nil is no value to look objects up by.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key?>, is value: Key
  ) throws -> Object? {
    try QuerySource.store(self).object(by: property, value.columnValue)
  }
}

extension StoreSnapshot {
  /// The object with a value of a unique property, in this version; nil when there is none. See `Store`.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key>, is value: Key
  ) throws -> Object? {
    try scope.lookup(by: property, of: model).object(value.columnValue, in: .snapshot(scope))
  }

  /// The same by an optional property; nil is no value to look objects up by.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key?>, is value: Key
  ) throws -> Object? {
    try scope.lookup(by: property, of: model).object(value.columnValue, in: .snapshot(scope))
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
    try scope.lookup(by: key, of: Object.self).value(of: property, value.columnValue, in: .snapshot(scope))
  }
}

extension WriteTransaction {
  /// The object with a value of a unique property, as this transaction sees it; nil when there is none. Of several that
  /// have the value until the transaction ends, the first.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key>, is value: Key
  ) throws -> Object? {
    try QuerySource.transaction(scope).object(by: property, value.columnValue)
  }

  /// The same by an optional property; nil is no value to look objects up by.
  public func object<Object: Model, Key: ScalarValue>(
    _ model: Object.Type, where property: KeyPath<Object, Key?>, is value: Key
  ) throws -> Object? {
    try QuerySource.transaction(scope).object(by: property, value.columnValue)
  }
}
