internal import Storage

/// The current cluster of a query: an open cluster, or a row of a table, which is opened as a cluster only if needed.
/// The cursor is reused for the next cluster.
final class ClusterCursor {
  /// The cluster's number.
  private(set) var number: UInt64 = 0
  /// Its objects.
  private(set) var present = Mask.none
  private var opened: ClusterView?
  private var scan: TableScan?
  private var row = 0
  private var rowCount = 0
  /// The table columns to read, and the start of each column's rows, by the column's position. Plain pointers, so that
  /// reading them in every cluster counts no references.
  private var columns: [ColumnTable?] = []
  private var starts: UnsafeMutablePointer<UnsafePointer<RawColumn>?>?
  private var startCount = 0

  deinit { starts?.deallocate() }

  /// Moves to an open cluster.
  func move(to cluster: ClusterView) {
    scan = nil
    startCount = 0
    opened = cluster
    number = cluster.number
    present = cluster.present
  }

  /// Moves to a row of a table, of which the given columns will be read.
  func move(to row: Int, of table: TableScan, reading wanted: [Int]) throws {
    if scan !== table { try begin(table, reading: wanted) }
    opened = nil
    self.row = row
    number = table.number(row)
    present = table.present(row)
  }

  private func begin(_ table: TableScan, reading wanted: [Int]) throws {
    scan = table
    rowCount = table.count
    startCount = (wanted.max() ?? -1) + 1
    columns = Array(repeating: nil, count: startCount)
    starts?.deallocate()
    let starts = UnsafeMutablePointer<UnsafePointer<RawColumn>?>.allocate(capacity: max(1, startCount))
    starts.initialize(repeating: nil, count: max(1, startCount))
    self.starts = starts
    for column in wanted {
      columns[column] = try table.column(column)
      starts[column] = columns[column].map { UnsafePointer($0.rows) }
    }
  }

  /// The cluster itself.
  func view() throws -> ClusterView {
    if let opened { return opened }
    guard let scan else { throw StoreError.unsupported("no cluster") }
    let made = try scan.view(row)
    opened = made
    return made
  }

  /// A column as raw memory, if the table has it; includes codes and strings.
  @inline(__always)
  private func tabled(_ column: Int) -> UnsafePointer<RawColumn>? {
    guard let starts, column < startCount, let start = starts[column] else { return nil }
    return start + row
  }

  /// A column of numbers or dates as validated raw memory; nil for other types.
  func fixed(_ column: Int) throws -> RawColumn? {
    if let known = tabled(column) {
      switch known.pointee.layout {
      case .unchecked, .other: break
      case .codes, .texts: return nil
      default:
        prefetch(column)
        return known.pointee
      }
    }
    let view = try view()
    if let fixed = view.fixed(column) { return fixed }
    // Reading the column validates it.
    _ = try view.column(column)
    return view.fixed(column)
  }

  /// A column of strings as codes of one of the table's dictionaries; nil for other layouts.
  @inline(__always)
  func codes(_ column: Int) -> UnsafePointer<RawColumn>? {
    guard let known = tabled(column), known.pointee.layout == .codes else { return nil }
    return known
  }

  /// The table of a column, or nil.
  func table(_ column: Int) -> ColumnTable? { column < startCount ? columns[column] : nil }

  /// Prefetches a column of a row that comes soon.
  @inline(__always)
  func prefetch(_ column: Int) {
    guard row &+ 4 < rowCount, let known = tabled(column) else { return }
    RawColumn.prefetch(known + 4)
  }

  /// The bits of the minimum and maximum of a column, without nil and NaN; nil if there is no zone map.
  func edges(_ column: Int) throws -> (minimum: UInt64, maximum: UInt64)? {
    if let known = tabled(column), known.pointee.hasRange { return (known.pointee.minimum, known.pointee.maximum) }
    return try view().edges(column).map { ($0.minimum, $0.maximum) }
  }
}
