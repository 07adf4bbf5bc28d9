internal import Storage

/// Bits for the places of objects as they lie in memory: a set's, or of those that have a value. It is plain bits, so
/// that handing it about counts no references; whoever made it keeps the memory, which is from `zeros`.
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

  /// How many of `count` numbers from `first` on are in it.
  @inline(__always)
  func count(of count: Int, from first: UInt64) -> Int {
    if count <= Self.few { return few(count, from: first).nonzeroBitCount }
    var found = 0
    forEachPart(of: count, from: first) { found &+= $0.nonzeroBitCount }
    return found
  }

  /// Whether any of `count` numbers from `first` on is in it.
  @inline(__always)
  func hasSome(of count: Int, from first: UInt64) -> Bool {
    if count <= Self.few { return few(count, from: first) != 0 }
    var found: UInt64 = 0
    forEachPart(of: count, from: first) { found |= $0 }
    return found != 0
  }

  /// As many bits are in eight bytes wherever in a byte they begin.
  private static var few: Int { 57 }

  /// The bits of a few numbers, that of the first in the lowest.
  @inline(__always)
  private func few(_ count: Int, from first: UInt64) -> UInt64 {
    if first >= limit { return 0 }
    let bytes = UnsafeRawPointer(words) + Int(truncatingIfNeeded: first &>> 3)
    return bytes.loadUnaligned(as: UInt64.self) &>> (first & 7) & ((1 &<< UInt64(truncatingIfNeeded: count)) &- 1)
  }

  /// Calls `body` with the bits of some of them after the other.
  @inline(__always)
  private func forEachPart(of count: Int, from first: UInt64, _ body: (UInt64) -> Void) {
    var (number, left) = (first, count)
    while left > 0, number < limit {
      let taken = min(left, Self.few)
      body(few(taken, from: number))
      number &+= UInt64(truncatingIfNeeded: taken)
      left &-= taken
    }
  }

  // MARK: Memory

  /// So many words for bits, none of them set, and one after them that stays so: a few bits are read at once, and those
  /// beyond the limit with them.
  static func zeros(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count + 1)
    words.initialize(repeating: 0, count: count + 1)
    return words
  }
}
