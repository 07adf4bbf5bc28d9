internal import Storage

/// Remembers the numbers that the texts of clusters' dictionaries have: most clusters have a dictionary that some cluster
/// before had, and then no text is looked at.
///
/// Valid as long as the snapshot. It does not know who numbers texts.
final class DictionaryCodeMap {
  private struct Known {
    var hash: UInt64
    var block: TextBlock
    var numbers: UnsafeMutablePointer<UInt32>
  }

  /// By the low bits of the hash; a dictionary takes the place of the one before.
  private var places: [Known?] = Array(repeating: nil, count: 64)

  deinit { for case let known? in places { known.numbers.deallocate() } }

  /// The number of each entry of a dictionary, as `numbering` gives it for the entry. It may be used until the next call.
  func numbers(
    of block: TextBlock, numbering: (Int) -> UInt32
  ) -> UnsafePointer<UInt32> {
    let bytes = UnsafeRawBufferPointer(start: block.bytes, count: block.byteCount)
    let hash = Bytes.hash(bytes)
    let place = Int(truncatingIfNeeded: hash & 63)
    if let known = places[place], known.hash == hash, known.block.isSame(as: block) {
      return UnsafePointer(known.numbers)
    }
    let numbers = places[place]?.numbers ?? .allocate(capacity: Mask.slotCount)
    numbers.initialize(repeating: 0, count: Mask.slotCount)
    for entry in 0..<min(block.count, Mask.slotCount) { numbers[entry] = numbering(entry) }
    places[place] = Known(hash: hash, block: block, numbers: numbers)
    return UnsafePointer(numbers)
  }
}

extension TextBlock {
  /// Whether both have the same texts in the same order.
  fileprivate func isSame(as other: TextBlock) -> Bool {
    guard count == other.count, byteCount == other.byteCount else { return false }
    // In data a text may hold the byte that parts texts, so where they begin is compared, too.
    return Bytes.areEqual(
      UnsafeRawBufferPointer(start: bytes, count: byteCount),
      UnsafeRawBufferPointer(start: other.bytes, count: byteCount))
      && Bytes.areEqual(
        UnsafeRawBufferPointer(start: offsets, count: count * 4),
        UnsafeRawBufferPointer(start: other.offsets, count: count * 4))
  }
}
