/// Joined strings of a chunk: entry `i` is `bytes[offsets[i] ..< offsets[i + 1] - 1]`, with a 0xFF byte after each, so
/// that a search over all the bytes finds no match across two strings.
///
/// It does not know which slots its entries belong to, nor whether they are strings or Data (in Data, 0xFF may also be
/// part of a value).
@usableFromInline package struct TextBlock {
  /// The start of each entry, and the end of the last: `count + 1` ascending offsets.
  @usableFromInline package let offsets: UnsafePointer<UInt32>
  /// The joined bytes.
  @usableFromInline package let bytes: UnsafePointer<UInt8>
  /// The number of bytes, including the 0xFF bytes.
  @usableFromInline package let byteCount: Int
  /// The number of entries.
  @usableFromInline package let count: Int
  /// Whether no entry has a byte over 0x7F.
  @usableFromInline package let isASCII: Bool

  @inlinable @inline(__always)
  package init(
    offsets: UnsafePointer<UInt32>, bytes: UnsafePointer<UInt8>, byteCount: Int, count: Int, isASCII: Bool
  ) {
    self.offsets = offsets
    self.bytes = bytes
    self.byteCount = byteCount
    self.count = count
    self.isASCII = isASCII
  }

  /// The bytes of entry `i`, which must be below `count`.
  @inlinable @inline(__always) package subscript(i: Int) -> UnsafeRawBufferPointer {
    let start = Int(offsets[i])
    return UnsafeRawBufferPointer(start: bytes + start, count: Int(offsets[i &+ 1]) &- start &- 1)
  }
}
