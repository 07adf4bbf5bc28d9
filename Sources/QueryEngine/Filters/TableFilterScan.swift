internal import CPlatform
internal import Storage

/// A scan of a table of clusters as conditions see it: with the columns that they asked for, and what each found out
/// about the table before the first row. It serves one thread.
final class TableFilterScan {
  let scan: TableScan
  /// How many rows of the table are asked about at most.
  let rowCount: Int
  private var columns: [Int: ColumnTable] = [:]
  private var findings: [ObjectIdentifier: AnyObject] = [:]
  /// Whether it is that of a helper.
  private let isHelper: Bool
  /// What conditions keep for this thread alone.
  private var own: [ObjectIdentifier: AnyObject] = [:]

  /// A scan that is ready for a condition.
  ///
  /// - Parameter rowCount: How many rows it asks about at most; nil for all.
  init(_ scan: TableScan, for filter: Filter, rowCount: Int? = nil) throws {
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

  /// The same for another thread, which must read nothing that is out of line.
  func forWorker() -> TableFilterScan { TableFilterScan(self) }

  /// Has a column lie ready, where there is room for it.
  func prepare(_ column: Int) throws { columns[column] = try scan.column(column) }

  /// A column that was prepared; nil where there was no room for it.
  func column(_ column: Int) -> ColumnTable? { columns[column] }

  /// Keeps what a condition found out about the table; unchanging from here on, since threads share it.
  func keep(_ finding: AnyObject, of filter: Filter) { findings[ObjectIdentifier(filter)] = finding }

  /// What a condition found out about the table.
  func finding<Finding: AnyObject>(of filter: Filter) -> Finding? {
    findings[ObjectIdentifier(filter)] as? Finding
  }

  /// What a condition needs one of for each thread: `shared` for the caller's own, for each helper a copy of it.
  func own<Thing: AnyObject>(_ shared: Thing, of filter: Filter, copy: () -> Thing) -> Thing {
    if !isHelper { return shared }
    if let known = own[ObjectIdentifier(filter)] as? Thing { return known }
    let made = copy()
    own[ObjectIdentifier(filter)] = made
    return made
  }
}

/// Some rows of a table of clusters, one after another, each with a mask: the candidates that conditions narrow down.
struct ScanRows {
  let scan: TableFilterScan
  /// Which rows of the table.
  let indices: Range<Int>
  /// The mask of each.
  private let masks: UnsafeMutablePointer<Mask>

  /// Rows whose masks lie at an address.
  init(_ scan: TableFilterScan, _ indices: Range<Int>, at masks: UnsafeMutablePointer<Mask>) {
    self.scan = scan
    self.indices = indices
    self.masks = masks
  }

  /// The candidates of one of the rows.
  @inline(__always) subscript(row: Int) -> Mask {
    get { masks[row &- indices.lowerBound] }
    nonmutating set { masks[row &- indices.lowerBound] = newValue }
  }

  /// The cluster of a row.
  @inline(__always) func view(_ row: Int) throws(StoreError) -> ClusterView { try scan.scan.view(row) }

  /// Leaves no candidates.
  func clear() { masks.update(repeating: .none, count: indices.count) }

  /// Lends the same rows with masks of their own.
  func withCopy<R>(_ body: (ScanRows) throws -> R) rethrows -> R {
    try withUnsafeTemporaryAllocation(of: Mask.self, capacity: max(1, indices.count)) { memory in
      // Room for at least one mask has an address.
      let copy = memory.baseAddress.unsafelyUnwrapped
      copy.initialize(from: masks, count: indices.count)
      return try body(ScanRows(scan, indices, at: copy))
    }
  }

  /// Narrows the rows by what raw memory says of a column. `kernel` gives nil for clusters that must be seen: about
  /// those the condition is asked.
  @inline(__always)
  func narrow(
    _ column: Int, _ filter: Filter, _ context: ExecutionContext,
    by kernel: (UnsafePointer<RawColumn>, Mask) -> Mask?
  ) throws {
    guard let table = scan.column(column) else {
      for row in indices where !self[row].isEmpty {
        self[row] = try filter.mask(try view(row), self[row], context)
      }
      return
    }
    // Nothing in the loop counts references: threads that count those of one thing wait for each other.
    try withExtendedLifetime(table) {
      let columns = table.rows
      let count = table.count
      for row in indices {
        let candidates = self[row]
        // Memory of rows that come soon is asked for, unless nothing will be read there.
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
}
