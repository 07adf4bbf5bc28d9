internal import Storage
internal import Values

/// Where every object of an entity leads to by one link, by place: what walks over several links go along, and those
/// back from objects to who links to them.
///
/// ```
/// starts   0 2 2 5 …      of each place, and the end of the last
/// targets  7 9|4 4 8|…    of all objects one after the other
/// ```
///
/// It is written by one thread and then only read.
final class AdjacencyList {
  private let starts: UnsafeMutablePointer<Int>
  private let targets: UnsafeMutablePointer<UInt64>
  /// Places from here on lead nowhere.
  private let limit: Int
  /// Where the objects stand that lead somewhere.
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

  /// How many links there are.
  var count: Int { starts[limit] }

  /// Where the object at a place leads to.
  @inline(__always)
  func targets(of place: UInt64) -> UnsafeBufferPointer<UInt64> {
    guard place < UInt64(limit) else { return UnsafeBufferPointer(start: nil, count: 0) }
    let place = Int(truncatingIfNeeded: place)
    return UnsafeBufferPointer(start: targets + starts[place], count: starts[place &+ 1] &- starts[place])
  }

  // MARK: Making one

  /// The links of a column, in order and as often as they are there. `places` and `others` are where the objects at
  /// their beginnings and ends stand.
  static func forward(
    _ column: Int, of entity: StoredEntity, _ places: ObjectOrdinals, to others: ObjectOrdinals, in snapshot: Snapshot,
    _ cancellation: CancellationCheck
  ) throws -> AdjacencyList {
    var starts: [Int] = []
    var targets: [UInt64] = []
    let run = LinkRun()
    try snapshot.forEachCluster(entity) { cluster in
      try cancellation.check()
      let first = Int(try places.cluster(cluster.number)) << 8
      if starts.count < first { starts += repeatElement(targets.count, count: first - starts.count) }
      let view = try cluster.column(column)
      let runs = try run.read(view, cluster.present, others)
      for slot in 0..<Mask.slotCount {
        starts.append(targets.count)
        let links = runs.targets(of: slot)
        try cancellation.step(links.count)
        if !links.isEmpty { targets.append(contentsOf: links) }
      }
      return true
    }
    let limit = starts.count
    starts.append(targets.count)
    return AdjacencyList(starts: copied(starts), targets: copied(targets), limit: limit, places)
  }

  /// The same links from their other ends: who links to each object, ascending, each once. `places` is where those
  /// stand that are linked to.
  func transposed(_ places: ObjectOrdinals, _ cancellation: CancellationCheck) throws -> AdjacencyList {
    let limit = places.clusterCount << 8
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: limit + 1)
    starts.initialize(repeating: 0, count: limit + 1)
    var isWhole = false
    defer { if !isWhole { starts.deallocate() } }
    // One more than the object that was last seen to link there.
    let latest = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, limit))
    latest.initialize(repeating: 0, count: limit)
    defer { latest.deallocate() }
    try forEachNew(latest, limit, cancellation) { starts[$1 + 1] += 1 }
    try cancellation.forEachPart(limit) { for place in $0 { starts[place + 1] += starts[place] } }
    let sources = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, starts[limit]))
    defer { if !isWhole { sources.deallocate() } }
    latest.update(repeating: 0, count: limit)
    // Each start moves on to the next one's as its run is filled, and is put back.
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
