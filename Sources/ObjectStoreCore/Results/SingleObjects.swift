internal import Storage

/// Reads single objects of a model in one snapshot, usually each from another cluster: the reader is created once, and
/// opened on one cluster after the other.
///
/// Neither it nor its reader is generic over the model, because looking up generic types would take a tenth of the
/// time. The rules of its snapshot apply.
final class SingleObjects {
  let layout: ModelLayout
  let entity: EntityReader
  private let store: StoreReference
  private let moment: ReadMoment
  /// The reader of objects; nil while in use.
  private var columns: ClusterColumns?
  /// The last property read, and its reader, which is nil while in use.
  private var property: AnyKeyPath?
  private var propertyColumns: ClusterColumns?

  init(_ layout: ModelLayout, in snapshot: Snapshot, _ store: StoreReference) throws(StoreError) {
    self.layout = layout
    self.store = store
    moment = snapshot.moment
    entity = try snapshot.reader(of: layout.entity)
  }

  /// An object of the layout's model; nil if there is none with that ID.
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

  /// A property of an existing object, without reading the others.
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

  /// The columns of an object's cluster: the known ones opened there, or new ones.
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
