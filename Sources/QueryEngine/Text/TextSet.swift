/// Texts among which others are looked up, by their bytes. It does not know what the bytes mean.
///
/// One object, so that threads that ask it for each text do not count references to what it is made of.
final class TextSet {
  private let numbers: TextNumbers
  /// The bit of each length, of 64: most texts that are none of them are told by theirs.
  private let lengths: UInt64

  init(_ texts: some Sequence<[UInt8]>) {
    var numbers = TextNumbers()
    var lengths: UInt64 = 0
    for text in texts {
      lengths |= Self.bit(text.count)
      _ = text.withUnsafeBytes { numbers.number(of: $0) }
    }
    self.numbers = numbers
    self.lengths = lengths
  }

  /// Whether a text is one of them.
  func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    lengths & Self.bit(text.count) != 0 && numbers.contains(text)
  }

  @inline(__always)
  private static func bit(_ length: Int) -> UInt64 { 1 &<< UInt64(length & 63) }
}
