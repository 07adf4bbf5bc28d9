internal import Storage
internal import Values

/// The first few objects in the order of one value of any kind, kept in order. For numbers `TopObjects` is quicker.
struct TopValues {
  private let count: Int
  private let ascending: Bool
  private var entries: [(value: Value, object: UInt64)] = []

  init(count: Int, ascending: Bool) {
    self.count = count
    self.ascending = ascending
  }

  /// The objects kept, in order.
  var objects: [UInt64] { entries.map(\.object) }

  /// Whether an object younger than all that were offered would be kept for its value.
  func wouldKeep(_ value: Value) -> Bool {
    guard entries.count == count, let last = entries.last else { return count > 0 }
    return comesBefore(value, last.value)
  }

  /// Considers an object younger than all that were offered before.
  mutating func offer(_ value: Value, _ object: UInt64) {
    guard wouldKeep(value) else { return }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(value, entries[middle].value) { high = middle } else { low = middle + 1 }
    }
    entries.insert((value, object), at: low)
    if entries.count > count { entries.removeLast() }
  }

  private func comesBefore(_ left: Value, _ right: Value) -> Bool {
    let order = SortOrder.compare(left, right)
    return ascending ? order < 0 : order > 0
  }
}
