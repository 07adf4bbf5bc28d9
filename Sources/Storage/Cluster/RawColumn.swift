import Schema

/// A column of one cluster as raw memory, for the tightest loops.
///
/// It is an unowned view, so copying it counts no references. Other encodings are not covered: columns of collections,
/// UUIDs or overflow strings are read by `ClusterView.column(_:)`.
@usableFromInline package struct RawColumn {
  /// The layout of the entries in memory.
  @usableFromInline package enum Layout: Hashable {
    /// Unsigned, to be added to `base`.
    case offsets8, offsets16, offsets32
    case int64, float32, float64
    /// Unsigned, to be added to `base` and divided by `10^exponent`; see `ScaledNumbers`.
    case scaled(ScaledNumbers.Width)
    /// Every number is the minimum.
    case same
    /// Codes of a dictionary of strings.
    case codes
    /// Joined strings, one for each slot.
    case texts
    /// The values have not been validated: only the range is known.
    case unchecked
    /// None of these.
    case other
  }

  /// The layout of the entries in memory.
  @usableFromInline package let layout: Layout
  /// For scaled numbers, the number of decimal places.
  @usableFromInline package let exponent: UInt8
  /// Whether a number is NaN.
  @usableFromInline package let hasNaN: Bool
  /// Whether `minimum` and `maximum` are valid.
  @usableFromInline package let hasRange: Bool
  /// Whether no string has a byte above 0x7F.
  @usableFromInline let isASCII: Bool
  /// The highest slot in use plus 1.
  @usableFromInline package let slotCount: Int16
  /// The first entry.
  @usableFromInline package let values: UnsafeRawPointer
  /// The words of the mask of nils, if there are any.
  @usableFromInline let nullWords: UnsafePointer<UInt64>?
  /// The number at offset 0.
  @usableFromInline package let base: Int64
  /// The bits of the minimum, without NaN, as an `Int64`, a `Float` or a `Double`, depending on the column.
  @usableFromInline package let minimum: UInt64
  /// The bits of the maximum, without NaN.
  @usableFromInline package let maximum: UInt64

  /// The slots whose object has nil; their entries are undefined.
  @inlinable @inline(__always) package var nulls: Mask { nullWords.map { Mask(loading: $0) } ?? .none }

  /// The offsets of integers, and of scaled numbers that are not Floats; nil for other layouts.
  @inlinable @inline(__always) package var offsets: ScaledNumbers? {
    switch layout {
    case .offsets8: scaled(.bits8)
    case .offsets16: scaled(.bits16)
    case .offsets32: scaled(.bits32)
    case .scaled(let width): scaled(width)
    default: nil
    }
  }

  /// The joined strings, for the layout `texts`.
  @inlinable @inline(__always) package var texts: TextBlock { TextBlock(at: values, isASCII: isASCII) }

  /// The start and end offsets of a slot's string, for the layout `texts`.
  @inlinable @inline(__always) package func textOffsets(_ slot: Int) -> UnsafePointer<UInt32> {
    TextBlock.offsets(at: values) + slot
  }

  /// The string of a slot, for the layout `texts`. For a few slots this is cheaper than reading the whole block.
  @inlinable @inline(__always) package func text(_ slot: Int) -> UnsafeRawBufferPointer {
    // There is one string for each slot.
    let bytes = UnsafeRawPointer(TextBlock.offsets(at: values) + (Int(slotCount) &+ 1))
    let offsets = textOffsets(slot)
    let start = Int(offsets[0])
    return UnsafeRawBufferPointer(start: bytes + start, count: Int(offsets[1]) &- start &- 1)
  }

  @inlinable @inline(__always) func scaled(_ width: ScaledNumbers.Width) -> ScaledNumbers {
    ScaledNumbers(
      width: width, base: base, exponent: Int(exponent), isFloat: false, offsets: values, slotCount: Int(slotCount))
  }
}

extension ClusterView {
  /// The column at a position of `StoredEntity.columns` as raw memory; nil if it has another layout, or has not been
  /// validated yet.
  package func fixed(_ index: Int) -> RawColumn? {
    let found = fixedOrUnchecked(index)
    switch found.layout {
    case .unchecked, .other, .codes, .texts: return nil
    default: return found
    }
  }

  /// The column as raw memory; its layout states if there is none.
  func fixedOrUnchecked(_ index: Int) -> RawColumn {
    typealias Entry = ClusterFormat.Entry
    let start = directory.start
    let column = context.column(index)
    guard let position = directory.position(ofColumn: column.pointee.number, guess: index) else { return .other(start) }
    let entry = directory.entry(position)
    let flags = ChunkFlags(rawValue: entry.load(fromByteOffset: Entry.flags, as: UInt16.self))
    let encoding = ChunkEncoding(rawValue: entry.load(fromByteOffset: Entry.encoding, as: UInt8.self)) ?? .absent
    let isNumber = column.pointee.type.isNumeric || column.pointee.type == .date
    guard var layout = RawColumn.Layout(encoding), column.pointee.kind == nil,
      flags.isDisjoint(with: [.elsewhere, .outOfLine]),
      entry.load(fromByteOffset: Entry.type, as: UInt8.self) == column.pointee.type.code,
      layout != .same || isNumber && flags.contains(.range) && !flags.contains(.nan)
    else { return .other(start) }
    let isChecked = context.validated.contains(cluster: number, version: directory.version, item: position + 1)
    if !isChecked { layout = .unchecked }
    var values = start + Int(entry.load(fromByteOffset: Entry.place, as: UInt32.self))
    var nullWords: UnsafePointer<UInt64>?
    var base: Int64 = 0
    var exponent: UInt8 = 0
    let minimum = entry.load(fromByteOffset: Entry.minimum, as: UInt64.self)
    if isChecked {
      if flags.contains(.nulls) {
        nullWords = values.assumingMemoryBound(to: UInt64.self)
        values += 32
      }
      if ScaledNumbers.Width(encoding) != nil {
        base = values.load(as: Int64.self)
        exponent = values.load(fromByteOffset: 8, as: UInt8.self)
        values += ClusterFormat.scaledHeaderSize
      } else {
        base = Int64(bitPattern: minimum)
      }
    }
    return RawColumn(
      layout: layout, exponent: exponent, hasNaN: flags.contains(.nan),
      hasRange: isNumber && flags.contains(.range), isASCII: flags.contains(.ascii),
      slotCount: Int16(truncatingIfNeeded: slotCount), values: values, nullWords: nullWords, base: base,
      minimum: minimum,
      maximum: entry.load(fromByteOffset: Entry.maximum, as: UInt64.self))
  }
}

extension RawColumn {
  /// The placeholder for a column without raw access.
  static func other(_ somewhere: UnsafeRawPointer) -> RawColumn {
    RawColumn(
      layout: .other, exponent: 0, hasNaN: false, hasRange: false, isASCII: false, slotCount: 0, values: somewhere,
      nullWords: nil, base: 0, minimum: 0, maximum: 0)
  }

  /// The column with the number of its dictionary.
  func numbered(_ dictionary: Int) -> RawColumn {
    RawColumn(
      layout: layout, exponent: exponent, hasNaN: hasNaN, hasRange: hasRange, isASCII: isASCII, slotCount: slotCount,
      values: values, nullWords: nullWords, base: Int64(dictionary), minimum: minimum, maximum: maximum)
  }

  /// The strings of the codes.
  func dictionary(isASCII: Bool) -> TextBlock {
    TextBlock(at: values + ClusterFormat.aligned(Int(slotCount)), isASCII: isASCII)
  }
}

extension RawColumn.Layout {
  /// The layout of an encoding; nil for other encodings.
  @inline(__always)
  fileprivate init?(_ encoding: ChunkEncoding) {
    switch encoding.form {
    case .same: self = .same
    case .int8: self = .offsets8
    case .int16: self = .offsets16
    case .int32: self = .offsets32
    case .int64: self = .int64
    case .float32: self = .float32
    case .float64: self = .float64
    case .scaled(let width): self = .scaled(width)
    case .dictionary: self = .codes
    case .text: self = .texts
    case .absent, .bits, .uuid, .collection, .sameCollection: return nil
    }
  }
}
