import Schema
import Values

extension Chunk {
  /// The number of bytes of the offsets where the elements of each collection begin.
  private func offsetsSize(isShared: Bool) -> Int { ClusterFormat.aligned(4 * (isShared ? 2 : slotCount + 1)) }

  /// The collections. The chunk has been checked.
  @inline(never) func collections(isShared: Bool) -> ColumnValues {
    guard let kind else { return .same(.null) }
    let start = base + valuesPlace
    let elements = start + offsetsSize(isShared: isShared)
    let length = ElementBlock(start: elements, type: type).length
    return .collection(
      CollectionValues(
        kind: kind, type: type, isShared: isShared, offsets: start.assumingMemoryBound(to: UInt32.self),
        elementBlock: elements, keyBlock: kind == .dictionary ? elements + length : nil))
  }

  /// Checks offsets, elements and keys.
  func validateCollections() throws(Damage) {
    let isShared = entry.encoding == ChunkEncoding.sameCollection.rawValue
    guard let kind, (kind == .dictionary) == entry.flags.contains(.keyed) else {
      throw Damage(what: "the kind of its collections is wrong")
    }
    let place = valuesPlace + offsetsSize(isShared: isShared)
    guard place <= bytes.count, let writtenAs = ScalarType(code: entry.type) else { throw tooShort }
    let elements = try CollectionElements(
      checking: UnsafeRawBufferPointer(rebasing: bytes[place...]), kind, type, writtenAs: writtenAs)
    let offsets = (base + valuesPlace).assumingMemoryBound(to: UInt32.self)
    let last = isShared ? 1 : slotCount
    var previous: UInt32 = 0
    guard offsets[0] == 0, Int(offsets[last]) == elements.count else { throw Damage(what: "its offsets are wrong") }
    for index in 0...last {
      guard offsets[index] >= previous else { throw Damage(what: "its offsets are wrong") }
      previous = offsets[index]
    }
    var isEmpty = true
    outOfLine.forEach { isEmpty = isEmpty && offsets[$0] == offsets[$0 + 1] }
    guard isEmpty else { throw Damage(what: "a long value is here too") }
  }
}
