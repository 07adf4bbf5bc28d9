import CKernels
package import Schema
package import Values

/// Numbers of a column in one cluster, or of the elements of its collections, as they lie in a file: integers, Doubles,
/// Floats, or decimals stored as integers. Here each layout is decoded and summed; beside it are checking and writing,
/// and in QueryEngine comparing.
///
/// An integer is `base + entry`, a decimal `(base + entry) / 10^exponent`: of type Decimal that number, of others the
/// nearest Double (or Float), which equals the written value bit for bit. It does not know which entries are nil.
@usableFromInline package struct NumberBlock {
  /// The layout of the entries in memory.
  @usableFromInline package enum Layout: Hashable {
    /// Unsigned.
    case offsets8, offsets16, offsets32
    /// The upper 32 bits of all, then, aligned to eight bytes, the lowest eight bits of all.
    case offsets40
    /// Integers, of which the base is 0.
    case int64
    case float32, float64
  }

  /// What the numbers are.
  @usableFromInline package enum Kind: Hashable {
    case integers
    /// Doubles, and dates as seconds since 2001.
    case doubles
    case floats
    /// Of type Decimal.
    case decimals
  }

  @usableFromInline package let layout: Layout
  @usableFromInline package let kind: Kind
  /// The integer whose entry is 0.
  @usableFromInline package let base: Int64
  /// The number of decimal places of decimals; 0 for others.
  @usableFromInline package let exponent: Int
  /// `10^exponent`.
  @usableFromInline package let divisor: Double
  /// The entries.
  @usableFromInline package let entries: UnsafeRawPointer
  /// The lowest eight bits of entries of 40 bits.
  @usableFromInline package let low: UnsafePointer<UInt8>

  @inlinable @inline(__always)
  package init(_ layout: Layout, _ kind: Kind, base: Int64, exponent: Int = 0, _ entries: UnsafeRawPointer, count: Int)
  {
    self.layout = layout
    self.kind = kind
    self.base = base
    self.exponent = exponent
    self.entries = entries
    divisor = Self.powerOfTen(exponent)
    low = (entries + ClusterFormat.aligned(4 &* count)).assumingMemoryBound(to: UInt8.self)
  }

  // MARK: Single entries

  /// The bits of an entry.
  @inlinable @inline(__always) package func entry(_ index: Int) -> UInt64 {
    switch layout {
    case .offsets8: UInt64(entries.load(fromByteOffset: index, as: UInt8.self))
    case .offsets16: UInt64(entries.load(fromByteOffset: index &* 2, as: UInt16.self))
    case .offsets32, .float32: UInt64(entries.load(fromByteOffset: index &* 4, as: UInt32.self))
    case .offsets40: UInt64(entries.load(fromByteOffset: index &* 4, as: UInt32.self)) &<< 8 | UInt64(low[index])
    case .int64, .float64: entries.load(fromByteOffset: index &* 8, as: UInt64.self)
    }
  }

  /// The integer of an entry: the number, or that of a decimal.
  @inlinable @inline(__always) package func integer(_ index: Int) -> Int64 {
    base &+ Int64(bitPattern: entry(index))
  }

  /// A Double, or a Float converted to one.
  @inlinable @inline(__always) package subscript(index: Int) -> Double {
    switch layout {
    case .offsets8: decimal(UInt64(entries.load(fromByteOffset: index, as: UInt8.self)))
    case .offsets16: decimal(UInt64(entries.load(fromByteOffset: index &* 2, as: UInt16.self)))
    case .offsets32: decimal(UInt64(entries.load(fromByteOffset: index &* 4, as: UInt32.self)))
    case .offsets40, .int64: decimal(entry(index))
    case .float64: entries.load(fromByteOffset: index &* 8, as: Double.self)
    case .float32: Double(entries.load(fromByteOffset: index &* 4, as: Float.self))
    }
  }

  /// The decimal with an entry; a Float is converted to a Double.
  @inlinable @inline(__always) func decimal(_ entry: UInt64) -> Double {
    Self.decimal(base &+ Int64(bitPattern: entry), divisor, isFloat: kind == .floats)
  }

  /// A Float, bit for bit: on the way through a Double some NaNs would change.
  @inlinable @inline(__always) package func float(_ index: Int) -> Float {
    layout == .float32 ? entries.load(fromByteOffset: index &* 4, as: Float.self) : Float(self[index])
  }

  /// A Decimal.
  @inline(__always) package func exact(_ index: Int) -> DecimalValue {
    DecimalValue(integer(index), places: exponent)
  }

  /// The bits of a number: of an integer, a Double or a Float; of a Decimal those of its integer.
  @inline(__always) func word(_ index: Int) -> UInt64 {
    switch kind {
    case .integers, .decimals: UInt64(bitPattern: integer(index))
    case .doubles: self[index].bitPattern
    case .floats: UInt64(float(index).bitPattern)
    }
  }

  /// A number as a value of the column's type.
  package func value(_ index: Int, _ type: ScalarType) -> Value {
    switch kind {
    case .integers: .int(integer(index))
    case .floats: .float(float(index))
    case .decimals: .decimal(exact(index))
    case .doubles: type == .date ? .date(Instant(seconds: self[index])) : .double(self[index])
    }
  }

  // MARK: Many entries

  /// The entries, where they are the numbers themselves.
  @inlinable @inline(__always) package var storedIntegers: UnsafePointer<Int64>? {
    layout == .int64 ? entries.assumingMemoryBound(to: Int64.self) : nil
  }

  /// The entries, where they are the numbers themselves.
  @inlinable @inline(__always) package var storedDoubles: UnsafePointer<Double>? {
    layout == .float64 ? entries.assumingMemoryBound(to: Double.self) : nil
  }

  /// The entries, where they are the numbers themselves.
  @inlinable @inline(__always) package var storedFloats: UnsafePointer<Float>? {
    layout == .float32 ? entries.assumingMemoryBound(to: Float.self) : nil
  }

  /// Copies the first `count` Doubles, or Floats converted to them.
  package func copy(_ count: Int, to numbers: UnsafeMutablePointer<Double>) {
    switch layout {
    case .offsets8: os_unscale_u8(entries.assumingMemoryBound(to: UInt8.self), count, base, divisor, numbers)
    case .offsets16: os_unscale_u16(entries.assumingMemoryBound(to: UInt16.self), count, base, divisor, numbers)
    case .offsets32: os_unscale_u32(entries.assumingMemoryBound(to: UInt32.self), count, base, divisor, numbers)
    case .offsets40, .int64: for index in 0..<count { numbers[index] = self[index] }
    case .float64: return numbers.update(from: entries.assumingMemoryBound(to: Double.self), count: count)
    case .float32:
      let floats = entries.assumingMemoryBound(to: Float.self)
      for index in 0..<count { numbers[index] = Double(floats[index]) }
      return
    }
    if kind == .floats { for index in 0..<count { numbers[index] = Double(Float(numbers[index])) } }
  }

  /// Copies the integers of a range of entries.
  package func copyIntegers(_ range: Range<Int>, to integers: UnsafeMutablePointer<Int64>) {
    switch layout {
    case .offsets8: copy(entries.assumingMemoryBound(to: UInt8.self), range, to: integers)
    case .offsets16: copy(entries.assumingMemoryBound(to: UInt16.self), range, to: integers)
    case .offsets32: copy(entries.assumingMemoryBound(to: UInt32.self), range, to: integers)
    case .offsets40: for index in range { integers[index &- range.lowerBound] = integer(index) }
    case .int64, .float32, .float64: copy(entries.assumingMemoryBound(to: UInt64.self), range, to: integers)
    }
  }

  @inline(__always)
  private func copy<Entry: FixedWidthInteger>(
    _ entries: UnsafePointer<Entry>, _ range: Range<Int>, to integers: UnsafeMutablePointer<Int64>
  ) {
    let entries = entries + range.lowerBound
    for index in 0..<range.count { integers[index] = base &+ Int64(truncatingIfNeeded: entries[index]) }
  }

  /// The sum of the offsets of some slots; nil for entries that are none.
  package func sumOfOffsets(_ slots: Mask, slotCount: Int) -> UInt64? {
    slots.withWords { mask in
      switch layout {
      case .offsets8: return os_sum_u8(entries.assumingMemoryBound(to: UInt8.self), slotCount, mask)
      case .offsets16: return os_sum_u16(entries.assumingMemoryBound(to: UInt16.self), slotCount, mask)
      case .offsets32: return os_sum_u32(entries.assumingMemoryBound(to: UInt32.self), slotCount, mask)
      case .offsets40:
        var sum: UInt64 = 0
        slots.forEach { sum &+= entry($0) }
        return sum
      case .int64, .float32, .float64: return nil
      }
    }
  }

  /// The highest of the first `count` entries.
  func highest(_ count: Int) -> UInt64 {
    switch layout {
    case .offsets8: highest(entries.assumingMemoryBound(to: UInt8.self), count)
    case .offsets16: highest(entries.assumingMemoryBound(to: UInt16.self), count)
    case .offsets32: highest(entries.assumingMemoryBound(to: UInt32.self), count)
    case .offsets40, .int64, .float32, .float64: (0..<count).reduce(0) { max($0, entry($1)) }
    }
  }

  private func highest<Entry: FixedWidthInteger & UnsignedInteger>(
    _ entries: UnsafePointer<Entry>, _ count: Int
  ) -> UInt64 {
    var highest: Entry = 0
    for index in 0..<count { highest = max(highest, entries[index]) }
    return UInt64(highest)
  }

  /// Whether there are integers, each one more than the one before.
  package func areConsecutive(_ count: Int) -> Bool {
    switch layout {
    case .offsets8: Self.countUp(entries.assumingMemoryBound(to: UInt8.self), count)
    case .offsets16: Self.countUp(entries.assumingMemoryBound(to: UInt16.self), count)
    case .offsets32: Self.countUp(entries.assumingMemoryBound(to: UInt32.self), count)
    case .int64: Self.countUp(entries.assumingMemoryBound(to: UInt64.self), count)
    case .offsets40, .float32, .float64: false
    }
  }

  @inline(__always)
  private static func countUp<Entry: FixedWidthInteger & UnsignedInteger>(
    _ entries: UnsafePointer<Entry>, _ count: Int
  ) -> Bool {
    guard count > 0, UInt64(entries[count &- 1]) &- UInt64(entries[0]) == UInt64(count &- 1) else { return false }
    var differs: Entry = 0
    for place in 1..<max(count, 1) { differs |= (entries[place] &- entries[place &- 1]) ^ 1 }
    return differs == 0
  }
}

extension NumberBlock.Layout {
  /// Whether entries are integers, or offsets from one.
  @inlinable @inline(__always) package var isOfIntegers: Bool {
    switch self {
    case .offsets8, .offsets16, .offsets32, .offsets40, .int64: true
    case .float32, .float64: false
    }
  }

  /// The greatest offset; nil where entries are numbers themselves.
  @inlinable @inline(__always) package var mostOffset: UInt64? {
    switch self {
    case .offsets8: 0xFF
    case .offsets16: 0xFFFF
    case .offsets32: 0xFFFF_FFFF
    case .offsets40: 1 << 40 - 1
    case .int64, .float32, .float64: nil
    }
  }

  /// The number of bytes of some entries.
  func size(_ count: Int) -> Int {
    switch self {
    case .offsets8: count
    case .offsets16: 2 * count
    case .offsets32, .float32: 4 * count
    case .offsets40: ClusterFormat.aligned(4 * count) + count
    case .int64, .float64: 8 * count
    }
  }

  /// The number of cache lines that the entries of a cluster fill, without the lowest eight bits of `offsets40`.
  @inlinable @inline(__always) package var cacheLines: Int {
    switch self {
    case .offsets8: 4
    case .offsets16: 8
    case .offsets32, .offsets40, .float32: 16
    case .int64, .float64: 32
    }
  }

  /// Whether numbers of a type can be in it as they are.
  func suits(_ type: ScalarType) -> Bool {
    switch self {
    case .offsets8, .offsets16, .offsets32, .int64: type.isInteger
    case .offsets40: false
    case .float32: type == .float
    case .float64: type == .double || type == .date
    }
  }

  /// Whether decimals of a type can be in it; Floats have few digits.
  func suits(decimalsOf type: ScalarType) -> Bool {
    switch self {
    case .offsets8, .offsets16: type == .double || type == .date || type == .float || type == .decimal
    case .offsets32, .offsets40: type == .double || type == .date || type == .decimal
    case .int64: type == .decimal
    case .float32, .float64: false
    }
  }
}

extension NumberBlock.Kind {
  /// What the numbers of a type are.
  @inline(__always) init(_ type: ScalarType) {
    switch type {
    case .float: self = .floats
    case .double, .date: self = .doubles
    case .decimal: self = .decimals
    case .int8, .int16, .int32, .int, .bool, .string, .uuid, .data: self = .integers
    }
  }
}
