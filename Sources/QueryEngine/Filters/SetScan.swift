internal import Storage

/// Filters the objects of a set, cluster by cluster, in the rows of a table of clusters. The objects of an index lie in
/// few clusters, which the table finds without the tree.
struct SetScan {
  private let filter: any Filter
  private let scan: TableFilterScan
  private let context: ExecutionContext
  /// Throws if the first objects are not among the second ones, those of a cluster.
  private let expect: (Mask, Mask, _ cluster: UInt64) throws -> Void

  /// The number of adjacent rows filtered at a time. Filters take a range of rows, most of which may have no
  /// candidates.
  private static let window = 32

  /// A scan of at most `clusters` clusters.
  init(
    _ filter: any Filter, _ scan: TableScan, clusters: Int, _ context: ExecutionContext,
    expect: @escaping (Mask, Mask, _ cluster: UInt64) throws -> Void
  ) throws {
    self.filter = filter
    self.expect = expect
    self.scan = try TableFilterScan(scan, for: filter, rowCount: clusters)
    self.context = context
  }

  /// Calls `body` with the row of every cluster in the set and its objects that satisfy the filter, possibly none, in
  /// ascending order, until it returns false.
  func forEach(_ set: ObjectSet, _ cancellation: CancellationCheck, _ body: (Int, Mask) throws -> Bool) throws {
    let table = scan.scan
    try withUnsafeTemporaryAllocation(of: Mask.self, capacity: Self.window) { memory in
      // The buffer has room for at least one mask, so it has an address.
      let masks = memory.baseAddress.unsafelyUnwrapped
      masks.initialize(repeating: .none, count: Self.window)
      var place = 0
      var row = 0
      while place < set.clusters.count {
        try cancellation.check()
        guard let first = table.row(of: set.clusters[place], from: row) else {
          try expect(set.masks[place], .none, set.clusters[place])
          place += 1
          continue
        }
        let rows = first..<min(table.count, first + Self.window)
        masks.update(repeating: .none, count: rows.count)
        row = first
        var asked: UInt64 = 0
        while place < set.clusters.count, row < rows.upperBound {
          let found = table.row(of: set.clusters[place], from: row)
          if let found {
            guard found < rows.upperBound else { break }
            masks[found - first] = set.masks[place]
            asked |= 1 << UInt64(found - first)
            row = found
          }
          try expect(set.masks[place], found.map { table.present($0) } ?? .none, set.clusters[place])
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
