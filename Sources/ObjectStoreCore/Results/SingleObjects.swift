internal import Storage

/// Reads single objects of a model in one snapshot, each likely of another cluster than the one before: what is read with
/// is made once, and opened on one cluster after the other.
///
/// It is of no type of its own for each model, and neither is what it reads with: looking such types up takes a tenth of
/// a look-up. Used like the snapshot it is of, and not after that.
final class SingleObjects {
  let layout: ModelLayout
  let entity: EntityReader
  private let store: StoreReference
  private let moment: ReadMoment
  /// What objects were read with; nil while it is in use.
  private var columns: ClusterColumns?
  /// A property that was read, and what with; nil while that is in use.
  private var property: AnyKeyPath?
  private var propertyColumns: ClusterColumns?

  init(_ layout: ModelLayout, in snapshot: Snapshot, _ store: StoreReference) throws(StoreError) {
    self.layout = layout
    self.store = store
    moment = snapshot.moment
    entity = try snapshot.reader(of: layout.entity)
  }

  /// An object of the model that the layout is of; nil when there is none of that number.
  func object<Object: Model>(ifThere number: ObjectNumber) throws -> Object? {
    guard try entity.cluster(number.cluster)?.present[number.slot] == true else { return nil }
    return try object(number)
  }

  /// An object that was found, of the model that the layout is of.
  func object<Object: Model>(_ number: ObjectNumber) throws -> Object {
    let known = columns
    columns = nil
    let columns = try opened(number, known) {
      try ClusterColumns(
        $0, columns: layout.positions, substitutes: layout.substitutes, of: layout.definition, in: store)
    }
    var decoder = RowDecoder(columns, number)
    var object = try Object.decode(from: &decoder)
    object.objectIdentity = ObjectIdentity(number, readAt: moment)
    self.columns = columns
    return object
  }

  /// A property of an object that was found, without the others.
  func value<Object: Model, Property: PropertyValue>(
    of keyPath: KeyPath<Object, Property>, _ number: ObjectNumber
  ) throws -> Property {
    let known = property === keyPath ? propertyColumns : nil
    propertyColumns = nil
    let columns = try opened(number, known) {
      guard let place = layout.place(of: keyPath, columnCount: Property.columnCount) else {
        throw Object.noPath(keyPath)
      }
      return try ClusterColumns(
        $0, columns: place.positions, substitutes: place.substitutes, of: layout.definition, from: place.firstColumn,
        in: store)
    }
    var decoder = RowDecoder(columns, number)
    let value = try Property.decode(from: &decoder)
    property = keyPath
    propertyColumns = columns
    return value
  }

  /// The columns of an object's cluster: those known, opened there, or new ones.
  @inline(__always)
  private func opened(
    _ number: ObjectNumber, _ known: ClusterColumns?, _ make: (ClusterView) throws -> ClusterColumns
  ) throws -> ClusterColumns {
    guard let known else { return try make(try cluster(of: number)) }
    if known.number != number.cluster || !known.present[number.slot] { try known.open(try cluster(of: number)) }
    return known
  }

  /// The cluster of an object that was found.
  private func cluster(of number: ObjectNumber) throws(StoreError) -> ClusterView {
    guard let cluster = try entity.cluster(number.cluster), cluster.present[number.slot] else {
      throw .missing(number)
    }
    return cluster
  }
}
