internal import Storage
internal import Values

/// A filter for a column of Decimals in an interval, or equal to one of several. Where they are stored as integers these
/// are compared; the others are left to a filter on their bytes.
final class DecimalFilter: ColumnFilter {
  /// The integers that pass.
  private enum Integers {
    case between(Int64, Int64)
    /// In ascending order.
    case oneOf([Int64])
  }

  let column: Int
  /// For each number of decimal places that a cluster may have.
  private let passing: [Integers]
  private let ofBytes: StringFilter

  init(column: Int, _ interval: ValueInterval) {
    self.column = column
    passing = NumberBlock.exactExponents.map { places in
      ClosedRanges.integers(interval, places: places).map { .between($0.lower, $0.upper) } ?? .oneOf([])
    }
    ofBytes = StringFilter(column: column, question: StringFilter.question(interval, isOfDecimals: true))
  }

  init(column: Int, oneOf values: [Value]) {
    self.column = column
    let numbers = values.compactMap(\.exact)
    passing = NumberBlock.exactExponents.map { places in
      .oneOf(numbers.compactMap { $0.integer(places: places) }.sorted())
    }
    ofBytes = StringFilter(column: column, question: .oneOf(TextSet(values.map(StringFilter.bytes))))
  }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let view = try cluster.column(column)
    guard case .numbers(let numbers) = view.values else { return try ofBytes.mask(cluster, candidates, context) }
    return mask(numbers, view.slotCount, candidates.andNot(view.nulls))
  }

  func prepare(_ scan: TableFilterScan) throws { try scan.prepare(column) }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    try rows.narrow(column, self, context) { column, candidates in
      let left = candidates.andNot(column.pointee.nulls)
      if let numbers = column.pointee.numbers { return mask(numbers, Int(column.pointee.slotCount), left) }
      return column.pointee.layout == .texts ? ofBytes.inBlock(column.pointee.texts, left) : nil
    }
  }

  /// The number of places was checked when the column was read.
  @inline(__always)
  private func mask(_ numbers: NumberBlock, _ count: Int, _ candidates: Mask) -> Mask {
    switch passing[numbers.exponent] {
    case .between(let lower, let upper): numbers.between(count, lower, upper) & candidates
    case .oneOf(let members): numbers.among(members, count, candidates)
    }
  }
}
