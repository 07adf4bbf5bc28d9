internal import Storage

/// A condition bound to one scan of a table: asked about clusters by their row, it opens them only when it must.
///
/// It serves one thread.
class ScanCondition {
  /// The candidates of a row for which it holds.
  func mask(_ row: Int, _ candidates: Mask, _ scratch: Scratch) throws -> Mask { candidates }
}

/// A condition that must see the cluster.
final class ViewScanCondition: ScanCondition {
  private let condition: Condition
  private let scan: TableScan

  init(_ condition: Condition, _ scan: TableScan) {
    self.condition = condition
    self.scan = scan
  }

  override func mask(_ row: Int, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    try condition.mask(try scan.view(row), candidates, scratch)
  }
}

/// A condition on one column that raw memory answers, but for some clusters.
final class FixedScanCondition: ScanCondition {
  private let condition: Condition
  private let scan: TableScan
  private let table: ColumnTable
  private let kernel: (UnsafePointer<FixedColumn>, Mask) -> Mask?

  /// `kernel` gives nil for clusters that must be seen.
  init(
    _ condition: Condition, _ scan: TableScan, _ table: ColumnTable,
    _ kernel: @escaping (UnsafePointer<FixedColumn>, Mask) -> Mask?
  ) {
    self.condition = condition
    self.scan = scan
    self.table = table
    self.kernel = kernel
  }

  override func mask(_ row: Int, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    table.prefetch(row &+ 4)
    if let found = kernel(table.rows + row, candidates) { return found }
    return try condition.mask(try scan.view(row), candidates, scratch)
  }
}

/// All of several conditions, in the order given.
final class AllScanCondition: ScanCondition {
  private let parts: [ScanCondition]

  init(_ parts: [ScanCondition]) { self.parts = parts }

  override func mask(_ row: Int, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      left = try part.mask(row, left, scratch)
    }
    return left
  }
}

/// Some of several conditions.
final class AnyScanCondition: ScanCondition {
  private let parts: [ScanCondition]

  init(_ parts: [ScanCondition]) { self.parts = parts }

  override func mask(_ row: Int, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    var found = Mask.none
    var left = candidates
    for part in parts {
      if left.isEmpty { break }
      let more = try part.mask(row, left, scratch)
      found |= more
      left = left.andNot(more)
    }
    return found
  }
}

/// The opposite of a condition, among the candidates.
final class NotScanCondition: ScanCondition {
  private let inner: ScanCondition

  init(_ inner: ScanCondition) { self.inner = inner }

  override func mask(_ row: Int, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    candidates.andNot(try inner.mask(row, candidates, scratch))
  }
}
