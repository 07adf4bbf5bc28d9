internal import Storage
internal import Values

/// A set of objects of one entity as a bit for every number: what the walks along links ask of millions of targets.
///
/// It does not know the entity. It is written by one thread and then only read.
final class ObjectBits: @unchecked Sendable {
  private(set) var words: UnsafeMutablePointer<UInt64>
  /// Numbers from here on are not in it.
  private(set) var limit: UInt64
  /// How many objects are in it.
  private(set) var count = 0

  /// No objects, with room for those of a number of clusters.
  init(clusters: Int) {
    let capacity = max(1, clusters) * 4
    words = .allocate(capacity: capacity)
    words.initialize(repeating: 0, count: capacity)
    limit = UInt64(capacity) * 64
  }

  deinit { words.deallocate() }

  /// The set as loops see it, good as long as nothing is added.
  var view: BitWords { BitWords(words: words, limit: limit) }

  /// Adds objects of a cluster.
  func insert(_ cluster: UInt64, _ mask: Mask) {
    if mask.isEmpty { return }
    grow(toHold: cluster << 8 | 255)
    let start = words + Int(cluster) * 4
    for word in 0..<4 {
      count += (mask.word(word) & ~start[word]).nonzeroBitCount
      start[word] |= mask.word(word)
    }
  }

  /// Adds an object.
  @inline(__always)
  func insert(_ number: UInt64) {
    if number >= limit { grow(toHold: number) }
    let bit: UInt64 = 1 &<< (number & 63)
    let place = Int(truncatingIfNeeded: number &>> 6)
    if words[place] & bit == 0 {
      words[place] |= bit
      count &+= 1
    }
  }

  /// Whether an object is in it.
  @inline(__always)
  func contains(_ number: UInt64) -> Bool {
    number < limit && words[Int(truncatingIfNeeded: number &>> 6)] &>> (number & 63) & 1 != 0
  }

  /// Those of a cluster.
  func mask(_ cluster: UInt64) -> Mask {
    guard cluster < limit >> 8 else { return .none }
    return Mask(loading: UnsafePointer(words + Int(cluster) * 4))
  }

  /// The objects, ascending.
  var numbers: [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    numbers.reserveCapacity(count)
    for place in 0..<Int(limit >> 6) {
      var word = words[place]
      while word != 0 {
        numbers.append(ObjectNumber(UInt64(place) << 6 | UInt64(word.trailingZeroBitCount)))
        word &= word &- 1
      }
    }
    return numbers
  }

  private func grow(toHold number: UInt64) {
    if number < limit { return }
    let wanted = max(number / 256 + 1, limit / 128) * 256
    let grown = UnsafeMutablePointer<UInt64>.allocate(capacity: Int(wanted / 64))
    grown.initialize(repeating: 0, count: Int(wanted / 64))
    grown.update(from: words, count: Int(limit / 64))
    words.deallocate()
    words = grown
    limit = wanted
  }
}
