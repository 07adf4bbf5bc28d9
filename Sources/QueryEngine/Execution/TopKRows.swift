internal import Storage
internal import Values

/// The first few objects in the order of several values of any type, kept sorted. `TopKHeap` is faster for a single
/// number.
struct TopKRows {
  /// An object with the values of its keys.
  struct Entry {
    var keys: [Value]
    var object: UInt64
  }

  private let count: Int
  private let ascending: [Bool]
  private var entries: [Entry] = []

  init(count: Int, ascending: [Bool]) {
    self.count = count
    self.ascending = ascending
  }

  /// The last of the kept objects; nil until there are enough of them.
  var bound: Entry? { entries.count == count ? entries.last : nil }

  /// The kept objects, in order.
  var objects: [UInt64] { entries.map(\.object) }

  /// Adds an object if it comes before the last kept one.
  mutating func offer(_ entry: Entry) {
    if let bound, !comesBefore(entry, bound) { return }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(entry, entries[middle]) { high = middle } else { low = middle + 1 }
    }
    entries.insert(entry, at: low)
    if entries.count > count { entries.removeLast() }
  }

  private func comesBefore(_ left: Entry, _ right: Entry) -> Bool {
    for index in left.keys.indices {
      let order = SortOrder.compare(left.keys[index], right.keys[index])
      if order != 0 { return (order < 0) == ascending[index] }
    }
    return left.object < right.object
  }
}
