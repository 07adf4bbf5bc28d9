internal import Storage
internal import Values

/// The links of one cluster's objects, unpacked: of each slot a run of places, which mostly are the targets' numbers. Memory is kept from cluster to cluster.
///
/// What loops over them sees plain numbers, whatever width they are stored in. Where objects link to what was made with
/// them, the numbers count up by one; then runs are ranges, and sets are asked about a word of them at a time.
final class LinkRun {
  private let starts: UnsafeMutablePointer<Int>
  private let ends: UnsafeMutablePointer<Int>
  private var numbers: UnsafeMutablePointer<UInt64>
  private var capacity = 4096
  private var used = 0
  /// The numbers before this place count up by one.
  private var consecutive = 0
  /// The first of those.
  private var first: UInt64 = 0
  /// Whose runs were read last.
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

  /// Takes a link column of a cluster of the one entity that is asked about. What was just read is not read again:
  /// several conditions over one link ask one after the other, each about some of those that the one before left.
  ///
  /// Numbers that count up are not written down.
  func read(_ column: Int, of cluster: ClusterView, _ slots: Mask, _ places: ObjectOrdinals) throws -> LinkRuns {
    if let latest, latest.cluster == cluster.number, latest.column == column, slots.andNot(latest.slots).isEmpty {
      return runs
    }
    let runs = try read(try cluster.column(column), slots, places, asRanges: true)
    latest = (cluster.number, column, slots)
    return runs
  }

  private var runs: LinkRuns {
    LinkRuns(starts: starts, ends: ends, numbers: numbers, consecutive: consecutive, first: first)
  }

  /// Takes a link column of a cluster, to one or to many, for the objects in some slots: what stands in those without
  /// an object means nothing. `places` is where the targets stand. What is given is good until the next is taken.
  ///
  /// - Parameter asRanges: Whether nobody asks for the targets of a slot that are a range, so that they need not be
  ///   written down.
  func read(_ view: ColumnView, _ slots: Mask, _ places: ObjectOrdinals, asRanges: Bool = false) throws -> LinkRuns {
    latest = nil
    if case .collection(let values) = view.values {
      used = 0
      let (elements, count) = (values.elements, values.elementCount)
      if asRanges, places.isPlain, let first = Self.firstConsecutive(elements, count) {
        grow(by: count)
        (used, consecutive, self.first) = (count, count, first)
      } else {
        unpack(elements, 0..<count, places)
        consecutive = Self.countUp(UnsafePointer(numbers), used) ? used : 0
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

  /// Notes where the runs of some slots are, which begin and end at offsets.
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

  /// Notes that the run of each of some slots is the number of the same place.
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

  /// Long lists are elsewhere, one by one.
  private func readLong(_ view: ColumnView, _ slots: Mask, _ places: ObjectOrdinals) throws {
    if slots.isEmpty { return }
    for slot in 0..<Mask.slotCount where slots[slot] {
      guard let elements = try view.elements(at: slot) else { continue }
      starts[slot] = used
      unpack(elements.values, elements.range, places)
      ends[slot] = used
    }
  }

  /// Takes a link column to one, and gives the target's place for every slot; those of slots without a link mean nothing. nil for
  /// values of other kinds, which no links are, and where all are nil.
  func readOne(_ view: ColumnView, _ places: ObjectOrdinals) -> UnsafePointer<UInt64>? {
    latest = nil
    used = 0
    consecutive = 0
    unpack(view.values, 0..<min(view.slotCount, Mask.slotCount), places)
    if used == 0 { return nil }
    (numbers + used).update(repeating: ObjectOrdinals.nowhere, count: Mask.slotCount - used)
    return UnsafePointer(numbers)
  }

  /// Appends the places of targets; none of values of other kinds.
  private func unpack(_ values: ColumnValues, _ range: Range<Int>, _ places: ObjectOrdinals) {
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
    places.place(output, count)
    used += count
  }

  /// The first of some links that all count up by one; nil where they do not.
  private static func firstConsecutive(_ values: ColumnValues, _ count: Int) -> UInt64? {
    switch values {
    case .int8(let base, let offsets) where countUp(offsets, count):
      UInt64(bitPattern: base &+ Int64(offsets[0]))
    case .int16(let base, let offsets) where countUp(offsets, count):
      UInt64(bitPattern: base &+ Int64(offsets[0]))
    case .int32(let base, let offsets) where countUp(offsets, count):
      UInt64(bitPattern: base &+ Int64(offsets[0]))
    default: nil
    }
  }

  /// Whether there are numbers, and all count up by one.
  @inline(__always)
  private static func countUp<T: FixedWidthInteger & UnsignedInteger>(_ numbers: UnsafePointer<T>, _ count: Int) -> Bool
  {
    guard count > 0, UInt64(numbers[count &- 1]) &- UInt64(numbers[0]) == UInt64(count &- 1) else { return false }
    var differs: T = 0
    for place in 1..<max(count, 1) { differs |= (numbers[place] &- numbers[place &- 1]) ^ 1 }
    return differs == 0
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
