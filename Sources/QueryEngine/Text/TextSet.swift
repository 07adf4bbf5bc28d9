/// Texts among which others are looked up, by their bytes. It does not know what the bytes mean.
struct TextSet {
  private var numbers = TextNumbers()
  /// The bit of each length, of 64: most texts that are none of them are told by theirs.
  private var lengths: UInt64 = 0

  init(_ texts: some Sequence<[UInt8]>) {
    for text in texts {
      lengths |= Self.bit(text.count)
      _ = text.withUnsafeBytes { numbers.number(of: $0) }
    }
  }

  /// Whether a text is one of them.
  func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    lengths & Self.bit(text.count) != 0 && numbers.contains(text)
  }

  @inline(__always)
  private static func bit(_ length: Int) -> UInt64 { 1 &<< UInt64(length & 63) }
}
