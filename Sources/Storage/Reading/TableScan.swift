/// One scan over the clusters of a table, in one snapshot: what its conditions read lies ready in arrays.
///
/// Several threads may read it at once; preparing is for the one that has the snapshot.
@usableFromInline package final class TableScan: @unchecked Sendable {
  @usableFromInline let table: ClusterTable
  private let context: ClusterContext
  private var held: [Int: ColumnTable] = [:]
  /// Whether columns that the table does not have yet are made.
  private let makesColumns: Bool

  /// The number of clusters.
  package var count: Int { table.count }

  init(_ table: ClusterTable, _ context: ClusterContext, makesColumns: Bool) {
    self.table = table
    self.context = context
    self.makesColumns = makesColumns
  }

  /// Has a column lie ready; nil when there is no room for it, or when this scan is too small to make it for.
  package func column(_ index: Int) throws(StoreError) -> ColumnTable? {
    guard index >= 0, index < context.columnCount else { return nil }
    if let known = held[index] { return known }
    let made = try makesColumns ? table.column(index, context) : table.knownColumn(index)
    held[index] = made
    return made
  }

  /// The same scan for another thread, which must not read what is out of line: that needs the snapshot.
  package func forWorker() -> TableScan {
    let context = ClusterContext(entity: context.entity) { (_) throws(StoreError) in throw .unsupported("") }
    let scan = TableScan(table, context, makesColumns: makesColumns)
    scan.held = held
    return scan
  }

  /// The objects of a cluster.
  @inlinable @inline(__always) package func present(_ row: Int) -> Mask { table.present(row) }

  /// The row of the cluster with a number; nil where there is none. Rows before `start` are not looked at.
  package func row(of number: UInt64, from start: Int) -> Int? { table.row(of: number, from: start) }

  /// The number of a cluster.
  @inlinable @inline(__always) package func number(_ row: Int) -> UInt64 { table.rows[row].number }

  /// The cluster itself.
  @inline(__always) package func view(_ row: Int) throws(StoreError) -> ClusterView { try table.view(row, context) }
}
