/// The positions of keys in a list: sorted, with lookup by binary search.
///
/// The first dictionary with a new key type in a process makes the runtime search all protocol conformances of the
/// program, which takes as long as opening a store otherwise does. This type needs no such search.
struct SortedPositions<Key: Comparable & Sendable>: Sendable {
  private let sorted: [(key: Key, position: Int)]

  /// The positions of `keys`; for equal keys the position of the first.
  init(_ keys: [Key]) {
    var sorted: [(key: Key, position: Int)] = []
    sorted.reserveCapacity(keys.count)
    for position in keys.indices { sorted.append((keys[position], position)) }
    sorted.sort { $0.key != $1.key ? $0.key < $1.key : $0.position < $1.position }
    self.sorted = sorted
  }

  /// The position of a key; nil if it is not in the list.
  subscript(key: Key) -> Int? {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) >> 1
      if sorted[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low].key == key ? sorted[low].position : nil
  }
}
