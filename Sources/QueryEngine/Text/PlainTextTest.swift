internal import Storage

/// A test of a string's bytes, with its needle in plain memory. Testing counts no references, so threads that run the
/// same test do not contend for them.
///
/// Its owner must free the memory. Nobody writes to it, so threads may share it.
struct PlainTextTest: @unchecked Sendable {
  private let relation: StringRelation
  private let needle: UnsafeRawBufferPointer

  /// An equivalent of another test; nil if that folds strings or is not a relation.
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
