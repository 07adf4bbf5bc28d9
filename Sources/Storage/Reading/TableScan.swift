/// One scan over the clusters of a table, in one snapshot: what its conditions read lies ready in arrays.
///
/// Several threads may read it at once; preparing is for the one that has the snapshot.
@usableFromInline package final class TableScan: @unchecked Sendable {
  @usableFromInline let table: ClusterTable
  private let context: ClusterContext
  private var held: [Int: ColumnTable] = [:]

  /// The number of clusters.
  package var count: Int { table.count }

  init(_ table: ClusterTable, _ context: ClusterContext) {
    self.table = table
    self.context = context
  }

  /// Has a column lie ready; nil when there is no room for it.
  package func column(_ index: Int) throws(StoreError) -> ColumnTable? {
    guard index >= 0, index < context.columnCount else { return nil }
    if let known = held[index] { return known }
    let made = try table.column(index, context)
    held[index] = made
    return made
  }

  /// The same scan for another thread, which must not read what is out of line: that needs the snapshot.
  package func forWorker() -> TableScan {
    let context = ClusterContext(entity: context.entity) { (_) throws(StoreError) in throw .unsupported("") }
    let scan = TableScan(table, context)
    scan.held = held
    return scan
  }

  /// The objects of a cluster.
  @inlinable @inline(__always) package func present(_ row: Int) -> Mask { table.present(row) }

  /// The number of a cluster.
  @inlinable @inline(__always) package func number(_ row: Int) -> UInt64 { table.rows[row].number }

  /// The cluster itself.
  @inline(__always) package func view(_ row: Int) throws(StoreError) -> ClusterView { try table.view(row, context) }
}
