internal import Storage

/// A question about the bytes of a text with the bytes it seeks in memory of their own: to ask it counts no references,
/// which several threads that ask the same would wait for each other with.
///
/// Its memory is its owner's to give back.
struct PlainTextTest {
  private enum Kind {
    case equals, contains, beginsWith, endsWith
  }

  private let kind: Kind
  private let needle: UnsafeRawBufferPointer

  /// The same question as another; nil where it folds texts or asks for more.
  init?(_ test: TextTest) {
    guard test.folding.isNone else { return nil }
    let bytes: [UInt8]
    switch test.question {
    case .equals(let needle): (kind, bytes) = (.equals, needle)
    case .contains(let needle): (kind, bytes) = (.contains, needle)
    case .beginsWith(let needle): (kind, bytes) = (.beginsWith, needle)
    case .endsWith(let needle): (kind, bytes) = (.endsWith, needle)
    default: return nil
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    memory.copyBytes(from: bytes)
    needle = UnsafeRawBufferPointer(memory)
  }

  func deallocate() { needle.deallocate() }

  @inline(__always) func holds(for text: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .equals: Bytes.areEqual(text, needle)
    case .contains: Bytes.find(needle, in: text) != nil
    case .beginsWith: Bytes.hasPrefix(text, needle)
    case .endsWith: Bytes.hasSuffix(text, needle)
    }
  }
}
