internal import Storage
internal import Values

/// A filter for an integer column in an interval.
final class IntegerIntervalFilter: ColumnFilter {
  let column: Int
  let lower: Int64
  let upper: Int64

  init(column: Int, lower: Int64, upper: Int64) {
    self.column = column
    self.lower = lower
    self.upper = upper
  }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    if let fixed = cluster.fixed(column), let mask = mask(fixed, candidates) { return mask }
    if let range = cluster.range(column), case .int(let low) = range.minimum, case .int(let high) = range.maximum {
      if low > upper || high < lower { return .none }
      if low >= lower, high <= upper, range.nullCount == 0 { return candidates }
    }
    let view = try cluster.column(column)
    let left = candidates.andNot(view.nulls)
    switch view.values {
    case .same(.int(let value)): return lower <= value && value <= upper ? left : .none
    case .numbers(let numbers): return numbers.between(view.slotCount, lower, upper) & left
    case .same, .bits, .uuid, .dictionary, .text, .collection: return .none
    }
  }

  func prepare(_ scan: TableFilterScan) throws { try scan.prepare(column) }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    try rows.narrow(column, self, context) { mask($0.pointee, $1) }
  }

  /// The result from raw memory; nil if the column must be decoded.
  @inline(__always)
  private func mask(_ fixed: RawColumn, _ candidates: Mask) -> Mask? {
    if fixed.hasRange {
      let low = Int64(bitPattern: fixed.minimum)
      let high = Int64(bitPattern: fixed.maximum)
      if low > upper || high < lower { return Mask.none }
      if low >= lower, high <= upper, fixed.layout != .unchecked { return candidates.andNot(fixed.nulls) }
    }
    return fixed.numbers.map { $0.between(Int(fixed.slotCount), lower, upper) & candidates.andNot(fixed.nulls) }
  }
}
