internal import Storage

/// A question about the bytes of a text with the bytes it seeks in memory of their own: to ask it counts no references,
/// which several threads that ask the same would wait for each other with.
///
/// Its memory is its owner's to give back.
struct PlainTextTest {
  private let relation: StringRelation
  private let needle: UnsafeRawBufferPointer

  /// The same question as another; nil where it folds texts or asks for more.
  init?(_ test: TextTest) {
    guard test.folding.isNone, case .relation(let relation, let bytes) = test.question else { return nil }
    self.relation = relation
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    memory.copyBytes(from: bytes)
    needle = UnsafeRawBufferPointer(memory)
  }

  func deallocate() { needle.deallocate() }

  @inline(__always) func holds(for text: UnsafeRawBufferPointer) -> Bool {
    relation.holds(text, needle)
  }
}
