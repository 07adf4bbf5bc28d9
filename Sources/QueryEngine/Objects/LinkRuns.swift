internal import Storage

/// Where the runs of a cluster's slots are. It is plain bits, so that handing it about counts no references.
struct LinkRuns {
  let starts: UnsafeMutablePointer<Int>
  let ends: UnsafeMutablePointer<Int>
  let numbers: UnsafeMutablePointer<UInt64>
  /// The numbers before this place count up by one.
  let consecutive: Int
  /// The first of those.
  let first: UInt64

  /// Where the object of a slot leads to. Of runs that were read as ranges it is for those alone that are none.
  @inline(__always)
  func targets(of slot: Int) -> UnsafeBufferPointer<UInt64> {
    UnsafeBufferPointer(start: numbers + starts[slot], count: count(slot))
  }

  /// To how many the object of a slot leads.
  @inline(__always)
  func count(_ slot: Int) -> Int { ends[slot] &- starts[slot] }

  // MARK: Ranges

  /// Whether the object of a slot leads to numbers that count up by one.
  @inline(__always)
  func isRange(_ slot: Int) -> Bool { ends[slot] <= consecutive }

  /// The first number of a slot's range.
  @inline(__always)
  func first(_ slot: Int) -> UInt64 { first &+ UInt64(truncatingIfNeeded: starts[slot]) }

  // MARK: Both

  /// Calls `body` with every number that the object of a slot leads to.
  @inline(__always)
  func forEachTarget(of slot: Int, _ body: (UInt64) -> Void) {
    if isRange(slot) {
      let first = first(slot)
      for place in 0..<count(slot) { body(first &+ UInt64(truncatingIfNeeded: place)) }
    } else {
      for target in targets(of: slot) { body(target) }
    }
  }

  /// The slots of some, whose links were read, that have a target in a set.
  func slots(_ slots: Mask, withSomeIn bits: BitWords) -> Mask {
    @inline(__always) func word(_ number: Int) -> UInt64 {
      var left = slots.word(number)
      var found: UInt64 = 0
      while left != 0 {
        let bit = left.trailingZeroBitCount
        left &= left &- 1
        let slot = number << 6 | bit
        let hasSome =
          isRange(slot)
          ? bits.hasSome(of: count(slot), from: first(slot)) : bits.contains(someOf: targets(of: slot))
        found |= (hasSome ? 1 : 0) &<< UInt64(bit)
      }
      return found
    }
    return Mask(word(0), word(1), word(2), word(3))
  }

  /// How many targets in a set the object of a slot has.
  @inline(__always)
  func count(_ slot: Int, in bits: BitWords) -> Int {
    if isRange(slot) { return bits.count(of: count(slot), from: first(slot)) }
    var count = 0
    for target in targets(of: slot) where bits.contains(target) { count &+= 1 }
    return count
  }
}
