internal import Storage
internal import Values

/// The links of one cluster's objects, unpacked: a run of ordinals for each slot, which are usually the targets' IDs.
/// The memory is reused from cluster to cluster.
///
/// Loops over the links see plain 64-bit numbers, regardless of the stored width. If objects link to objects that were
/// created together with them, the ordinals are consecutive; runs are then ranges, and sets are tested a word at a
/// time.
final class ClusterLinkReader {
  private let starts: UnsafeMutablePointer<Int>
  private let ends: UnsafeMutablePointer<Int>
  private var numbers: UnsafeMutablePointer<UInt64>
  private var capacity = 4096
  private var used = 0
  /// The ordinals before this position are consecutive.
  private var consecutive = 0
  /// The first of the consecutive ordinals.
  private var first: UInt64 = 0
  /// The runs that were read last.
  private var latest: (cluster: UInt64, column: Int, slots: Mask)?

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

  // MARK: Reading

  /// Reads a link column of a cluster; the column's entity must always be the same. The last result is reused: several
  /// filters over one link read it in turn, each for some of the slots that the filter before it left.
  ///
  /// Consecutive ordinals are not written to memory.
  func read(_ column: Int, of cluster: ClusterView, _ slots: Mask, _ places: ObjectOrdinals) throws -> ClusterLinks {
    if let latest, latest.cluster == cluster.number, latest.column == column, slots.andNot(latest.slots).isEmpty {
      return runs
    }
    let runs = try read(try cluster.column(column), slots, places, asRanges: true)
    latest = (cluster.number, column, slots)
    return runs
  }

  private var runs: ClusterLinks {
    ClusterLinks(starts: starts, ends: ends, numbers: numbers, consecutive: consecutive, first: first)
  }

  /// Reads a to-one or to-many link column of a cluster, for the objects in some slots; the result is undefined for
  /// slots without an object. `places` has the targets' ordinals. The result is valid until the next read.
  ///
  /// - Parameter asRanges: Whether ranges of targets need not be written to memory, because no caller reads them.
  func read(_ view: ColumnView, _ slots: Mask, _ places: ObjectOrdinals, asRanges: Bool = false) throws -> ClusterLinks
  {
    latest = nil
    if case .collection(let values) = view.values {
      used = 0
      let (elements, count) = (values.elements, values.elementCount)
      if asRanges, places.isPlain, let first = Self.firstConsecutive(elements, count) {
        grow(by: count)
        (used, consecutive, self.first) = (count, count, first)
      } else {
        unpack(elements, 0..<count, places)
        let ordinals = NumberBlock(.int64, .integers, base: 0, numbers, count: used)
        consecutive = ordinals.areConsecutive(used) ? used : 0
        first = used > 0 ? numbers[0] : 0
      }
      let isWhole = used == count
      place(
        isWhole ? slots.andNot(view.nulls | view.outOfLine) : .none, view.slotCount, values.offsets, values.isShared)
      try readLong(view, view.outOfLine & slots, places)
    } else {
      let isThere = readOne(view, places) != nil
      place(isThere ? slots.andNot(view.nulls) : .none)
    }
    return runs
  }

  /// Sets the runs of some slots from their offsets.
  private func place(_ slots: Mask, _ slotCount: Int, _ offsets: UnsafePointer<UInt32>, _ isShared: Bool) {
    let count = min(slotCount, Mask.slotCount)
    if isShared {
      for slot in 0..<count { (starts[slot], ends[slot]) = (Int(offsets[0]), Int(offsets[1])) }
    } else {
      for slot in 0..<count { starts[slot] = Int(offsets[slot]) }
      for slot in 0..<count { ends[slot] = Int(offsets[slot &+ 1]) }
    }
    (~(slots & Mask(firstCount: count))).forEach { clear($0) }
  }

  /// Sets the run of each of some slots to the single ordinal at the slot's position.
  private func place(_ slots: Mask) {
    for slot in 0..<Mask.slotCount {
      starts[slot] = slot
      ends[slot] = slot &+ 1
    }
    (~slots).forEach { clear($0) }
  }

  @inline(__always)
  private func clear(_ slot: Int) {
    starts[slot] = 0
    ends[slot] = 0
  }

  /// Overflow lists are read one by one.
  private func readLong(_ view: ColumnView, _ slots: Mask, _ places: ObjectOrdinals) throws {
    if slots.isEmpty { return }
    for slot in 0..<Mask.slotCount where slots[slot] {
      guard let elements = try view.elements(at: slot) else { continue }
      starts[slot] = used
      unpack(elements.values, elements.range, places)
      ends[slot] = used
    }
  }

  /// Reads a to-one link column. Returns the target's ordinal for every slot, undefined for slots without a link.
  /// Returns nil if all slots are nil, or for values that are not links.
  func readOne(_ view: ColumnView, _ places: ObjectOrdinals) -> UnsafePointer<UInt64>? {
    latest = nil
    used = 0
    consecutive = 0
    unpack(view.values, 0..<min(view.slotCount, Mask.slotCount), places)
    if used == 0 { return nil }
    (numbers + used).update(repeating: ObjectOrdinals.nowhere, count: Mask.slotCount - used)
    return UnsafePointer(numbers)
  }

  /// Appends the ordinals of targets; none for values that are not links.
  private func unpack(_ values: ColumnValues, _ range: Range<Int>, _ places: ObjectOrdinals) {
    let count = range.count
    if count == 0 { return }
    grow(by: count)
    let output = numbers + used
    switch values {
    case .numbers(let numbers):
      output.withMemoryRebound(to: Int64.self, capacity: count) { numbers.copyIntegers(range, to: $0) }
    case .same(.int(let number)): output.update(repeating: UInt64(bitPattern: number), count: count)
    case .same, .bits, .uuid, .dictionary, .text, .collection: return
    }
    places.place(output, count)
    used += count
  }

  /// The first of some links that are all consecutive; nil if they are not.
  private static func firstConsecutive(_ values: ColumnValues, _ count: Int) -> UInt64? {
    guard case .numbers(let numbers) = values, numbers.areConsecutive(count) else { return nil }
    return UInt64(bitPattern: numbers.integer(0))
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
