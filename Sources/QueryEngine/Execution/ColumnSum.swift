internal import Storage

/// An aggregate of a column over the objects of a scan, on several threads.
final class ColumnSum<Total: Accumulator>: RowReduction {
  private let column: ColumnTable
  private let threads: Int
  /// One accumulator for each thread, each in its own cache line.
  private let totals: UnsafeMutablePointer<Total>
  private static var stride: Int { 1 + 127 / MemoryLayout<Total>.stride }

  init(_ column: ColumnTable, _ empty: Total, threads: Int) {
    self.column = column
    self.threads = threads
    totals = .allocate(capacity: threads * Self.stride)
    totals.initialize(repeating: empty, count: threads * Self.stride)
  }

  deinit {
    totals.deinitialize(count: threads * Self.stride)
    totals.deallocate()
  }

  func take(_ row: Int, _ mask: Mask, _ thread: Int) -> Bool {
    let fixed = column.rows + row
    if row &+ 4 < column.count { RawColumn.prefetch(fixed + 4) }
    return mask.isEmpty || totals[thread * Self.stride].add(fixed.pointee, mask)
  }

  /// Adds the sums of all threads.
  func merge(into total: inout Total) {
    for thread in 0..<threads { total.merge(totals[thread * Self.stride]) }
  }
}
