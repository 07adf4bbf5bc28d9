internal import Schema
internal import Storage
internal import Values

/// Operators that jump from key to key of an index.
extension Executor {
  /// The first object of each key, sorted by object ID.
  func firsts(_ range: IndexRange) throws -> [UInt64] {
    var objects: [UInt64] = []
    try forEachKey(range) { _, first, _ in objects.append(first) }
    try objects.sort(cancellation)
    return objects
  }

  /// The number of keys.
  func keyCount(_ range: IndexRange) throws -> Int {
    var count = 0
    try forEachKey(range) { _, _, _ in count += 1 }
    return count
  }

  /// A group for each key, with its values in the order of `columns` and the number of objects for each aggregate.
  func groups(_ node: PlanNode, _ range: IndexRange, columns: [Int], counts: Int) throws -> FoundGroups {
    let places = columns.compactMap { range.index.columns.firstIndex(of: $0) }
    var members: [Value] = []
    var firsts: [KeyedObject] = []
    try forEachKey(range) { key, first, count in
      guard let values = IndexKey.decode(key, types: range.index.types) else {
        throw StoreError.corrupted(location: "the index \(range.index.name): a key that is not one of its type")
      }
      for place in places { members.append(values[place]) }
      for _ in 0..<counts { members.append(.int(Int64(count))) }
      firsts.append(KeyedObject(key: first, object: UInt64(firsts.count)))
    }
    try RadixSort.sort(&firsts, cancellation)
    metrics?.nodes[node.id].ran = true
    metrics?.nodes[node.id].rows = firsts.count
    return FoundGroups(members, width: places.count + counts, order: firsts.map { Int($0.object) })
  }

  private func forEachKey(
    _ range: IndexRange, _ body: (_ key: UnsafeRawBufferPointer, _ first: UInt64, _ count: Int) throws -> Void
  ) throws {
    let reader = try snapshot.index(range.index, of: entity)
    // A jump costs as much as reading several entries.
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
