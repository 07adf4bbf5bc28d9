internal import Storage

/// The group of each object of a set, recorded during grouping. It finds the first object of each group in another
/// order without reading values again.
final class GroupNumbers {
  private let set: ObjectSet
  /// The group number for each slot of each cluster in the set.
  private let numbers: UnsafeMutablePointer<UInt32>
  /// The position of the next cluster to record.
  private var next = 0
  private static let noGroup = UInt32.max

  init(_ set: ObjectSet) {
    self.set = set
    numbers = .allocate(capacity: set.clusters.count * Mask.slotCount)
    numbers.initialize(repeating: Self.noGroup, count: set.clusters.count * Mask.slotCount)
  }

  deinit { numbers.deallocate() }

  /// Records the groups of a cluster's objects. Each cluster is recorded once, in the order of the set.
  func note(_ cluster: UInt64, _ mask: Mask, _ groups: GroupPartition) {
    while next < set.clusters.count, set.clusters[next] < cluster { next += 1 }
    guard next < set.clusters.count, set.clusters[next] == cluster else { return }
    let start = numbers + next * Mask.slotCount
    if groups.areMasks {
      for part in 0..<groups.count {
        let number = groups.numbers[part]
        groups.masks[part].forEach { start[$0] = number }
      }
    } else {
      let slots = groups.slots
      mask.forEach { start[$0] = slots[$0] }
    }
  }

  /// Calls `body` with the first object of each group, for objects of the set in a given order, until it returns false.
  ///
  /// - Parameter count: The number of groups.
  func forEachFirst(
    of objects: [UInt64], groups count: Int, _ cancellation: CancellationCheck,
    _ body: (_ object: UInt64, _ group: Int) -> Bool
  ) throws {
    var isFound = [Bool](repeating: false, count: count)
    var left = count
    try forEach(of: objects, cancellation) { object, group in
      if isFound[group] { return true }
      isFound[group] = true
      left -= 1
      return body(object, group) && left > 0
    }
  }

  /// Calls `body` with each object of the set and its group, for objects in a given order, until it returns false.
  func forEach(
    of objects: [UInt64], _ cancellation: CancellationCheck, _ body: (_ object: UInt64, _ group: Int) -> Bool
  ) throws {
    let row = rows()
    for object in objects {
      try cancellation.step()
      guard let row = row(object >> 8) else { continue }
      let number = numbers[row * Mask.slotCount + Int(truncatingIfNeeded: object & 255)]
      if number == Self.noGroup { continue }
      if !body(object, Int(number)) { return }
    }
  }

  /// Returns a function that finds the position of a cluster in the set: by a table of all numbers if these are close
  /// together, as they usually are.
  private func rows() -> (UInt64) -> Int? {
    guard let first = set.clusters.first, let last = set.clusters.last else { return { _ in nil } }
    let span = last - first
    if span < UInt64(set.clusters.count) * 4 {
      var rows = [Int32](repeating: -1, count: Int(span) + 1)
      for (row, cluster) in set.clusters.enumerated() { rows[Int(cluster - first)] = Int32(truncatingIfNeeded: row) }
      return { cluster in
        guard cluster >= first, cluster <= last else { return nil }
        let row = rows[Int(cluster - first)]
        return row < 0 ? nil : Int(row)
      }
    }
    let rows = Dictionary(uniqueKeysWithValues: zip(set.clusters, 0...))
    return { rows[$0] }
  }
}
