internal import Storage
internal import Values

/// The targets of a link for every object of an entity, by ordinal. Paths over several links are followed in it,
/// forward and backward.
///
/// ```
/// starts   0 2 2 5 …      of each ordinal, and the end of the last
/// targets  7 9|4 4 8|…    of all objects, one after the other
/// ```
///
/// It is written by one thread and then only read.
final class AdjacencyList {
  private let starts: UnsafeMutablePointer<Int>
  private let targets: UnsafeMutablePointer<UInt64>
  /// Ordinals from here on have no targets.
  private let limit: Int
  /// The ordinals of the objects at the start of the links.
  let places: ObjectOrdinals

  private init(
    starts: UnsafeMutablePointer<Int>, targets: UnsafeMutablePointer<UInt64>, limit: Int, _ places: ObjectOrdinals
  ) {
    self.places = places
    self.starts = starts
    self.targets = targets
    self.limit = limit
  }

  deinit {
    starts.deallocate()
    targets.deallocate()
  }

  /// The targets of the object with an ordinal.
  @inline(__always)
  func targets(of place: UInt64) -> UnsafeBufferPointer<UInt64> {
    guard place < UInt64(limit) else { return UnsafeBufferPointer(start: nil, count: 0) }
    let place = Int(truncatingIfNeeded: place)
    return UnsafeBufferPointer(start: targets + starts[place], count: starts[place &+ 1] &- starts[place])
  }

  // MARK: Building

  /// The links of a column, in order and with repetitions. `places` and `others` have the ordinals of the objects at
  /// their starts and ends.
  static func forward(
    _ column: Int, of entity: StoredEntity, _ places: ObjectOrdinals, to others: ObjectOrdinals, in snapshot: Snapshot,
    _ cancellation: CancellationCheck
  ) throws -> AdjacencyList {
    var starts: [Int] = []
    var targets: [UInt64] = []
    let run = ClusterLinkReader()
    try snapshot.forEachCluster(entity) { cluster in
      try cancellation.check()
      let first = Int(try places.cluster(cluster.number)) << 8
      if starts.count < first { starts += repeatElement(targets.count, count: first - starts.count) }
      let view = try cluster.column(column)
      let runs = try run.read(view, cluster.present, others)
      // Both arrays are copied at the end.
      try cancellation.hold(2 * Mask.slotCount * MemoryLayout<Int>.size)
      for slot in 0..<Mask.slotCount {
        starts.append(targets.count)
        let links = runs.targets(of: slot)
        try cancellation.step(links.count)
        try cancellation.hold(2 * links.count * MemoryLayout<UInt64>.size)
        if !links.isEmpty { targets.append(contentsOf: links) }
      }
      return true
    }
    let limit = starts.count
    starts.append(targets.count)
    return AdjacencyList(starts: copied(starts), targets: copied(targets), limit: limit, places)
  }

  /// The inverse links: the sources of each object, ascending, each once. `places` has the ordinals of the targets.
  func transposed(_ places: ObjectOrdinals, _ cancellation: CancellationCheck) throws -> AdjacencyList {
    let limit = places.clusterCount << 8
    try cancellation.hold((limit + 1) * MemoryLayout<Int>.size)
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: limit + 1)
    starts.initialize(repeating: 0, count: limit + 1)
    var isWhole = false
    defer { if !isWhole { starts.deallocate() } }
    // The last source seen for each target, plus 1.
    let latest = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, limit))
    latest.initialize(repeating: 0, count: limit)
    defer { latest.deallocate() }
    try forEachNew(latest, limit, cancellation) { starts[$1 + 1] += 1 }
    try cancellation.forEachPart(limit) { for place in $0 { starts[place + 1] += starts[place] } }
    let sources = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, starts[limit]))
    defer { if !isWhole { sources.deallocate() } }
    latest.update(repeating: 0, count: limit)
    // Filling a run advances its start to the start of the next; the starts are restored afterwards.
    try forEachNew(latest, limit, cancellation) { source, target in
      sources[starts[target]] = source
      starts[target] += 1
    }
    for place in stride(from: limit, to: 0, by: -1) { starts[place] = starts[place - 1] }
    starts[0] = 0
    isWhole = true
    return AdjacencyList(starts: starts, targets: sources, limit: limit, places)
  }

  private func forEachNew(
    _ latest: UnsafeMutablePointer<UInt64>, _ limit: Int, _ cancellation: CancellationCheck,
    _ body: (UInt64, Int) -> Void
  ) throws {
    for source in 0..<self.limit {
      try cancellation.step(1 + starts[source + 1] - starts[source])
      let mark = UInt64(source) &+ 1
      for place in starts[source]..<starts[source + 1] {
        let target = Int(clamping: targets[place])
        guard target < limit, latest[target] != mark else { continue }
        latest[target] = mark
        body(UInt64(source), target)
      }
    }
  }

  private static func copied<T>(_ values: [T]) -> UnsafeMutablePointer<T> {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: max(1, values.count))
    values.withUnsafeBufferPointer { if let start = $0.baseAddress { memory.initialize(from: start, count: $0.count) } }
    return memory
  }
}
