internal import CKernels
internal import Storage

/// A scan of a table of clusters for filters: holds the columns that filters prepared, and the data that each filter
/// derived from the table before the first row. Used by one thread.
final class TableFilterScan {
  let scan: TableScan
  /// The maximum number of rows that will be filtered.
  let rowCount: Int
  private var columns: [Int: ColumnTable] = [:]
  private var findings: [ObjectIdentifier: AnyObject] = [:]
  /// Whether this scan belongs to a helper thread.
  private let isHelper: Bool
  /// The data of filters for this thread only.
  private var own: [ObjectIdentifier: AnyObject] = [:]

  /// A scan prepared for a filter.
  ///
  /// - Parameter rowCount: The maximum number of rows that will be filtered; nil for all.
  init(_ scan: TableScan, for filter: any Filter, rowCount: Int? = nil) throws {
    self.scan = scan
    self.rowCount = min(rowCount ?? .max, scan.count)
    isHelper = false
    try filter.prepare(self)
  }

  private init(_ other: TableFilterScan) {
    scan = other.scan.forWorker()
    rowCount = other.rowCount
    columns = other.columns
    findings = other.findings
    isHelper = true
  }

  /// A scan for a helper thread, which must not read overflow values.
  func forWorker() -> TableFilterScan { TableFilterScan(self) }

  /// Prepares a column, if there is memory for it.
  func prepare(_ column: Int) throws { columns[column] = try scan.column(column) }

  /// A prepared column; nil if there was no memory for it.
  func column(_ column: Int) -> ColumnTable? { columns[column] }

  /// Stores data that a filter derived from the table. It is immutable from now on, since threads share it.
  func keep(_ finding: AnyObject, of filter: any Filter) { findings[ObjectIdentifier(filter)] = finding }

  /// The data that a filter derived from the table.
  func finding<Finding: AnyObject>(of filter: any Filter) -> Finding? {
    findings[ObjectIdentifier(filter)] as? Finding
  }

  /// An object of which a filter needs one for each thread: `shared` for the caller's thread, a copy for each helper.
  func own<Thing: AnyObject>(_ shared: Thing, of filter: any Filter, copy: () -> Thing) -> Thing {
    if !isHelper { return shared }
    if let known = own[ObjectIdentifier(filter)] as? Thing { return known }
    let made = copy()
    own[ObjectIdentifier(filter)] = made
    return made
  }
}

/// Some adjacent rows of a table of clusters, each with a mask of candidates, which filters narrow.
struct ScanRows {
  let scan: TableFilterScan
  /// The numbers of the rows.
  let indices: Range<Int>
  /// The mask of each row.
  private let masks: UnsafeMutablePointer<Mask>

  /// Rows whose masks are at an address.
  init(_ scan: TableFilterScan, _ indices: Range<Int>, at masks: UnsafeMutablePointer<Mask>) {
    self.scan = scan
    self.indices = indices
    self.masks = masks
  }

  /// The candidates of a row.
  @inline(__always) subscript(row: Int) -> Mask {
    get { masks[row &- indices.lowerBound] }
    nonmutating set { masks[row &- indices.lowerBound] = newValue }
  }

  /// The cluster of a row.
  @inline(__always) func view(_ row: Int) throws(StoreError) -> ClusterView { try scan.scan.view(row) }

  /// Removes all candidates.
  func clear() { masks.update(repeating: .none, count: indices.count) }

  /// Calls `body` with the same rows and a copy of their masks.
  func withCopy<R>(_ body: (ScanRows) throws -> R) rethrows -> R {
    try withUnsafeTemporaryAllocation(of: Mask.self, capacity: max(1, indices.count)) { memory in
      // The buffer has room for at least one mask, so it has an address.
      let copy = memory.baseAddress.unsafelyUnwrapped
      copy.initialize(from: masks, count: indices.count)
      return try body(ScanRows(scan, indices, at: copy))
    }
  }

  /// Narrows the rows using raw memory of a column. `kernel` returns nil for clusters that must be decoded; the filter
  /// is evaluated on those.
  @inline(__always)
  func narrow(
    _ column: Int, _ filter: any Filter, _ context: ExecutionContext,
    by kernel: (UnsafePointer<RawColumn>, Mask) -> Mask?
  ) throws {
    guard let table = scan.column(column) else {
      for row in indices where !self[row].isEmpty {
        self[row] = try filter.mask(try view(row), self[row], context)
      }
      return
    }
    // The loop does no reference counting: threads that count references to the same object wait for each other.
    try withExtendedLifetime(table) {
      let columns = table.rows
      let count = table.count
      for row in indices {
        let candidates = self[row]
        // Prefetches later rows, unless they have no candidates.
        let soon = row &+ 4
        if soon < count, soon >= indices.upperBound || !self[soon].isEmpty { RawColumn.prefetch(columns + soon) }
        if candidates.isEmpty { continue }
        if let found = kernel(columns + row, candidates) {
          self[row] = found
        } else {
          self[row] = try filter.mask(try view(row), candidates, context)
        }
      }
    }
  }

  /// Narrows the rows by the raw columns of two properties, as `narrow` does by one.
  @inline(__always)
  func narrow(
    _ left: Int, _ right: Int, _ filter: any Filter, _ context: ExecutionContext,
    by kernel: (UnsafePointer<RawColumn>, UnsafePointer<RawColumn>, Mask) -> Mask?
  ) throws {
    guard let one = scan.column(left), let other = scan.column(right) else {
      return try narrow(left, filter, context) { _, _ in nil }
    }
    try withExtendedLifetime(other) {
      let (first, others) = (UnsafePointer(one.rows), UnsafePointer(other.rows))
      try narrow(left, filter, context) { column, candidates in kernel(column, others + (column - first), candidates) }
    }
  }
}
