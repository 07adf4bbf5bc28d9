internal import CPlatform
internal import Storage
internal import Values

/// Kernels for the encodings of integers.
enum IntegerKernels {
  /// The slots whose number lies between two inclusive bounds; undefined for nil.
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

  /// The slots from raw memory, for integers or for the integers that decimals are stored as; nil for other layouts.
  @inline(__always)
  static func between(_ fixed: RawColumn, _ lower: Int64, _ upper: Int64) -> Mask? {
    let count = Int(fixed.slotCount)
    switch fixed.layout {
    case .offsets8, .scaled(.bits8):
      return between(.int8(base: fixed.base, fixed.values.assumingMemoryBound(to: UInt8.self)), count, lower, upper)
    case .offsets16, .scaled(.bits16):
      return between(.int16(base: fixed.base, fixed.values.assumingMemoryBound(to: UInt16.self)), count, lower, upper)
    case .offsets32, .scaled(.bits32):
      return between(.int32(base: fixed.base, fixed.values.assumingMemoryBound(to: UInt32.self)), count, lower, upper)
    case .scaled(.bits40):
      guard let (low, high) = window(fixed.base, lower, upper, 1 << 40 - 1) else { return Mask.none }
      guard let parts = fixed.offsets else { return nil }
      return Mask.filled {
        os_between_u40(parts.offsets.assumingMemoryBound(to: UInt32.self), parts.low, count, low, high, $0)
      }
    case .int64: return between(.int64(fixed.values.assumingMemoryBound(to: Int64.self)), count, lower, upper)
    case .float32, .float64, .same, .codes, .texts, .unchecked, .other: return nil
    }
  }

  /// The offsets from `base` of numbers within the bounds; nil if there are none. No number of the column is below
  /// `base`, and no offset overflows.
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
  /// A mask whose four words are written by a kernel.
  @inline(__always)
  static func filled(_ body: (UnsafeMutablePointer<UInt64>) -> Void) -> Mask {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { words in
      guard let base = words.baseAddress else { return .none }
      body(base)
      return Mask(base[0], base[1], base[2], base[3])
    }
  }
}
