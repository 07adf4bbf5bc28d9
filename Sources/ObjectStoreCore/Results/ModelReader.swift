internal import Schema
internal import Storage

/// Makes objects of a model from their IDs, in one snapshot.
struct ModelReader<Object: Model>: ObjectReader {
  private var cache: ClusterColumnsCache
  private let moment: ReadMoment

  init(_ layout: ModelLayout, _ snapshot: Snapshot, _ store: Store) {
    cache = ClusterColumnsCache(
      snapshot, layout.entity, columns: layout.positions, substitutes: layout.substitutes, of: layout.definition,
      in: store.reference)
    moment = snapshot.moment
  }

  mutating func item(_ number: ObjectNumber) throws -> Object? {
    guard let columns = try cache.columns(of: number) else { return nil }
    return try object(number, columns)
  }

  /// Returns no optional, whose type would be looked up for each object.
  mutating func existing(_ number: ObjectNumber) throws -> Object {
    guard let columns = try cache.columns(of: number) else { throw StoreError.missing(number) }
    return try object(number, columns)
  }

  private func object(_ number: ObjectNumber, _ columns: consuming ClusterColumns) throws -> Object {
    var decoder = RowDecoder(columns, number)
    var object = try Object.decode(from: &decoder)
    object.objectIdentity = ObjectIdentity(number, readAt: moment)
    return object
  }
}

/// Reads one property of objects by their IDs, in one snapshot, and no others.
struct PropertyReader<Property: PropertyValue>: ObjectReader {
  private var cache: ClusterColumnsCache

  /// Throws for a key path to a property that is not stored.
  init<Object: Model>(
    _ keyPath: KeyPath<Object, Property>, _ layout: ModelLayout, _ snapshot: Snapshot, _ store: Store
  ) throws {
    guard let place = layout.place(of: keyPath, columnCount: Property.columnCount) else { throw Object.noPath(keyPath) }
    cache = ClusterColumnsCache(
      snapshot, layout.entity, columns: place.positions, substitutes: place.substitutes, of: layout.definition,
      at: place.modelColumns, in: store.reference)
  }

  mutating func item(_ number: ObjectNumber) throws -> Property? {
    guard let columns = try cache.columns(of: number) else { return nil }
    return try property(number, columns)
  }

  mutating func existing(_ number: ObjectNumber) throws -> Property {
    guard let columns = try cache.columns(of: number) else { throw StoreError.missing(number) }
    return try property(number, columns)
  }

  private func property(_ number: ObjectNumber, _ columns: consuming ClusterColumns) throws -> Property {
    var decoder = RowDecoder(columns, number)
    return try Property.decode(from: &decoder)
  }
}
