internal import CKernels
internal import Schema
internal import Storage
internal import Values

/// A filter for a column of Doubles, Floats or dates in an interval.
final class DoubleIntervalFilter: ColumnFilter {
  let column: Int
  let lower: Double
  let upper: Double
  private let isFloat: Bool
  private let lowerFloat: Float
  private let upperFloat: Float

  init(column: Int, _ type: ScalarType, lower: Double, upper: Double) {
    self.column = column
    self.lower = lower
    self.upper = upper
    isFloat = type == .float
    lowerFloat = Self.float(lower, .up)
    upperFloat = Self.float(upper, .down)
  }

  /// The Float nearest to a Double on one side of it.
  private static func float(_ number: Double, _ side: FloatingPointRoundingRule) -> Float {
    let near = Float(number)
    if side == .up { return Double(near) < number ? near.nextUp : near }
    return Double(near) > number ? near.nextDown : near
  }

  var isLocal: Bool { true }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    var decimals: DecimalBounds?
    if let fixed = cluster.fixed(column), let mask = mask(fixed, candidates, &decimals) { return mask }
    if let range = cluster.range(column), let low = Self.number(range.minimum), let high = Self.number(range.maximum) {
      if low > upper || high < lower { return .none }
      if low >= lower, high <= upper, range.nullCount == 0, !range.hasNaN { return candidates }
    }
    let view = try cluster.column(column)
    // The view has now validated the column, so raw memory can be read.
    if let fixed = cluster.fixed(column), let mask = mask(fixed, candidates, &decimals) { return mask }
    let left = candidates.andNot(view.nulls)
    if case .same(let value) = view.values {
      guard let number = Self.number(value), number >= lower, number <= upper else { return .none }
      return left
    }
    var found = Mask.none
    try left.forEach { slot in
      if let number = Self.number(try view.value(at: slot)), number >= lower, number <= upper { found[slot] = true }
    }
    return found
  }

  func prepare(_ scan: TableFilterScan) throws { try scan.prepare(column) }

  func narrow(_ rows: ScanRows, _ context: ExecutionContext) throws {
    // Clusters of one column mostly have the same number of decimal places.
    var decimals: DecimalBounds?
    try rows.narrow(column, self, context) { mask($0.pointee, $1, &decimals) }
  }

  /// The result from raw memory; nil if the column must be decoded. `decimals` are the bounds of an earlier cluster, which
  /// serve again if it has as many decimal places.
  @inline(__always)
  private func mask(_ fixed: RawColumn, _ candidates: Mask, _ decimals: inout DecimalBounds?) -> Mask? {
    if fixed.hasRange {
      let low = isFloat ? Self.float(fixed.minimum) : Double(bitPattern: fixed.minimum)
      let high = isFloat ? Self.float(fixed.maximum) : Double(bitPattern: fixed.maximum)
      if low > upper || high < lower { return Mask.none }
      if low >= lower, high <= upper, !fixed.hasNaN, fixed.layout != .unchecked {
        return candidates.andNot(fixed.nulls)
      }
    }
    guard let numbers = fixed.numbers else { return nil }
    let count = Int(fixed.slotCount)
    let found: Mask
    if let stored = numbers.storedDoubles {
      found = Mask.filled { os_between_f64(stored, count, lower, upper, $0) }
    } else if let stored = numbers.storedFloats {
      found = Mask.filled { os_between_f32(stored, count, lowerFloat, upperFloat, $0) }
    } else {
      let bounds: DecimalBounds
      if let decimals, decimals.exponent == fixed.exponent {
        bounds = decimals
      } else {
        bounds = DecimalBounds(lower, upper, exponent: fixed.exponent, isFloat: isFloat)
        decimals = bounds
      }
      found = numbers.between(count, bounds.lower, bounds.upper)
    }
    return found & candidates.andNot(fixed.nulls)
  }

  @inline(__always)
  private static func float(_ bits: UInt64) -> Double { Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) }

  @inline(__always)
  private static func number(_ value: Value) -> Double? {
    switch value {
    case .double(let number): number
    case .float(let number): Double(number)
    case .date(let instant): instant.seconds
    default: nil
    }
  }
}
