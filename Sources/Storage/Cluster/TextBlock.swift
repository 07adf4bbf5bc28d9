/// Joined texts of a chunk: entry `i` is `bytes[offsets[i] ..< offsets[i + 1] - 1]`, with a 0xFF byte after each, so
/// that one search over all the bytes finds no match that spans two texts.
///
/// It does not know which slots its entries belong to, nor whether they are strings or data (in data, 0xFF is a byte
/// like others).
@usableFromInline package struct TextBlock {
  /// Where each entry begins, and the end of the last: `count + 1` offsets, ascending.
  @usableFromInline package let offsets: UnsafePointer<UInt32>
  /// The joined bytes.
  @usableFromInline package let bytes: UnsafePointer<UInt8>
  /// How many bytes, the 0xFF bytes included.
  @usableFromInline package let byteCount: Int
  /// How many entries.
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
