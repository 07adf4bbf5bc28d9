internal import Storage

/// Caches the numbers of the strings in clusters' dictionaries. Most clusters have the same dictionary as an earlier
/// cluster, and then no string is read.
///
/// Valid as long as the snapshot. It does not depend on how strings are numbered.
final class DictionaryCodeMap {
  private struct Known {
    var hash: UInt64
    var block: TextBlock
    var numbers: UnsafeMutablePointer<UInt32>
  }

  /// Entries by the low bits of the hash; a dictionary replaces the one before it.
  private var places: [Known?] = Array(repeating: nil, count: 64)

  deinit { for case let known? in places { known.numbers.deallocate() } }

  /// The number of each entry of a dictionary; `numbering` returns the number of an entry. The pointer is valid until
  /// the next call.
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
  /// Whether both have the same strings in the same order.
  fileprivate func isSame(as other: TextBlock) -> Bool {
    guard count == other.count, byteCount == other.byteCount else { return false }
    // Data may contain the byte that separates strings, so the start offsets are compared too.
    return Bytes.areEqual(
      UnsafeRawBufferPointer(start: bytes, count: byteCount),
      UnsafeRawBufferPointer(start: other.bytes, count: byteCount))
      && Bytes.areEqual(
        UnsafeRawBufferPointer(start: offsets, count: count * 4),
        UnsafeRawBufferPointer(start: other.offsets, count: count * 4))
  }
}
