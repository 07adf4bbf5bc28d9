import Schema

extension ChunkEncoding {
  /// The shortest encoding of integers, the greatest of which is `span` above the least, and its layout.
  static func integers(span: UInt64) -> (ChunkEncoding, NumberBlock.Layout) {
    switch span {
    case 0...0xFF: (.int8, .offsets8)
    case 0...0xFFFF: (.int16, .offsets16)
    case 0...0xFFFF_FFFF: (.int32, .offsets32)
    default: (.int64, .int64)
    }
  }

  /// The shortest encoding of decimals of a type, the greatest integer of which is `span` above the least, and its
  /// layout; nil if it saves nothing.
  static func decimals(span: UInt64, _ type: ScalarType) -> (ChunkEncoding, NumberBlock.Layout)? {
    switch span {
    case 0...0xFF: (.scaled8, .offsets8)
    case 0...0xFFFF: (.scaled16, .offsets16)
    case 0...0xFFFF_FFFF where type != .float: (.scaled32, .offsets32)
    case 0..<1 << 40 where type != .float: (.scaled40, .offsets40)
    default: type == .decimal ? (.scaled64, .int64) : nil
    }
  }
}

extension NumberBlock.Layout {

  /// What is subtracted from an integer to get its entry, if the least of all is `least`.
  func base(least: Int64) -> Int64 { mostOffset == nil ? 0 : least }

  /// Writes `count` entries at a place aligned to eight bytes; returns the number of bytes.
  @inline(__always)
  func write(_ count: Int, at place: UnsafeMutableRawPointer, _ entry: (Int) -> UInt64) -> Int {
    switch self {
    case .offsets8: Self.put(count, at: place) { UInt8(truncatingIfNeeded: entry($0)) }
    case .offsets16: Self.put(count, at: place) { UInt16(truncatingIfNeeded: entry($0)) }
    case .offsets32, .float32: Self.put(count, at: place) { UInt32(truncatingIfNeeded: entry($0)) }
    case .offsets40:
      Self.put(count, at: place) { UInt32(truncatingIfNeeded: entry($0) &>> 8) }
      let low = place + ClusterFormat.aligned(4 * count)
      if count & 1 == 1 { low.storeBytes(of: 0, toByteOffset: -4, as: UInt32.self) }
      Self.put(count, at: low) { UInt8(truncatingIfNeeded: entry($0)) }
    case .int64, .float64: Self.put(count, at: place, entry)
    }
    return size(count)
  }

  @inline(__always)
  private static func put<Entry: BitwiseCopyable>(
    _ count: Int, at place: UnsafeMutableRawPointer, _ entry: (Int) -> Entry
  ) {
    let entries = place.bindMemory(to: Entry.self, capacity: count)
    for index in 0..<count { entries[index] = entry(index) }
  }
}
