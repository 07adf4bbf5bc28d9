import Schema

/// A column of one cluster as raw memory, for the tightest loops.
///
/// It is an unowned view, so copying it counts no references. Other encodings are not covered: columns of collections,
/// UUIDs or overflow strings are read by `ClusterView.column(_:)`.
@usableFromInline package struct RawColumn {
  /// The layout of the entries in memory.
  @usableFromInline package enum Layout: Hashable {
    case numbers(NumberBlock.Layout, NumberBlock.Kind)
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
  /// The number of decimal places of decimals stored as integers; 0 for others.
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
  /// The integer whose entry is 0; for codes in a table, the number of their dictionary.
  @usableFromInline package let base: Int64
  /// The bits of the minimum, without NaN, as an `Int64`, a `Float` or a `Double`, depending on the column.
  @usableFromInline package let minimum: UInt64
  /// The bits of the maximum, without NaN.
  @usableFromInline package let maximum: UInt64

  /// The slots whose object has nil; their entries are undefined.
  @inlinable @inline(__always) package var nulls: Mask { nullWords.map { Mask(loading: $0) } ?? .none }

  /// The numbers; nil for other layouts.
  @inlinable @inline(__always) package var numbers: NumberBlock? {
    guard case .numbers(let layout, let kind) = layout else { return nil }
    return NumberBlock(layout, kind, base: base, exponent: Int(exponent), values, count: Int(slotCount))
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
    guard var layout = RawColumn.Layout(encoding, column.pointee.type), column.pointee.kind == nil,
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
      switch encoding.form {
      case .decimals:
        base = values.load(as: Int64.self)
        exponent = values.load(fromByteOffset: 8, as: UInt8.self)
        values += NumberBlock.decimalHeaderSize
      case .numbers(let layout): base = layout.base(least: Int64(bitPattern: minimum))
      case .absent, .same, .bits, .uuid, .dictionary, .text, .collection, .sameCollection: break
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
  fileprivate init?(_ encoding: ChunkEncoding, _ type: ScalarType) {
    switch encoding.form {
    case .same: self = .same
    case .numbers(let layout), .decimals(let layout): self = .numbers(layout, NumberBlock.Kind(type))
    case .dictionary: self = .codes
    case .text: self = .texts
    case .absent, .bits, .uuid, .collection, .sameCollection: return nil
    }
  }
}
