/// A key that `SortedPositions` finds.
protocol SortedKey: Equatable, Sendable {
  /// Whether it stands before another key, in an order in which all keys that differ at all differ.
  func isBefore(_ other: Self) -> Bool
  /// Whether keys that differ in this order may be equal to it.
  var hasOtherForms: Bool { get }
}

extension UInt32: SortedKey {
  func isBefore(_ other: UInt32) -> Bool { self < other }
  var hasOtherForms: Bool { false }
}

/// By their bytes: `<` of texts that are in different normal forms is not a total order. `e` with a combining accent and
/// `é2` with the composed letter are not equal, and none of both is less.
extension String: SortedKey {
  func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
  var hasOtherForms: Bool { utf8.contains { $0 >= 0x80 } }
}

/// The positions of keys in a list: sorted, with lookup by binary search.
///
/// The first dictionary with a new key type in a process makes the runtime search all protocol conformances of the
/// program, which takes as long as opening a store otherwise does. This type needs no such search.
struct SortedPositions<Key: SortedKey>: Sendable {
  private let sorted: [(key: Key, position: Int)]
  private let haveOtherForms: Bool

  /// The positions of `keys`; for equal keys the position of the first.
  init(_ keys: [Key]) {
    var sorted: [(key: Key, position: Int)] = []
    sorted.reserveCapacity(keys.count)
    var haveOtherForms = false
    for position in keys.indices {
      sorted.append((keys[position], position))
      if keys[position].hasOtherForms { haveOtherForms = true }
    }
    sorted.sort {
      $0.key.isBefore($1.key) || !$1.key.isBefore($0.key) && $0.position < $1.position
    }
    self.sorted = sorted
    self.haveOtherForms = haveOtherForms
  }

  /// The position of a key; nil if it is not in the list. One in the same form comes before one in another form.
  subscript(key: Key) -> Int? {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) >> 1
      if sorted[middle].key.isBefore(key) { low = middle + 1 } else { high = middle }
    }
    if low < sorted.count, !key.isBefore(sorted[low].key) { return sorted[low].position }
    guard haveOtherForms || key.hasOtherForms else { return nil }
    var first: Int?
    for (known, position) in sorted where known == key { first = min(first ?? position, position) }
    return first
  }
}
