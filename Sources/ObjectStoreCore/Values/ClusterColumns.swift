internal import Schema
internal import Storage
internal import Values

/// The columns of one cluster that a reader wants, in the order it wants them: opened once, read for many objects.
///
/// Valid as long as its snapshot. It does not know what the values are made into.
final class ClusterColumns {
  /// The slots that have an object.
  let present: Mask
  /// The columns in short.
  let open: UnsafeMutableBufferPointer<OpenColumn>
  private let views: [ColumnView?]
  private let substitutes: [Value]

  /// Opens columns of a cluster. A column the file lacks (nil) has the value in `substitutes`.
  init(_ cluster: ClusterView, columns: [Int?], substitutes: [Value]) throws(StoreError) {
    var views: [ColumnView?] = []
    views.reserveCapacity(columns.count)
    for column in columns {
      if let column { views.append(try cluster.column(column)) } else { views.append(nil) }
    }
    self.views = views
    self.substitutes = substitutes
    present = cluster.present
    open = .allocate(capacity: views.count)
    for (position, view) in views.enumerated() {
      open.initializeElement(at: position, to: view.map(OpenColumn.init) ?? OpenColumn(absent: substitutes[position]))
    }
  }

  deinit { open.deallocate() }

  /// The value of an object in one of the columns.
  func value(_ position: Int, slot: Int) throws(StoreError) -> Value {
    if let value = open[position].value(slot) { return value }
    guard let view = views[position] else { return substitutes[position] }
    return try view.value(at: slot)
  }

  /// Whether an object has nil in one of the columns.
  @inline(__always) func isNull(_ position: Int, slot: Int) -> Bool { open[position].isNull(slot) }
}
