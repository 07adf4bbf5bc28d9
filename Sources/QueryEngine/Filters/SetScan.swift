internal import Storage

/// Asks a condition about the objects of a set, cluster by cluster, by the rows of a table of clusters: what an index
/// found lies in few of them, which need not be looked for in the tree.
struct SetScan {
  private let filter: Filter
  private let scan: TableFilterScan
  private let context: ExecutionContext

  /// Neighbouring rows asked at a time: conditions ask rows of a range, of which most may have no candidates.
  private static let window = 32

  /// A scan of so many clusters at most.
  init(_ filter: Filter, _ scan: TableScan, clusters: Int, _ context: ExecutionContext) throws {
    self.filter = filter
    self.scan = try TableFilterScan(scan, for: filter, rowCount: clusters)
    self.context = context
  }

  /// Calls `body` with the row of every cluster of the set and the objects there that the condition holds for, which may
  /// be none, ascending, until it returns false.
  func forEach(_ set: ObjectSet, _ cancellation: CancellationCheck, _ body: (Int, Mask) throws -> Bool) throws {
    let table = scan.scan
    try withUnsafeTemporaryAllocation(of: Mask.self, capacity: Self.window) { memory in
      // Room for at least one mask has an address.
      let masks = memory.baseAddress.unsafelyUnwrapped
      masks.initialize(repeating: .none, count: Self.window)
      var place = 0
      var row = 0
      while place < set.clusters.count {
        try cancellation.check()
        guard let first = table.row(of: set.clusters[place], from: row) else {
          place += 1
          continue
        }
        let rows = first..<min(table.count, first + Self.window)
        masks.update(repeating: .none, count: rows.count)
        row = first
        var asked: UInt64 = 0
        while place < set.clusters.count, row < rows.upperBound {
          // A cluster that is not there has no objects.
          if let found = table.row(of: set.clusters[place], from: row) {
            guard found < rows.upperBound else { break }
            masks[found - first] = set.masks[place] & table.present(found)
            asked |= 1 << UInt64(found - first)
            row = found
          }
          place += 1
        }
        try filter.narrow(ScanRows(scan, first..<row + 1, at: masks), context)
        while asked != 0 {
          let row = asked.trailingZeroBitCount
          if try !body(first + row, masks[row]) { return }
          asked &= asked - 1
        }
      }
    }
  }
}
