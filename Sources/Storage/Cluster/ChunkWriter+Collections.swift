import Schema

extension ChunkWriter {
  /// The maximum number of bytes of a chunk of collections, after compaction.
  static func bound(_ collections: CollectionBuffer) -> Int {
    let masks = 64 + 16 * collections.long.slots.count
    let elements = ElementWriter.bound(collections.elements, 0..<collections.elements.count)
    let keys = collections.keys.map { ElementWriter.bound($0, 0..<$0.count) } ?? 0
    return masks + 4 * (Mask.slotCount + 2) + 8 + elements + keys
  }

  /// Writes collections: a single one if all are the same, otherwise the offsets of the elements and the elements.
  mutating func writeCollections(_ collections: CollectionBuffer) {
    let long = collections.long.slots & valid
    if collections.keys != nil { result.flags.insert(.keyed) }
    if !long.isEmpty { writeReferences(collections.long, long) }
    if long.isEmpty, let first = valid.first, isShared(collections, by: first) {
      result.encoding = .sameCollection
      let range = collections.range(first)
      put(UInt32(0))
      put(UInt32(truncatingIfNeeded: range.count))
      writeElements(collections, range)
      return
    }
    result.encoding = .collection
    var place = 0
    let inline = valid.andNot(long)
    put(UInt32(0))
    for slot in 0..<slotCount {
      if inline[slot] { place += collections.range(slot).count }
      put(UInt32(truncatingIfNeeded: place))
    }
    pad()
    writeElements(collections, 0..<collections.elements.count)
  }

  private func isShared(_ collections: CollectionBuffer, by first: Int) -> Bool {
    var isSame = true
    valid.forEach { isSame = isSame && collections.isSame(first, $0) }
    return isSame
  }

  private mutating func writeElements(_ collections: CollectionBuffer, _ range: Range<Int>) {
    for part in [collections.elements, collections.keys].compactMap({ $0 }) {
      var writer = ElementWriter(at: start + cursor)
      writer.write(part, range)
      cursor += writer.cursor
    }
  }
}
