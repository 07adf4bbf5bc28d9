internal import Storage

/// The positions of the runs of a cluster's slots. It is an unowned view, so copying it counts no references.
struct ClusterLinks {
  let starts: UnsafeMutablePointer<Int>
  let ends: UnsafeMutablePointer<Int>
  let numbers: UnsafeMutablePointer<UInt64>
  /// The ordinals before this position are consecutive.
  let consecutive: Int
  /// The first of the consecutive ordinals.
  let first: UInt64

  /// The targets of a slot's object. If runs were read as ranges, only valid for a run that is not a range.
  @inline(__always)
  func targets(of slot: Int) -> UnsafeBufferPointer<UInt64> {
    UnsafeBufferPointer(start: numbers + starts[slot], count: count(slot))
  }

  /// The number of targets of a slot's object.
  @inline(__always)
  func count(_ slot: Int) -> Int { ends[slot] &- starts[slot] }

  // MARK: Ranges

  /// Whether the targets of a slot's object are consecutive.
  @inline(__always)
  func isRange(_ slot: Int) -> Bool { ends[slot] <= consecutive }

  /// The first ordinal of a slot's range.
  @inline(__always)
  func first(_ slot: Int) -> UInt64 { first &+ UInt64(truncatingIfNeeded: starts[slot]) }

  // MARK: Ranges and other runs

  /// Calls `body` with the ordinal of every target of a slot's object.
  @inline(__always)
  func forEachTarget(of slot: Int, _ body: (UInt64) -> Void) {
    if isRange(slot) {
      let first = first(slot)
      for place in 0..<count(slot) { body(first &+ UInt64(truncatingIfNeeded: place)) }
    } else {
      for target in targets(of: slot) { body(target) }
    }
  }

  /// Those of some slots that have a target in a set. Their links must have been read.
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

  /// The number of targets of a slot's object that are in a set.
  @inline(__always)
  func count(_ slot: Int, in bits: BitWords) -> Int {
    if isRange(slot) { return bits.count(of: count(slot), from: first(slot)) }
    var count = 0
    for target in targets(of: slot) where bits.contains(target) { count &+= 1 }
    return count
  }
}
