import Schema

/// A column of one cluster as raw memory: what the tightest loops read.
///
/// It is plain bits, so that handing it about counts no references. It does not know other encodings: where a column is
/// of long texts, collections or UUIDs there is none, and `ClusterView.column(_:)` reads it.
package struct FixedColumn {
  /// How the entries lie in memory.
  package enum Layout: UInt8 {
    /// Unsigned, to be added to `base`.
    case offsets8, offsets16, offsets32
    case int64, float32, float64
    /// Unsigned, to be added to `base` and divided by `10^exponent`; see `ScaledNumbers`.
    case scaled8, scaled16, scaled32, scaled40
    /// Every number is the minimum.
    case same
    /// Codes of a dictionary of texts.
    case codes
    /// Nobody has checked the values yet: only the range is known.
    case unchecked
    /// None of these: nothing is known.
    case other
  }

  /// How the entries lie in memory.
  package let layout: Layout
  /// Of scaled numbers, how many digits there are behind the point.
  package let exponent: UInt8
  /// Whether a number is NaN.
  package let hasNaN: Bool
  /// Whether `minimum` and `maximum` say something.
  package let hasRange: Bool
  /// One more than the highest slot in use.
  package let slotCount: Int32
  /// The first entry.
  package let values: UnsafeRawPointer
  /// The words of the mask of nils, where there are any.
  let nullWords: UnsafePointer<UInt64>?
  /// The number at offset 0.
  package let base: Int64
  /// The bits of the least number, NaN apart: of an `Int64`, a `Float` or a `Double`, as the column has it.
  package let minimum: UInt64
  /// The bits of the greatest number, NaN apart.
  package let maximum: UInt64

  /// The slots whose object has nil. The entry there means nothing.
  @inline(__always) package var nulls: Mask { nullWords.map { Mask(loading: $0) } ?? .none }

  /// The offsets, of whole numbers as of scaled ones that are no Floats; nil of other layouts.
  @inline(__always) package var offsets: ScaledNumbers? {
    switch layout {
    case .offsets8, .scaled8: scaled(.bits8)
    case .offsets16, .scaled16: scaled(.bits16)
    case .offsets32, .scaled32: scaled(.bits32)
    case .scaled40: scaled(.bits40)
    default: nil
    }
  }

  @inline(__always) private func scaled(_ width: ScaledNumbers.Width) -> ScaledNumbers {
    ScaledNumbers(
      width: width, base: base, exponent: Int(exponent), isFloat: false, offsets: values, slotCount: Int(slotCount))
  }
}

extension ClusterView {
  /// The column at a position of `StoredEntity.columns` as raw memory; nil where it is of another kind, or was not
  /// checked yet.
  package func fixed(_ index: Int) -> FixedColumn? {
    let found = fixedOrUnchecked(index)
    switch found.layout {
    case .unchecked, .other, .codes: return nil
    default: return found
    }
  }

  /// The same; where there is none the layout says so.
  func fixedOrUnchecked(_ index: Int) -> FixedColumn {
    typealias Entry = ClusterFormat.Entry
    let start = directory.bytes.baseAddress.unsafelyUnwrapped
    let column = context.column(index)
    guard let position = directory.position(ofColumn: column.pointee.number, guess: index) else { return .other(start) }
    let entry = directory.entry(position)
    let flags = ChunkFlags(rawValue: entry.load(fromByteOffset: Entry.flags, as: UInt16.self))
    let encoding = ChunkEncoding(rawValue: entry.load(fromByteOffset: Entry.encoding, as: UInt8.self)) ?? .absent
    let isNumber = column.pointee.type.isNumeric || column.pointee.type == .date
    guard var layout = FixedColumn.Layout(encoding), column.pointee.kind == nil, !flags.contains(.elsewhere),
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
    return FixedColumn(
      layout: layout, exponent: exponent, hasNaN: flags.contains(.nan),
      hasRange: isNumber && flags.contains(.range), slotCount: Int32(truncatingIfNeeded: slotCount), values: values,
      nullWords: nullWords, base: base, minimum: minimum,
      maximum: entry.load(fromByteOffset: Entry.maximum, as: UInt64.self))
  }
}

extension FixedColumn {
  /// What says that nothing is known.
  static func other(_ somewhere: UnsafeRawPointer) -> FixedColumn {
    FixedColumn(
      layout: .other, exponent: 0, hasNaN: false, hasRange: false, slotCount: 0, values: somewhere, nullWords: nil,
      base: 0, minimum: 0, maximum: 0)
  }

  /// The same with the number of its dictionary.
  func numbered(_ dictionary: Int) -> FixedColumn {
    FixedColumn(
      layout: layout, exponent: exponent, hasNaN: hasNaN, hasRange: hasRange, slotCount: slotCount, values: values,
      nullWords: nullWords, base: Int64(dictionary), minimum: minimum, maximum: maximum)
  }

  /// The texts that codes stand for.
  func dictionary(isASCII: Bool) -> TextBlock {
    TextBlock(at: values + ClusterFormat.aligned(Int(slotCount)), isASCII: isASCII)
  }
}

extension FixedColumn.Layout {
  /// The layout of an encoding; nil when it is none of these.
  @inline(__always)
  fileprivate init?(_ encoding: ChunkEncoding) {
    switch encoding {
    case .same: self = .same
    case .int8: self = .offsets8
    case .int16: self = .offsets16
    case .int32: self = .offsets32
    case .int64: self = .int64
    case .float32: self = .float32
    case .float64: self = .float64
    case .scaled8: self = .scaled8
    case .scaled16: self = .scaled16
    case .scaled32: self = .scaled32
    case .scaled40: self = .scaled40
    case .dictionary: self = .codes
    case .absent, .bits, .uuid, .text, .collection, .sameCollection: return nil
    }
  }
}
