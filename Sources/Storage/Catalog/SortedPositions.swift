/// Where each of some keys stands in a list: sorted, and found by halving.
///
/// The first dictionary of a kind of keys in a process has the runtime look through all conformances of the program, which
/// takes as long as opening a store does without it. Nothing here needs a conformance that is looked for.
struct SortedPositions<Key: Comparable & Sendable>: Sendable {
  private let sorted: [(key: Key, position: Int)]

  /// The positions of `keys`; of equal ones that of the first.
  init(_ keys: [Key]) {
    var sorted: [(key: Key, position: Int)] = []
    sorted.reserveCapacity(keys.count)
    for position in keys.indices { sorted.append((keys[position], position)) }
    sorted.sort { $0.key != $1.key ? $0.key < $1.key : $0.position < $1.position }
    self.sorted = sorted
  }

  /// The position of a key; nil when it is none of them.
  subscript(key: Key) -> Int? {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) >> 1
      if sorted[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low].key == key ? sorted[low].position : nil
  }
}
