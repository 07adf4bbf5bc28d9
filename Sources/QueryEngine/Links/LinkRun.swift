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
  func read(_ column: Int, of cluster: ClusterView, _ slots: Mask, _ places: ObjectPlaces) throws -> LinkRuns {
    if let latest, latest.cluster == cluster.number, latest.column == column, slots.andNot(latest.slots).isEmpty {
      return runs
    }
    let runs = try read(try cluster.column(column), slots, places)
    latest = (cluster.number, column, slots)
    return runs
  }

  private var runs: LinkRuns {
    LinkRuns(starts: starts, ends: ends, numbers: numbers, consecutive: consecutive)
  }

  /// Takes a link column of a cluster, to one or to many, for the objects in some slots: what stands in those without
  /// an object means nothing. `places` is where the targets stand. What is given is good until the next is taken.
  func read(_ view: ColumnView, _ slots: Mask, _ places: ObjectPlaces) throws -> LinkRuns {
    latest = nil
    if case .collection(let values) = view.values {
      used = 0
      unpack(values.elements, 0..<values.elementCount, places)
      consecutive = countConsecutive()
      let isWhole = used == values.elementCount
      place(isWhole ? slots.andNot(view.nulls | view.outOfLine) : .none, values.offsets, values.isShared)
      try readLong(view, view.outOfLine & slots, places)
    } else {
      place(readOne(view, places) == nil ? .none : slots.andNot(view.nulls), nil, false)
    }
    return runs
  }

  /// Notes where the runs of some slots are; without offsets each is one number.
  private func place(_ slots: Mask, _ offsets: UnsafePointer<UInt32>?, _ isShared: Bool) {
    for word in 0..<4 {
      let bits = slots.word(word)
      for slot in word << 6..<(word + 1) << 6 {
        let isThere = bits &>> UInt64(slot & 63) & 1 != 0
        guard isThere, let offsets else {
          starts[slot] = slot
          ends[slot] = isThere ? slot &+ 1 : slot
          continue
        }
        let place = isShared ? 0 : slot
        starts[slot] = Int(offsets[place])
        ends[slot] = Int(offsets[place &+ 1])
      }
    }
  }

  /// Long lists are elsewhere, one by one.
  private func readLong(_ view: ColumnView, _ slots: Mask, _ places: ObjectPlaces) throws {
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
  func readOne(_ view: ColumnView, _ places: ObjectPlaces) -> UnsafePointer<UInt64>? {
    latest = nil
    used = 0
    consecutive = 0
    unpack(view.values, 0..<min(view.slotCount, Mask.slotCount), places)
    if used == 0 { return nil }
    (numbers + used).update(repeating: ObjectPlaces.nowhere, count: Mask.slotCount - used)
    return UnsafePointer(numbers)
  }

  /// Appends the places of targets; none of values of other kinds.
  private func unpack(_ values: ColumnValues, _ range: Range<Int>, _ places: ObjectPlaces) {
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

  /// How many numbers there are if they all count up by one; else none.
  private func countConsecutive() -> Int {
    if used == 0 { return 0 }
    var differs: UInt64 = 0
    let numbers = UnsafePointer(numbers)
    for place in 1..<max(used, 1) { differs |= (numbers[place] &- numbers[place &- 1]) ^ 1 }
    return differs == 0 ? used : 0
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

/// Where the runs of a cluster's slots are. It is plain bits, so that handing it about counts no references.
struct LinkRuns {
  let starts: UnsafeMutablePointer<Int>
  let ends: UnsafeMutablePointer<Int>
  let numbers: UnsafeMutablePointer<UInt64>
  /// The numbers before this place count up by one.
  let consecutive: Int

  /// Where the object of a slot leads to.
  @inline(__always)
  func targets(of slot: Int) -> UnsafeBufferPointer<UInt64> {
    UnsafeBufferPointer(start: numbers + starts[slot], count: ends[slot] &- starts[slot])
  }

  /// Whether the object of a slot leads to numbers that count up by one.
  @inline(__always)
  func isRange(_ slot: Int) -> Bool { ends[slot] <= consecutive }

  /// The slots of some, whose links were read, that have a target in a set.
  func slots(_ slots: Mask, withSomeIn bits: BitWords) -> Mask {
    @inline(__always) func word(_ number: Int) -> UInt64 {
      var left = slots.word(number)
      var found: UInt64 = 0
      while left != 0 {
        let bit = left.trailingZeroBitCount
        left &= left &- 1
        let slot = number << 6 | bit
        let targets = targets(of: slot)
        if isRange(slot) ? bits.hasSome(of: targets) : bits.contains(someOf: targets) { found |= 1 &<< UInt64(bit) }
      }
      return found
    }
    return Mask(word(0), word(1), word(2), word(3))
  }

  /// How many targets in a set the object of a slot has.
  @inline(__always)
  func count(_ slot: Int, in bits: BitWords) -> Int {
    let targets = targets(of: slot)
    if isRange(slot) { return bits.count(of: targets) }
    var count = 0
    for target in targets where bits.contains(target) { count &+= 1 }
    return count
  }
}
