internal import Storage
internal import Values

/// A bitmap of objects of one entity, by ordinal. Traversals of links test millions of targets against it.
///
/// It is written by one thread and then only read.
final class ObjectBits: @unchecked Sendable {
  private(set) var words: UnsafeMutablePointer<UInt64>
  /// The capacity; ordinals beyond it are not contained.
  private(set) var limit: UInt64
  /// The ordinals of the entity's objects.
  let places: ObjectOrdinals
  /// The number of objects in the set.
  private(set) var count = 0

  /// An empty set, with room for all objects that have an ordinal, or for those of some clusters.
  init(_ places: ObjectOrdinals, clusters: Int? = nil) {
    self.places = places
    let capacity = max(1, min(clusters ?? .max, places.clusterCount)) * 4
    words = BitWords.zeros(capacity)
    limit = UInt64(capacity) * 64
  }

  deinit { words.deallocate() }

  /// A view for loops, valid until an object is added.
  var view: BitWords { BitWords(words: words, limit: limit) }

  /// Adds objects of a cluster.
  func insert(_ cluster: UInt64, _ mask: Mask) throws {
    if mask.isEmpty { return }
    let place = try places.cluster(cluster)
    grow(toHold: place << 8 | 255)
    let start = words + Int(place) * 4
    for word in 0..<4 {
      count += (mask.word(word) & ~start[word]).nonzeroBitCount
      start[word] |= mask.word(word)
    }
  }

  /// Adds the object with an ordinal; an invalid ordinal is ignored.
  @inline(__always)
  func insert(_ place: UInt64) {
    if place >= limit {
      if place >= places.limit { return }
      grow(toHold: place)
    }
    let bit: UInt64 = 1 &<< (place & 63)
    let word = Int(truncatingIfNeeded: place &>> 6)
    if words[word] & bit == 0 {
      words[word] |= bit
      count &+= 1
    }
  }

  /// Whether the object with an ordinal is in the set.
  @inline(__always)
  func contains(_ place: UInt64) -> Bool {
    place < limit && words[Int(truncatingIfNeeded: place &>> 6)] &>> (place & 63) & 1 != 0
  }

  /// The objects of a cluster that are in the set.
  func mask(_ cluster: UInt64) -> Mask { places.clusterIfThere(cluster).map { mask(at: $0) } ?? .none }

  private func mask(at cluster: UInt64) -> Mask {
    guard cluster < limit >> 8 else { return .none }
    return Mask(loading: UnsafePointer(words + Int(cluster) * 4))
  }

  /// Calls `body` with each cluster that has objects in the set, in ascending order.
  func forEachCluster(_ body: (_ number: UInt64, Mask) throws -> Void) rethrows {
    for cluster in 0..<limit >> 8 {
      let mask = mask(at: cluster)
      if !mask.isEmpty { try body(places.number(ofCluster: cluster), mask) }
    }
  }

  /// The objects, ascending.
  var numbers: [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    numbers.reserveCapacity(count)
    forEachCluster { cluster, mask in
      mask.forEach { numbers.append(ObjectNumber(cluster << 8 | UInt64(truncatingIfNeeded: $0))) }
    }
    return numbers
  }

  /// Grows the set to hold a valid ordinal.
  private func grow(toHold place: UInt64) {
    if place < limit { return }
    let wanted = max(place / 256 + 1, min(limit / 128, places.limit / 256)) * 256
    let grown = BitWords.zeros(Int(wanted / 64))
    grown.update(from: words, count: Int(limit / 64))
    words.deallocate()
    words = grown
    limit = wanted
  }
}
