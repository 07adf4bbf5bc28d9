/// One scan over the clusters of a table, in one snapshot, with prepared columns for its filters.
///
/// Several threads may read it at once; only the thread with the snapshot prepares columns.
@usableFromInline package final class TableScan: @unchecked Sendable {
  @usableFromInline let table: ClusterTable
  private let context: ClusterContext
  private var held: [Int: ColumnTable] = [:]
  /// Whether columns that the table lacks are built.
  private let makesColumns: Bool

  /// The number of clusters.
  package var count: Int { table.count }

  init(_ table: ClusterTable, _ context: ClusterContext, makesColumns: Bool) {
    self.table = table
    self.context = context
    self.makesColumns = makesColumns
  }

  /// Prepares a column; nil if there is no memory for it, or if the scan is too small to build it.
  package func column(_ index: Int) throws(StoreError) -> ColumnTable? {
    guard index >= 0, index < context.columnCount else { return nil }
    if let known = held[index] { return known }
    let made = try makesColumns ? table.column(index, context) : table.knownColumn(index)
    held[index] = made
    return made
  }

  /// The scan for another thread, which must not read overflow values, since these need the snapshot.
  package func forWorker() -> TableScan {
    let context = ClusterContext(entity: context.entity) { (_) throws(StoreError) in throw .unsupported("") }
    let scan = TableScan(table, context, makesColumns: makesColumns)
    scan.held = held
    return scan
  }

  /// The objects of a cluster.
  @inlinable @inline(__always) package func present(_ row: Int) -> Mask { table.present(row) }

  /// The row of the cluster with a number; nil if there is none. Only rows from `start` on are searched.
  package func row(of number: UInt64, from start: Int) -> Int? { table.row(of: number, from: start) }

  /// The number of a cluster.
  @inlinable @inline(__always) package func number(_ row: Int) -> UInt64 { table.rows[row].number }

  /// The cluster itself.
  @inline(__always) package func view(_ row: Int) throws(StoreError) -> ClusterView { try table.view(row, context) }
}
