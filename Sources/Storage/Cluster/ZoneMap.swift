import Schema

/// The range of a numeric or date column in a cluster's directory, as bits: `ColumnRange` for tight loops. It is
/// available before the values themselves are validated.
package struct ZoneMap {
  /// The bits of the minimum, without NaN and nil, as an `Int64`, a `Float` or a `Double`, depending on the column.
  package let minimum: UInt64
  /// The bits of the maximum.
  package let maximum: UInt64
  /// The number of objects in the cluster that have nil.
  package let nullCount: Int
  /// Whether some value is NaN.
  package let hasNaN: Bool
}

extension ClusterView {
  /// The zone map of the column at a position of `StoredEntity.columns`. nil if there is none, or if `range(_:)` must
  /// be used instead.
  @inline(__always)
  package func edges(_ index: Int) -> ZoneMap? {
    typealias Entry = ClusterFormat.Entry
    let column = context.column(index)
    let type = column.pointee.type
    guard type.isNumeric || type == .date, column.pointee.kind == nil,
      let position = directory.position(ofColumn: column.pointee.number, guess: index)
    else { return nil }
    let entry = directory.entry(position)
    let flags = ChunkFlags(rawValue: entry.load(fromByteOffset: Entry.flags, as: UInt16.self))
    guard flags.contains(.range), entry.load(fromByteOffset: Entry.type, as: UInt8.self) == type.code else {
      return nil
    }
    return ZoneMap(
      minimum: entry.load(fromByteOffset: Entry.minimum, as: UInt64.self),
      maximum: entry.load(fromByteOffset: Entry.maximum, as: UInt64.self),
      nullCount: Int(entry.load(fromByteOffset: Entry.nullCount, as: UInt16.self)), hasNaN: flags.contains(.nan))
  }
}

extension ClusterView {
  /// The minimum and maximum string of the column at a position of `StoredEntity.columns`, and the number of objects
  /// with nil; nil if the directory has none.
  package func textEdges(
    _ index: Int
  ) -> (minimum: UnsafeRawBufferPointer, maximum: UnsafeRawBufferPointer, nullCount: Int)? {
    typealias Entry = ClusterFormat.Entry
    let column = context.column(index)
    guard column.pointee.type == .string, column.pointee.kind == nil,
      let position = directory.position(ofColumn: column.pointee.number, guess: index)
    else { return nil }
    let entry = directory.entry(position)
    let flags = ChunkFlags(rawValue: entry.load(fromByteOffset: Entry.flags, as: UInt16.self))
    guard flags.contains(.range), entry.load(fromByteOffset: Entry.type, as: UInt8.self) == ScalarType.string.code
    else {
      return nil
    }
    func text(_ offset: Int) -> UnsafeRawBufferPointer {
      let reference = entry.load(fromByteOffset: offset, as: UInt64.self)
      let start = directory.start + Int(reference & 0xFFFF_FFFF)
      return UnsafeRawBufferPointer(start: start, count: Int(reference >> 32))
    }
    return (text(Entry.minimum), text(Entry.maximum), Int(entry.load(fromByteOffset: Entry.nullCount, as: UInt16.self)))
  }
}
