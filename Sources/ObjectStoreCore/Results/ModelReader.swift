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
