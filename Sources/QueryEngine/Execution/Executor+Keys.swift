internal import Schema
internal import Storage
internal import Values

/// What is found by jumping from key to key of an index.
extension Executor {
  /// The first object of each key, in insertion order.
  func firsts(_ range: IndexRange) throws -> [UInt64] {
    var objects: [UInt64] = []
    try forEachKey(range) { _, first, _ in objects.append(first) }
    try objects.sort(patience)
    return objects
  }

  /// How many keys there are.
  func keyCount(_ range: IndexRange) throws -> Int {
    var count = 0
    try forEachKey(range) { _, _, _ in count += 1 }
    return count
  }

  /// A row for each key, its values in the order of `columns` with a number of objects for each of the aggregates, in
  /// the order of the first members.
  func groups(_ node: PlanNode, _ range: IndexRange, columns: [Int], counts: Int) throws -> [[Value]] {
    let places = columns.compactMap { range.index.columns.firstIndex(of: $0) }
    var groups: [(first: UInt64, row: [Value])] = []
    try forEachKey(range) { key, first, count in
      guard let values = IndexKey.decode(key, types: range.index.types) else {
        throw StoreError.corrupted(location: "the index \(range.index.name): a key that stands for nothing")
      }
      let row = places.map { values[$0] } + [Value](repeating: .int(Int64(count)), count: counts)
      groups.append((first, row))
    }
    groups = try groups.sorted(patience) { $0.first < $1.first }
    meter?.nodes[node.id].ran = true
    meter?.nodes[node.id].rows = groups.count
    return groups.map(\.row)
  }

  private func forEachKey(
    _ range: IndexRange, _ body: (_ key: UnsafeRawBufferPointer, _ first: UInt64, _ count: Int) throws -> Void
  ) throws {
    let reader = try snapshot.index(range.index, of: entity)
    // A jump is as much work as several entries.
    let jump = Int((CostModel.indexKey / CostModel.indexEntry).rounded())
    for part in range.ranges {
      try reader.forEachKey(part) { key, first, count in
        try checkCancelled()
        try noteWalked(jump)
        try body(key, first, count)
        return true
      }
    }
  }
}
