import Schema

extension CollectionElements {
  /// Validates a collection in an overflow value: the block of its elements, then that of its keys. `bytes` must be
  /// aligned to eight bytes.
  init(
    checking bytes: UnsafeRawBufferPointer, _ kind: CollectionKind, _ type: ScalarType, writtenAs: ScalarType
  ) throws(Chunk.Damage) {
    let elements = try ElementBlock(checking: bytes, type: type, writtenAs: writtenAs)
    var end = elements.length
    var keys: ElementBlock?
    if kind == .dictionary {
      let block = try ElementBlock(
        checking: UnsafeRawBufferPointer(rebasing: bytes[end...]), type: .string, writtenAs: .string)
      guard block.count == elements.count else { throw Chunk.Damage(what: "the number of its keys is wrong") }
      end += block.length
      keys = block
    }
    guard end == bytes.count else { throw Chunk.Damage(what: "the length of its elements is wrong") }
    self.init(
      kind: kind, type: type, values: elements.values, nils: elements.nils, keys: keys?.values,
      range: 0..<elements.count)
  }
}

extension UnsafeRawBufferPointer {
  /// Runs `body` on the bytes at a multiple of eight.
  func aligned<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    if UInt(bitPattern: baseAddress) & 7 == 0 { return body(self) }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { memory.deallocate() }
    memory.copyMemory(from: self)
    return body(UnsafeRawBufferPointer(memory))
  }
}
