/// A set of strings, by their bytes. Nothing is added once it is made, so threads may share it.
final class TextSet: @unchecked Sendable {
  /// The owner of the memory.
  private let numbers: StringInterner
  /// The lookup structure, without reference counting. Valid as long as the set.
  let members: Members

  /// The lookup structure of a set.
  struct Members: @unchecked Sendable {
    fileprivate let memory: StringInterner.Memory
    /// A bit for each string length modulo 64. Most other strings are rejected by their length.
    fileprivate let lengths: UInt64

    /// Whether the set contains a string.
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
