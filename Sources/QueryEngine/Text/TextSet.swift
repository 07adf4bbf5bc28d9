/// Texts among which others are looked up, by their bytes. It does not know what the bytes mean.
final class TextSet {
  /// The owner of the memory.
  private let numbers: StringInterner
  /// What is asked for each text: threads that ask count no references. Good as long as the set.
  let members: Members

  /// Where the texts are.
  struct Members {
    fileprivate let memory: StringInterner.Memory
    /// The bit of each length, of 64: most texts that are none of them are told by theirs.
    fileprivate let lengths: UInt64

    /// Whether a text is one of them.
    @inline(__always)
    func contains(_ text: UnsafeRawBufferPointer) -> Bool {
      lengths & TextSet.bit(text.count) != 0 && memory.contains(text)
    }
  }

  init(_ texts: some Sequence<[UInt8]>) {
    let numbers = StringInterner()
    var lengths: UInt64 = 0
    for text in texts {
      lengths |= Self.bit(text.count)
      _ = text.withUnsafeBytes { numbers.number(of: $0) }
    }
    self.numbers = numbers
    members = Members(memory: numbers.memory, lengths: lengths)
  }

  @inline(__always)
  fileprivate static func bit(_ length: Int) -> UInt64 { 1 &<< UInt64(length & 63) }
}
