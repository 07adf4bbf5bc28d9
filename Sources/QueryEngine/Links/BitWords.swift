internal import Storage

/// Bits for the places of objects as they lie in memory: a set's, or of those that have a value. It is plain bits, so
/// that handing it about counts no references; whoever made it keeps the memory.
struct BitWords {
  let words: UnsafePointer<UInt64>
  /// Places from here on are not in it.
  let limit: UInt64

  /// Whether a number is in it.
  @inline(__always)
  func contains(_ number: UInt64) -> Bool {
    number < limit && words[Int(truncatingIfNeeded: number &>> 6)] &>> (number & 63) & 1 != 0
  }

  /// Whether some of several numbers is in it.
  @inline(__always)
  func contains(someOf numbers: UnsafeBufferPointer<UInt64>) -> Bool {
    for number in numbers where contains(number) { return true }
    return false
  }

  // MARK: Numbers that count up by one

  /// How many of them are in it.
  @inline(__always)
  func count(of numbers: UnsafeBufferPointer<UInt64>) -> Int {
    var count = 0
    forEachWord(of: numbers) { count &+= $0.nonzeroBitCount }
    return count
  }

  /// Whether any of them is in it.
  @inline(__always)
  func hasSome(of numbers: UnsafeBufferPointer<UInt64>) -> Bool {
    var found: UInt64 = 0
    forEachWord(of: numbers) { found |= $0 }
    return found != 0
  }

  /// Calls `body` with the bits of some of them after the other, moved down to the lowest; those beyond the limit are
  /// left out.
  @inline(__always)
  private func forEachWord(of numbers: UnsafeBufferPointer<UInt64>, _ body: (UInt64) -> Void) {
    if numbers.isEmpty { return }
    var number = numbers[0]
    var left = UInt64(truncatingIfNeeded: numbers.count)
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
