internal import Schema
internal import Storage

/// Makes objects of a model from their numbers, in one snapshot.
struct ModelReader<Object: Model>: ObjectReader {
  private let layout: ModelLayout
  private let store: StoreReference
  private var cache: ClusterColumnsCache

  init(_ layout: ModelLayout, _ snapshot: Snapshot, _ store: Store) {
    self.layout = layout
    self.store = store.reference
    cache = ClusterColumnsCache(
      snapshot, layout.entity, columns: layout.positions, substitutes: layout.substitutes)
  }

  mutating func item(_ number: ObjectNumber) throws -> Object? {
    guard let columns = try cache.columns(of: number) else { return nil }
    var decoder = RowDecoder(
      columns, slot: number.slot, definition: layout.definition, origin: RowOrigin(store: store, number: number))
    var object = try Object.decode(from: &decoder)
    object.objectID = ObjectID(number)
    return object
  }
}
