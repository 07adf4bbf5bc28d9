internal import Storage
internal import Values

/// Where every object of an entity leads to by one link, by number: what walks over several links go along, and those
/// back from objects to who links to them.
///
/// ```
/// starts   0 2 2 5 …      of each number, and the end of the last
/// targets  7 9|4 4 8|…    of all objects one after the other
/// ```
///
/// It is written by one thread and then only read.
final class LinkTable {
  private let starts: UnsafeMutablePointer<Int>
  private let targets: UnsafeMutablePointer<UInt64>
  /// Numbers from here on lead nowhere.
  private let limit: Int

  private init(starts: UnsafeMutablePointer<Int>, targets: UnsafeMutablePointer<UInt64>, limit: Int) {
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

  /// Where an object leads to.
  @inline(__always)
  func targets(of number: UInt64) -> UnsafeBufferPointer<UInt64> {
    guard number < UInt64(limit) else { return UnsafeBufferPointer(start: nil, count: 0) }
    let place = Int(truncatingIfNeeded: number)
    return UnsafeBufferPointer(start: targets + starts[place], count: starts[place &+ 1] &- starts[place])
  }

  // MARK: Making one

  /// The links of a column, in order and as often as they are there.
  static func forward(
    _ column: Int, of entity: StoredEntity, in snapshot: Snapshot, check: () throws -> Void
  ) throws -> LinkTable {
    var starts: [Int] = []
    var targets: [UInt64] = []
    let run = LinkRun()
    try snapshot.forEachCluster(entity) { cluster in
      try check()
      let first = Int(clamping: cluster.number) << 8
      if starts.count < first { starts += repeatElement(targets.count, count: first - starts.count) }
      let view = try cluster.column(column)
      try run.read(view, cluster.present)
      for slot in 0..<Mask.slotCount {
        starts.append(targets.count)
        let links = run.targets(of: slot)
        if !links.isEmpty { targets.append(contentsOf: links) }
      }
      return true
    }
    let limit = starts.count
    starts.append(targets.count)
    return LinkTable(starts: copied(starts), targets: copied(targets), limit: limit)
  }

  /// The same links from their other ends: who links to each object, ascending, each once. `limit` is above the numbers
  /// of all that are linked to.
  func transposed(limit: UInt64) -> LinkTable {
    let limit = Int(clamping: limit)
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: limit + 1)
    starts.initialize(repeating: 0, count: limit + 1)
    // One more than the object that was last seen to link there.
    let latest = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, limit))
    latest.initialize(repeating: 0, count: limit)
    defer { latest.deallocate() }
    forEachNew(latest, limit) { starts[$1 + 1] += 1 }
    for place in 0..<limit { starts[place + 1] += starts[place] }
    let sources = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, starts[limit]))
    latest.update(repeating: 0, count: limit)
    // Each start moves on to the next one's as its run is filled, and is put back.
    forEachNew(latest, limit) { source, target in
      sources[starts[target]] = source
      starts[target] += 1
    }
    for place in stride(from: limit, to: 0, by: -1) { starts[place] = starts[place - 1] }
    starts[0] = 0
    return LinkTable(starts: starts, targets: sources, limit: limit)
  }

  private func forEachNew(_ latest: UnsafeMutablePointer<UInt64>, _ limit: Int, _ body: (UInt64, Int) -> Void) {
    for source in 0..<self.limit {
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

/// The links of one cluster's objects, unpacked: of each slot a run of numbers. Memory is kept from cluster to cluster.
///
/// What loops over them sees plain numbers, whatever width they are stored in.
final class LinkRun {
  private let starts: UnsafeMutablePointer<Int>
  private let ends: UnsafeMutablePointer<Int>
  private var numbers: UnsafeMutablePointer<UInt64>
  private var capacity = 4096
  private var used = 0

  init() {
    starts = .allocate(capacity: Mask.slotCount)
    ends = .allocate(capacity: Mask.slotCount)
    numbers = .allocate(capacity: capacity)
    starts.initialize(repeating: 0, count: Mask.slotCount)
    ends.initialize(repeating: 0, count: Mask.slotCount)
  }

  deinit {
    starts.deallocate()
    ends.deallocate()
    numbers.deallocate()
  }

  /// Where the object of a slot leads to.
  @inline(__always)
  func targets(of slot: Int) -> UnsafeBufferPointer<UInt64> {
    UnsafeBufferPointer(start: numbers + starts[slot], count: ends[slot] &- starts[slot])
  }

  /// Takes a link column of a cluster, to one or to many, for the objects in some slots: what stands in those without an
  /// object means nothing.
  func read(_ view: ColumnView, _ present: Mask) throws {
    starts.update(repeating: 0, count: Mask.slotCount)
    ends.update(repeating: 0, count: Mask.slotCount)
    used = 0
    guard case .collection(let values) = view.values else {
      unpack(view.values, 0..<min(view.slotCount, Mask.slotCount))
      guard used > 0 else { return }
      present.andNot(view.nulls).forEach {
        starts[$0] = $0
        ends[$0] = $0 &+ 1
      }
      return
    }
    unpack(values.elements, 0..<values.elementCount)
    if used > 0 || values.elementCount == 0 {
      present.andNot(view.nulls | view.outOfLine).forEach {
        let range = values.range(at: $0)
        starts[$0] = range.lowerBound
        ends[$0] = range.upperBound
      }
    }
    // Long lists are elsewhere, one by one.
    for slot in 0..<Mask.slotCount where view.outOfLine[slot] && present[slot] {
      guard let elements = try view.elements(at: slot) else { continue }
      starts[slot] = used
      unpack(elements.values, elements.range)
      ends[slot] = used
    }
  }

  /// Appends numbers; none of values of other kinds, which no links are.
  private func unpack(_ values: ColumnValues, _ range: Range<Int>) {
    let count = range.count
    if count == 0 { return }
    grow(by: count)
    let output = numbers + used
    let first = range.lowerBound
    switch values {
    case .int8(let base, let offsets):
      for place in 0..<count { output[place] = UInt64(bitPattern: base &+ Int64(offsets[first &+ place])) }
    case .int16(let base, let offsets):
      for place in 0..<count { output[place] = UInt64(bitPattern: base &+ Int64(offsets[first &+ place])) }
    case .int32(let base, let offsets):
      for place in 0..<count { output[place] = UInt64(bitPattern: base &+ Int64(offsets[first &+ place])) }
    case .int64(let values):
      for place in 0..<count { output[place] = UInt64(bitPattern: values[first &+ place]) }
    case .same(.int(let number)): output.update(repeating: UInt64(bitPattern: number), count: count)
    default: return
    }
    used += count
  }

  private func grow(by count: Int) {
    if used + count <= capacity { return }
    capacity = max(used + count, 2 * capacity)
    let grown = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
    grown.initialize(from: numbers, count: used)
    numbers.deallocate()
    numbers = grown
  }
}
