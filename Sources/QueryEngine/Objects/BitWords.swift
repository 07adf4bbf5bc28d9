internal import Storage

/// Bits for the ordinals of objects: a set, or the objects that have a value. It is an unowned view, so copying it
/// counts no references; its creator owns the memory, which comes from `zeros`.
struct BitWords {
  let words: UnsafePointer<UInt64>
  /// The capacity; ordinals beyond it are not contained.
  let limit: UInt64

  /// Whether an ordinal is contained.
  @inline(__always)
  func contains(_ number: UInt64) -> Bool {
    number < limit && words[Int(truncatingIfNeeded: number &>> 6)] &>> (number & 63) & 1 != 0
  }

  /// Whether any of several ordinals is contained.
  @inline(__always)
  func contains(someOf numbers: UnsafeBufferPointer<UInt64>) -> Bool {
    for number in numbers where contains(number) { return true }
    return false
  }

  // MARK: Consecutive ordinals

  /// The number of contained ordinals among `count` ordinals from `first` on.
  @inline(__always)
  func count(of count: Int, from first: UInt64) -> Int {
    if count <= Self.few { return few(count, from: first).nonzeroBitCount }
    var found = 0
    forEachPart(of: count, from: first) { found &+= $0.nonzeroBitCount }
    return found
  }

  /// Whether any of `count` ordinals from `first` on is contained.
  @inline(__always)
  func hasSome(of count: Int, from first: UInt64) -> Bool {
    if count <= Self.few { return few(count, from: first) != 0 }
    var found: UInt64 = 0
    forEachPart(of: count, from: first) { found |= $0 }
    return found != 0
  }

  /// The number of bits that an unaligned read of eight bytes always provides.
  private static var few: Int { 57 }

  /// The bits of a few ordinals, the first one in the lowest bit.
  @inline(__always)
  private func few(_ count: Int, from first: UInt64) -> UInt64 {
    if first >= limit { return 0 }
    let bytes = UnsafeRawPointer(words) + Int(truncatingIfNeeded: first &>> 3)
    return bytes.loadUnaligned(as: UInt64.self) &>> (first & 7) & ((1 &<< UInt64(truncatingIfNeeded: count)) &- 1)
  }

  /// Calls `body` with the bits of consecutive ordinals, a few at a time.
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

  /// Allocates `count` zero words for bits, and a further word that stays zero, since reads of several bits may extend
  /// beyond the last word.
  static func zeros(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count + 1)
    words.initialize(repeating: 0, count: count + 1)
    return words
  }
}
