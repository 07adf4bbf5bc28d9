internal import Storage
internal import Values

/// The links of one cluster's objects, unpacked: of each slot a run of numbers. Memory is kept from cluster to cluster.
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

  /// Whether the object of a slot leads to numbers that count up by one.
  @inline(__always)
  func isRange(_ slot: Int) -> Bool { ends[slot] <= consecutive }

  // MARK: Reading

  /// Takes a link column of a cluster, to one or to many, for the objects in some slots: what stands in those without
  /// an object means nothing.
  func read(_ view: ColumnView, _ slots: Mask) throws {
    guard case .collection(let values) = view.values else {
      let numbers = readOne(view)
      let slots = numbers == nil ? .none : slots.andNot(view.nulls)
      for slot in 0..<Mask.slotCount {
        starts[slot] = slot
        ends[slot] = slots[slot] ? slot &+ 1 : slot
      }
      return
    }
    used = 0
    unpack(values.elements, 0..<values.elementCount)
    consecutive = countConsecutive()
    let inline = used == values.elementCount ? slots.andNot(view.nulls | view.outOfLine) : .none
    for slot in 0..<Mask.slotCount {
      let range = inline[slot] ? values.range(at: slot) : 0..<0
      starts[slot] = range.lowerBound
      ends[slot] = range.upperBound
    }
    // Long lists are elsewhere, one by one.
    if (view.outOfLine & slots).isEmpty { return }
    for slot in 0..<Mask.slotCount where view.outOfLine[slot] && slots[slot] {
      guard let elements = try view.elements(at: slot) else { continue }
      starts[slot] = used
      unpack(elements.values, elements.range)
      ends[slot] = used
    }
  }

  /// Takes a link column to one, and gives a number for every slot; those of slots without a link mean nothing. nil for
  /// values of other kinds, which no links are, and where all are nil.
  func readOne(_ view: ColumnView) -> UnsafePointer<UInt64>? {
    used = 0
    consecutive = 0
    unpack(view.values, 0..<min(view.slotCount, Mask.slotCount))
    if used == 0 { return nil }
    (numbers + used).update(repeating: 0, count: Mask.slotCount - used)
    return UnsafePointer(numbers)
  }

  /// Appends numbers; none of values of other kinds.
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

extension LinkRun {
  /// The slots of some, whose links were read, that have a target in a set.
  func slots(_ slots: Mask, withSomeIn bits: ObjectBits) -> Mask {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { output in
      output.initialize(repeating: 0)
      slots.forEach { slot in
        let targets = targets(of: slot)
        if isRange(slot) ? bits.hasSome(of: targets) : targets.contains(where: { bits.contains($0) }) {
          output[slot &>> 6] |= 1 &<< UInt64(slot & 63)
        }
      }
      return Mask(output[0], output[1], output[2], output[3])
    }
  }

  /// How many targets in a set the object of a slot has.
  @inline(__always)
  func count(_ slot: Int, in bits: ObjectBits) -> Int {
    let targets = targets(of: slot)
    if isRange(slot) { return bits.count(of: targets) }
    var count = 0
    for target in targets where bits.contains(target) { count &+= 1 }
    return count
  }
}

extension ObjectBits {
  /// How many of some numbers that count up by one are in it.
  @inline(__always)
  func count(of numbers: UnsafeBufferPointer<UInt64>) -> Int {
    var count = 0
    forEachWord(of: numbers) { count &+= $0.nonzeroBitCount }
    return count
  }

  /// Whether any of some numbers that count up by one is in it.
  @inline(__always)
  func hasSome(of numbers: UnsafeBufferPointer<UInt64>) -> Bool {
    var found: UInt64 = 0
    forEachWord(of: numbers) { found |= $0 }
    return found != 0
  }

  @inline(__always)
  private func forEachWord(of numbers: UnsafeBufferPointer<UInt64>, _ body: (UInt64) -> Void) {
    guard var number = numbers.first else { return }
    var left = UInt64(numbers.count)
    while left > 0, number < limit {
      let bit = number & 63
      let taken = min(64 &- bit, left)
      let word = words[Int(truncatingIfNeeded: number &>> 6)] &>> bit
      body(taken == 64 ? word : word & ((1 &<< taken) &- 1))
      number &+= taken
      left &-= taken
    }
  }
}
