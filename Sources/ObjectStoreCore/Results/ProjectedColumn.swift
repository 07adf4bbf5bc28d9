internal import Storage

/// A property that is read of some objects at a time; it does not say of which type.
@usableFromInline class ProjectedProperty {
  /// Prepares to read in a snapshot.
  func open(_ layout: ModelLayout, _ snapshot: Snapshot, _ store: Store) throws {}

  /// Reads the values of existing objects; with `keepingEarlier`, behind those that were read before.
  func read(_ objects: ArraySlice<ObjectNumber>, keepingEarlier: Bool) throws {}

  /// The number of objects that are read at a time.
  static let objectsAtOnce = 1_024
}

/// The values of a property of some objects, in an array of its type.
@usableFromInline final class ProjectedColumn<Value: PropertyValue>: ProjectedProperty {
  /// The values that were read.
  @usableFromInline private(set) var values: [Value] = []
  private let keyPath: AnyKeyPath
  private let unknown: () -> any Error
  private var cache: ClusterColumnsCache?

  /// - Parameter unknown: The error for a key path that leads to no stored property.
  init(_ keyPath: AnyKeyPath, unknown: @escaping () -> any Error) {
    self.keyPath = keyPath
    self.unknown = unknown
  }

  override func open(_ layout: ModelLayout, _ snapshot: Snapshot, _ store: Store) throws {
    guard let place = layout.place(of: keyPath, columnCount: Value.columnCount) else { throw unknown() }
    cache = ClusterColumnsCache(
      snapshot, layout.entity, columns: place.positions, substitutes: place.substitutes, of: layout.definition,
      from: place.firstColumn, in: store.reference)
  }

  override func read(_ objects: ArraySlice<ObjectNumber>, keepingEarlier: Bool) throws {
    if !keepingEarlier { values.removeAll(keepingCapacity: true) }
    values.reserveCapacity(values.count + objects.count)
    if let type = Value.self as? any ColumnReadable.Type { return try read(objects, as: type) }
    try forEachCluster(of: objects) { columns, objects in
      for object in objects {
        var decoder = RowDecoder(columns, object)
        values.append(try Value.decode(from: &decoder))
      }
    }
  }

  /// Reads with a loop for the type of the values, which `Known` is.
  private func read<Known: ColumnReadable>(_ objects: ArraySlice<ObjectNumber>, as _: Known.Type) throws {
    // The array is taken out, so that it is not copied. An array of the same type is passed on as it is.
    guard var known = values as Any as? [Known] else { return }
    values = []
    defer { if let read = known as Any as? [Value] { values = read } }
    try forEachCluster(of: objects) { try Known.append($1, of: $0, to: &known) }
  }

  /// Calls `body` with the columns of a cluster and objects of it that follow each other.
  private func forEachCluster(
    of objects: ArraySlice<ObjectNumber>, _ body: (ClusterColumns, ArraySlice<ObjectNumber>) throws -> Void
  ) throws {
    var rest = objects
    while let first = rest.first {
      guard let columns = try cache?.columns(of: first) else { throw StoreError.missing(first) }
      var end = rest.startIndex
      while end < rest.endIndex, rest[end].cluster == first.cluster {
        guard columns.present[rest[end].slot] else { throw StoreError.missing(rest[end]) }
        end += 1
      }
      try body(columns, rest[..<end])
      rest = rest[end...]
    }
  }
}
