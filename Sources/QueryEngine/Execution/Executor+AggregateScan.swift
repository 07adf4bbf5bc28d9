internal import CPlatform
internal import Schema
internal import Storage
internal import Values

extension Executor {
  /// Reduces a column of numbers of all objects by the table of clusters: extremes by what directories say, sums by raw
  /// memory. nil when there is no table, or when it does not say everything.
  func aggregateAll(_ aggregate: Aggregate, _ column: Int, _ root: PlanNode) throws -> Value? {
    let type = entity.columns[column].scalarType
    guard case .scan = root.kind, meter == nil, entity.columns[column].collectionKind == nil else { return nil }
    switch aggregate {
    case .minimum, .maximum:
      guard type.isNumeric || type == .date, let scan = try table.get(), let rows = try scan.column(column)
      else { return nil }
      var edges = RangeEdges(aggregate, type)
      for row in 0..<scan.count {
        try patience.step()
        if !edges.offer(rows.rows[row]) { return nil }
      }
      return edges.value
    case .sum, .average:
      guard type.isInteger || type == .double, let scan = try table.get(), let rows = try scan.column(column)
      else { return nil }
      var totals = ColumnTotals(type)
      for row in 0..<scan.count {
        try checkCancelled()
        rows.prefetch(row &+ 4)
        if !totals.add(rows.rows[row], scan.present(row)) { return nil }
      }
      return totals.value(aggregate)
    }
  }
}

/// The sum and number of what stands in a column of whole numbers or Doubles, by raw memory.
struct ColumnTotals {
  private let type: ScalarType
  private var whole: Int128 = 0
  private var scaled = ScaledTotals()
  private var real = 0.0
  private var count = 0

  init(_ type: ScalarType) { self.type = type }

  /// Adds the objects of a cluster; false when raw memory does not say enough. NaN is skipped.
  mutating func add(_ column: FixedColumn, _ present: Mask) -> Bool {
    let left = present.andNot(column.nulls)
    if let offsets = column.offsets {
      if type.isInteger {
        whole += offsets.total(left, Int(column.slotCount))
      } else {
        scaled.add(offsets, left, Int(column.slotCount))
      }
      count += left.count
      return true
    }
    if column.layout == .same {
      if type.isInteger {
        whole += Int128(Int64(bitPattern: column.minimum)) * Int128(left.count)
      } else {
        real += Double(bitPattern: column.minimum) * Double(left.count)
      }
      count += left.count
      return true
    }
    guard column.layout == .float64 else { return false }
    let numbers = column.values.assumingMemoryBound(to: Double.self)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { words in
      guard let mask = words.baseAddress else { return }
      for word in 0..<4 { mask[word] = left.word(word) }
      var added = 0
      real += os_sum_f64(numbers, Int(column.slotCount), mask, &added)
      count += added
    }
    return true
  }

  func value(_ aggregate: Aggregate) -> Value {
    let sum = type.isInteger ? Double(whole) : real + scaled.total
    if aggregate == .average { return count == 0 ? .null : .double(sum / Double(count)) }
    return type.isInteger ? Int64(exactly: whole).map(Value.int) ?? .null : .double(sum)
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
