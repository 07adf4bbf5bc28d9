internal import Schema
internal import Storage
internal import Values

/// The columns of one cluster that a reader needs, in its order: opened once, read for many objects. A reader of
/// several clusters in turn can reuse this for each.
///
/// Valid as long as its snapshot. It does not know what values are built from the columns.
final class ClusterColumns {
  /// The slots that have an object.
  private(set) var present: Mask
  /// The columns in short.
  let open: UnsafeMutableBufferPointer<OpenColumn>
  /// The model of the columns; nil without a model.
  let definition: ModelDefinition?
  /// The position in the model of the first column, when these are the columns of one property.
  let firstColumn: Int
  /// The store in which links and inverses are followed; nil when they are not needed.
  let store: StoreReference?
  private var cluster: ClusterView
  private let columns: [Int?]
  private let substitutes: [Value]
  /// The columns that an `OpenColumn` can't represent, as far as they were read. Most clusters have none.
  private var views: [Int: ColumnView] = [:]

  /// Opens columns of a cluster. A column the file lacks (nil) has the value in `substitutes`.
  init(
    _ cluster: ClusterView, columns: [Int?], substitutes: [Value], of definition: ModelDefinition?,
    from firstColumn: Int = 0, in store: StoreReference?
  ) throws(StoreError) {
    self.cluster = cluster
    self.definition = definition
    self.firstColumn = firstColumn
    self.store = store
    self.columns = columns
    self.substitutes = substitutes
    present = cluster.present
    open = .allocate(capacity: columns.count)
    for position in columns.indices {
      open.initializeElement(at: position, to: try Self.opened(cluster, columns[position], substitutes[position]))
    }
  }

  /// The number of the cluster.
  var number: UInt64 { cluster.number }

  /// Opens the same columns of another cluster of the snapshot. There must be no reader at the time; after an error,
  /// the columns must not be read.
  func open(_ other: consuming ClusterView) throws(StoreError) {
    for position in columns.indices {
      // A column that the file lacks is the same in all clusters.
      if let column = columns[position] { open[position] = OpenColumn(try other.column(column)) }
    }
    present = other.present
    if !views.isEmpty { views.removeAll(keepingCapacity: true) }
    cluster = other
  }

  private static func opened(
    _ cluster: ClusterView, _ column: Int?, _ substitute: Value
  ) throws(StoreError) -> OpenColumn {
    if let column { OpenColumn(try cluster.column(column)) } else { OpenColumn(absent: substitute) }
  }

  deinit { open.deallocate() }

  /// The value of an object in one of the columns.
  func value(_ position: Int, slot: Int) throws(StoreError) -> Value {
    if let value = open[position].value(slot) { return value }
    guard let column = columns[position] else { return substitutes[position] }
    if let known = views[position] { return try known.value(at: slot) }
    let view = try cluster.column(column)
    views[position] = view
    return try view.value(at: slot)
  }
}
