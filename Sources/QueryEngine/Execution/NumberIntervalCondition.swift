internal import CPlatform
internal import Storage
internal import Values

/// A column of whole numbers in an interval.
final class IntegerIntervalCondition: Condition, @unchecked Sendable {
  let column: Int
  let lower: Int64
  let upper: Int64

  init(column: Int, lower: Int64, upper: Int64) {
    self.column = column
    self.lower = lower
    self.upper = upper
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    if let fixed = cluster.fixed(column) { return mask(fixed, candidates) }
    if let range = cluster.range(column), case .int(let low) = range.minimum, case .int(let high) = range.maximum {
      if low > upper || high < lower { return .none }
      if low >= lower, high <= upper, range.nullCount == 0 { return candidates }
    }
    let view = try cluster.column(column)
    return IntegerKernels.between(view.values, view.slotCount, lower, upper) & candidates.andNot(view.nulls)
  }

  private func mask(_ fixed: FixedColumn, _ candidates: Mask) -> Mask {
    let low = Int64(bitPattern: fixed.minimum)
    if fixed.hasRange {
      let high = Int64(bitPattern: fixed.maximum)
      if low > upper || high < lower { return .none }
      if low >= lower, high <= upper { return candidates.andNot(fixed.nulls) }
    }
    let found =
      switch fixed.layout {
      case .offsets8:
        IntegerKernels.between(
          .int8(base: low, fixed.values.assumingMemoryBound(to: UInt8.self)), fixed.slotCount, lower, upper)
      case .offsets16:
        IntegerKernels.between(
          .int16(base: low, fixed.values.assumingMemoryBound(to: UInt16.self)), fixed.slotCount, lower, upper)
      case .offsets32:
        IntegerKernels.between(
          .int32(base: low, fixed.values.assumingMemoryBound(to: UInt32.self)), fixed.slotCount, lower, upper)
      case .int64:
        IntegerKernels.between(
          .int64(fixed.values.assumingMemoryBound(to: Int64.self)), fixed.slotCount, lower, upper)
      case .float32, .float64: Mask.none
      }
    return found & candidates.andNot(fixed.nulls)
  }
}

/// A column of Doubles, Floats or dates in an interval.
final class DoubleIntervalCondition: Condition, @unchecked Sendable {
  let column: Int
  let lower: Double
  let upper: Double
  private let lowerFloat: Float
  private let upperFloat: Float

  init(column: Int, lower: Double, upper: Double) {
    self.column = column
    self.lower = lower
    self.upper = upper
    lowerFloat = Self.float(lower, .up)
    upperFloat = Self.float(upper, .down)
  }

  /// The Float nearest to a Double on one side of it.
  private static func float(_ number: Double, _ side: FloatingPointRoundingRule) -> Float {
    let near = Float(number)
    if side == .up { return Double(near) < number ? near.nextUp : near }
    return Double(near) > number ? near.nextDown : near
  }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    if let fixed = cluster.fixed(column) { return mask(fixed, candidates) }
    if let range = cluster.range(column), let low = Self.number(range.minimum), let high = Self.number(range.maximum) {
      if low > upper || high < lower { return .none }
      if low >= lower, high <= upper, range.nullCount == 0, !range.hasNaN { return candidates }
    }
    let view = try cluster.column(column)
    let left = candidates.andNot(view.nulls)
    switch view.values {
    case .float64(let values):
      return Mask.filled { os_between_f64(values, view.slotCount, lower, upper, $0) } & left
    case .float32(let values):
      return Mask.filled { os_between_f32(values, view.slotCount, lowerFloat, upperFloat, $0) } & left
    case .same(let value):
      guard let number = Self.number(value), number >= lower, number <= upper else { return .none }
      return left
    default:
      var found = Mask.none
      try left.forEach { slot in
        if let number = Self.number(try view.value(at: slot)), number >= lower, number <= upper { found[slot] = true }
      }
      return found
    }
  }

  private func mask(_ fixed: FixedColumn, _ candidates: Mask) -> Mask {
    if fixed.hasRange {
      let isFloat = fixed.layout == .float32
      let low = isFloat ? Self.float(fixed.minimum) : Double(bitPattern: fixed.minimum)
      let high = isFloat ? Self.float(fixed.maximum) : Double(bitPattern: fixed.maximum)
      if low > upper || high < lower { return .none }
      if low >= lower, high <= upper, !fixed.hasNaN { return candidates.andNot(fixed.nulls) }
    }
    let left = candidates.andNot(fixed.nulls)
    switch fixed.layout {
    case .float64:
      let values = fixed.values.assumingMemoryBound(to: Double.self)
      return Mask.filled { os_between_f64(values, fixed.slotCount, lower, upper, $0) } & left
    case .float32:
      let values = fixed.values.assumingMemoryBound(to: Float.self)
      return Mask.filled { os_between_f32(values, fixed.slotCount, lowerFloat, upperFloat, $0) } & left
    case .offsets8, .offsets16, .offsets32, .int64: return .none
    }
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

/// Kernels over the encodings of whole numbers.
enum IntegerKernels {
  /// The slots whose number lies within two bounds, both included. Slots of nil mean nothing.
  @inline(__always)
  static func between(_ values: ColumnValues, _ count: Int, _ lower: Int64, _ upper: Int64) -> Mask {
    switch values {
    case .same(.int(let value)): return lower <= value && value <= upper ? .all : .none
    case .int64(let values): return Mask.filled { os_between_i64(values, count, lower, upper, $0) }
    case .int8(let base, let offsets):
      guard let (low, high) = window(base, lower, upper, UInt64(UInt8.max)) else { return .none }
      return Mask.filled {
        os_between_u8(offsets, count, UInt8(truncatingIfNeeded: low), UInt8(truncatingIfNeeded: high), $0)
      }
    case .int16(let base, let offsets):
      guard let (low, high) = window(base, lower, upper, UInt64(UInt16.max)) else { return .none }
      return Mask.filled {
        os_between_u16(offsets, count, UInt16(truncatingIfNeeded: low), UInt16(truncatingIfNeeded: high), $0)
      }
    case .int32(let base, let offsets):
      guard let (low, high) = window(base, lower, upper, UInt64(UInt32.max)) else { return .none }
      return Mask.filled {
        os_between_u32(offsets, count, UInt32(truncatingIfNeeded: low), UInt32(truncatingIfNeeded: high), $0)
      }
    default: return .none
    }
  }

  /// The offsets from `base` that make numbers within the bounds, if any does. Every number of the column is `base` or
  /// above, and none is so far above that the sum overflows.
  @inline(__always)
  private static func window(
    _ base: Int64, _ lower: Int64, _ upper: Int64, _ greatest: UInt64
  ) -> (UInt64, UInt64)? {
    guard upper >= base else { return nil }
    let low = lower <= base ? 0 : UInt64(bitPattern: lower &- base)
    guard low <= greatest else { return nil }
    return (low, min(greatest, UInt64(bitPattern: upper &- base)))
  }
}

extension Mask {
  /// A mask whose four words a kernel writes.
  @inline(__always)
  static func filled(_ body: (UnsafeMutablePointer<UInt64>) -> Void) -> Mask {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { words in
      guard let base = words.baseAddress else { return .none }
      body(base)
      return Mask(base[0], base[1], base[2], base[3])
    }
  }
}
