/// The word that a constant was written as, of at most 15 bytes: the longest is `FALSEPREDICATE`.
///
/// It is kept within the node and not as a string, because every node of a tree has room for one: copying a node must
/// not count the references to a word that hardly any has.
struct WrittenWord: Sendable {
  /// The bytes of the word, and in the last byte their number plus 1; 0 there for no word.
  private var words: (UInt64, UInt64) = (0, 0)

  /// No word.
  init() {}

  /// A longer text is no constant's word, and leaves none.
  init(_ text: String?) {
    guard let text, text.utf8.count < MemoryLayout.size(ofValue: words) else { return }
    withUnsafeMutableBytes(of: &words) { bytes in
      for (place, byte) in text.utf8.enumerated() { bytes[place] = byte }
      bytes[bytes.count - 1] = UInt8(truncatingIfNeeded: text.utf8.count + 1)
    }
  }

  /// The word; nil if there is none.
  var text: String? {
    withUnsafeBytes(of: words) { bytes in
      guard let count = bytes.last, count > 0 else { return nil }
      return String(decoding: bytes.prefix(Int(count) - 1), as: UTF8.self)
    }
  }
}
