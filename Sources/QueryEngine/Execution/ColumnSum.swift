internal import Schema
internal import Storage

/// The sum of a column over the objects of a scan, on several threads.
final class ColumnSum: RowReduction {
  private let column: ColumnTable
  private let type: ScalarType
  private let threads: Int
  /// One accumulator for each thread, each in its own cache line.
  private let totals: UnsafeMutablePointer<NumberAccumulator>
  private static let stride = 2

  init(_ column: ColumnTable, _ type: ScalarType, threads: Int) {
    self.column = column
    self.type = type
    self.threads = threads
    totals = .allocate(capacity: threads * Self.stride)
    totals.initialize(repeating: NumberAccumulator(), count: threads * Self.stride)
  }

  deinit { totals.deallocate() }

  func take(_ row: Int, _ mask: Mask, _ thread: Int) -> Bool {
    let fixed = column.rows + row
    if row &+ 4 < column.count { RawColumn.prefetch(fixed + 4) }
    return mask.isEmpty || totals[thread * Self.stride].add(fixed.pointee, type, mask)
  }

  /// Adds the sums of all threads.
  func merge(into total: inout NumberAccumulator) {
    for thread in 0..<threads { total.merge(.sum, totals[thread * Self.stride]) }
  }
}
