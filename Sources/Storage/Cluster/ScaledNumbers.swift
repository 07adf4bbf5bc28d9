import CPlatform

/// Decimals of a column in one cluster, stored as integers: entry `i` is `(base + offset i) / 10^exponent`, rounded to
/// the nearest Double (or Float), which equals the written value bit for bit.
///
/// It does not know which slots have objects or are nil.
@usableFromInline package struct ScaledNumbers {
  /// The layout of the offsets in memory.
  @usableFromInline package enum Width {
    case bits8, bits16, bits32
    /// The upper 32 bits of all offsets, then, aligned to eight bytes, the lowest eight bits of all.
    case bits40

    /// Whether Floats may be so: they have no more digits.
    @inlinable package var holdsFloats: Bool { self == .bits8 || self == .bits16 }

    /// The number of cache lines that the offsets of a cluster fill, without the lowest eight bits of `bits40`.
    @inlinable @inline(__always) package var cacheLines: Int {
      switch self {
      case .bits8: 4
      case .bits16: 8
      case .bits32, .bits40: 16
      }
    }
  }

  @usableFromInline package let width: Width
  /// The integer at offset 0.
  @usableFromInline package let base: Int64
  /// The number of decimal places.
  @usableFromInline package let exponent: Int
  /// `10^exponent`.
  @usableFromInline package let divisor: Double
  /// Whether the numbers are Floats.
  @usableFromInline package let isFloat: Bool
  /// The offsets.
  @usableFromInline package let offsets: UnsafeRawPointer
  /// The lowest eight bits of offsets of 40 bits.
  @usableFromInline package let low: UnsafePointer<UInt8>

  /// The supported numbers of decimal places.
  package static let exponents = 0...7

  /// The magnitude of stored integers is below this limit, so that their Doubles are exact and all quotients differ.
  package static let limit = Int64(OS_SCALED_LIMIT)
  /// The limit for Floats.
  package static let floatLimit = Int64(OS_SCALED_FLOAT_LIMIT)

  @inlinable @inline(__always)
  init(width: Width, base: Int64, exponent: Int, isFloat: Bool, offsets: UnsafeRawPointer, slotCount: Int) {
    self.width = width
    self.base = base
    self.exponent = exponent
    self.isFloat = isFloat
    self.offsets = offsets
    divisor = Self.powerOfTen(exponent)
    low = (offsets + ClusterFormat.aligned(4 &* slotCount)).assumingMemoryBound(to: UInt8.self)
  }

  /// `10^exponent`, for an exponent in `exponents`.
  @inlinable @inline(__always) package static func powerOfTen(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    default: 10_000_000
    }
  }

  /// The value of an integer; a Float is converted to a Double.
  @inlinable @inline(__always) package static func number(_ whole: Int64, _ divisor: Double, isFloat: Bool) -> Double {
    let quotient = Double(whole) / divisor
    return isFloat ? Double(Float(quotient)) : quotient
  }

  /// The offset of an entry.
  @inlinable @inline(__always) package func offset(_ index: Int) -> UInt64 {
    switch width {
    case .bits8: UInt64(offsets.load(fromByteOffset: index, as: UInt8.self))
    case .bits16: UInt64(offsets.load(fromByteOffset: index &* 2, as: UInt16.self))
    case .bits32: UInt64(offsets.load(fromByteOffset: index &* 4, as: UInt32.self))
    case .bits40: UInt64(offsets.load(fromByteOffset: index &* 4, as: UInt32.self)) &<< 8 | UInt64(low[index])
    }
  }

  /// The value of an entry; a Float is converted to a Double.
  @inlinable @inline(__always) package subscript(index: Int) -> Double {
    Self.number(base &+ Int64(truncatingIfNeeded: offset(index)), divisor, isFloat: isFloat)
  }

  /// Copies the values of the first `count` entries; Floats are converted to Doubles.
  package func copy(_ count: Int, to numbers: UnsafeMutablePointer<Double>) {
    switch width {
    case .bits8: os_unscale_u8(offsets.assumingMemoryBound(to: UInt8.self), count, base, divisor, numbers)
    case .bits16: os_unscale_u16(offsets.assumingMemoryBound(to: UInt16.self), count, base, divisor, numbers)
    case .bits32: os_unscale_u32(offsets.assumingMemoryBound(to: UInt32.self), count, base, divisor, numbers)
    case .bits40:
      for index in 0..<count { numbers[index] = self[index] }
      return
    }
    if isFloat { for index in 0..<count { numbers[index] = Double(Float(numbers[index])) } }
  }

  /// Copies the integers of the first `count` entries.
  package func copyWholes(_ count: Int, to wholes: UnsafeMutablePointer<Int64>) {
    switch width {
    case .bits8: copy(offsets.assumingMemoryBound(to: UInt8.self), count, to: wholes)
    case .bits16: copy(offsets.assumingMemoryBound(to: UInt16.self), count, to: wholes)
    case .bits32: copy(offsets.assumingMemoryBound(to: UInt32.self), count, to: wholes)
    case .bits40: for index in 0..<count { wholes[index] = base &+ Int64(truncatingIfNeeded: offset(index)) }
    }
  }

  @inline(__always)
  private func copy<Offset: FixedWidthInteger>(
    _ offsets: UnsafePointer<Offset>, _ count: Int, to wholes: UnsafeMutablePointer<Int64>
  ) {
    for index in 0..<count { wholes[index] = base &+ Int64(truncatingIfNeeded: offsets[index]) }
  }

  /// The sum of the offsets of some slots.
  package func sum(_ slots: Mask, slotCount: Int) -> UInt64 {
    slots.withWords { mask in
      switch width {
      case .bits8: return os_sum_u8(offsets.assumingMemoryBound(to: UInt8.self), slotCount, mask)
      case .bits16: return os_sum_u16(offsets.assumingMemoryBound(to: UInt16.self), slotCount, mask)
      case .bits32: return os_sum_u32(offsets.assumingMemoryBound(to: UInt32.self), slotCount, mask)
      case .bits40:
        var sum: UInt64 = 0
        slots.forEach { sum &+= offset($0) }
        return sum
      }
    }
  }
}

extension ScaledNumbers.Width {
  /// The width of an encoding; nil for others.
  @inline(__always) init?(_ encoding: ChunkEncoding) {
    guard case .scaled(let width) = encoding.form else { return nil }
    self = width
  }

  /// The number of bytes of the offsets for some slots.
  func size(_ slotCount: Int) -> Int {
    switch self {
    case .bits8: slotCount
    case .bits16: 2 * slotCount
    case .bits32: 4 * slotCount
    case .bits40: ClusterFormat.aligned(4 * slotCount) + slotCount
    }
  }
}
