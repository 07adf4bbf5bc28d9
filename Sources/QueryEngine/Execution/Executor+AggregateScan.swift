internal import Schema
internal import Storage
internal import Values

extension Executor {
  /// Goes through a column of all objects by the table of clusters; false when there is none. Clusters of which raw
  /// memory says too little, for which `kernel` gives false, go to `body`.
  func scanAll(
    _ root: PlanNode, _ column: Int, readingValues: Bool, _ kernel: (FixedColumn, Mask) -> Bool,
    _ body: (ClusterView, Mask) throws -> Void
  ) throws -> Bool {
    guard case .scan = root.kind, meter == nil, let scan = try snapshot.tableScan(entity),
      let table = try scan.column(column)
    else { return false }
    for row in 0..<scan.count {
      try checkCancelled()
      if readingValues { table.prefetch(row &+ 4) }
      if !kernel(table.rows[row], scan.present(row)) { try body(try scan.view(row), scan.present(row)) }
    }
    return true
  }
}

/// The least or greatest number of a column, by what directories say of clusters.
struct RangeEdges {
  private let isMinimum: Bool
  private let type: ScalarType
  private var whole: Int64?
  private var real: Double?

  init(_ aggregate: Aggregate, _ type: ScalarType) {
    isMinimum = aggregate == .minimum
    self.type = type
  }

  /// Looks at a cluster of which all objects count; false when its directory does not say enough.
  @inline(__always) mutating func offer(_ column: FixedColumn) -> Bool {
    guard column.hasRange else { return false }
    let bits = isMinimum ? column.minimum : column.maximum
    if type.isInteger {
      let number = Int64(bitPattern: bits)
      whole = whole.map { isMinimum ? min($0, number) : max($0, number) } ?? number
    } else {
      let number =
        type == .float ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
      real = real.map { isMinimum ? min($0, number) : max($0, number) } ?? number
    }
    return true
  }

  /// The number as the column has it; nil when there is none.
  var value: Value {
    if let whole { return .int(whole) }
    guard let real else { return .null }
    switch type {
    case .float: return .float(Float(real))
    case .date: return .date(Instant(seconds: real))
    default: return .double(real)
    }
  }
}
