import Schema

/// A column of numbers of one width as raw memory: what the tightest loops read.
///
/// It is plain bits, so that handing it about counts no references. It does not know other encodings: a column that is
/// absent, all the same or text has none, and `ClusterView.column(_:)` reads it.
package struct FixedColumn {
  /// How the numbers lie in memory.
  package enum Layout {
    /// Unsigned, to be added to the minimum.
    case offsets8, offsets16, offsets32
    case int64, float32, float64
  }

  /// How the numbers lie in memory.
  package let layout: Layout
  /// The first number.
  package let values: UnsafeRawPointer
  /// One more than the highest slot in use.
  package let slotCount: Int
  /// The slots whose object has nil. The number there means nothing.
  package let nulls: Mask
  /// Whether a number is NaN.
  package let hasNaN: Bool
  /// Whether `minimum` and `maximum` say something.
  package let hasRange: Bool
  /// The bits of the least number, NaN apart: of an `Int64`, a `Float` or a `Double`, as the layout has it.
  package let minimum: UInt64
  /// The bits of the greatest number, NaN apart.
  package let maximum: UInt64
}

extension ClusterView {
  /// The column at a position of `StoredEntity.columns` as raw memory; nil where it is of another kind, or was not
  /// checked yet.
  package func fixed(_ index: Int) -> FixedColumn? {
    typealias Entry = ClusterFormat.Entry
    let column = context.column(index)
    guard let position = directory.position(ofColumn: column.pointee.number, guess: index),
      context.validated.contains(cluster: number, version: directory.version, item: position + 1)
    else { return nil }
    let entry = directory.entry(position)
    guard let layout = FixedColumn.Layout(code: entry.load(fromByteOffset: Entry.encoding, as: UInt8.self)),
      entry.load(fromByteOffset: Entry.type, as: UInt8.self) == column.pointee.type.code
    else { return nil }
    let flags = ChunkFlags(rawValue: entry.load(fromByteOffset: Entry.flags, as: UInt16.self))
    if flags.contains(.elsewhere) { return nil }
    var values =
      directory.bytes.baseAddress.unsafelyUnwrapped + Int(entry.load(fromByteOffset: Entry.place, as: UInt32.self))
    var nulls = Mask.none
    if flags.contains(.nulls) {
      nulls = Mask(loading: values.assumingMemoryBound(to: UInt64.self))
      values += 32
    }
    return FixedColumn(
      layout: layout, values: values, slotCount: slotCount, nulls: nulls, hasNaN: flags.contains(.nan),
      hasRange: flags.contains(.range), minimum: entry.load(fromByteOffset: Entry.minimum, as: UInt64.self),
      maximum: entry.load(fromByteOffset: Entry.maximum, as: UInt64.self))
  }
}

extension FixedColumn.Layout {
  /// The layout of an encoding, by its number in a file; nil when it is none of these.
  @inline(__always)
  fileprivate init?(code: UInt8) {
    switch ChunkEncoding(rawValue: code) {
    case .int8: self = .offsets8
    case .int16: self = .offsets16
    case .int32: self = .offsets32
    case .int64: self = .int64
    case .float32: self = .float32
    case .float64: self = .float64
    case nil, .absent, .same, .bits, .uuid, .dictionary, .text, .collection, .sameCollection: return nil
    }
  }
}
