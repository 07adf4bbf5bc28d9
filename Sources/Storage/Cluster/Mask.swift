/// A set of slots of one cluster: 256 bits. Filters, access paths and plans exchange masks.
///
/// It does not know which cluster it belongs to.
@usableFromInline package struct Mask: Hashable, Sendable {
  /// Slots 0…63, slot 0 in the lowest bit.
  @usableFromInline package var w0: UInt64
  /// Slots 64…127.
  @usableFromInline package var w1: UInt64
  /// Slots 128…191.
  @usableFromInline package var w2: UInt64
  /// Slots 192…255.
  @usableFromInline package var w3: UInt64

  /// The number of slots in a cluster.
  @inlinable package static var slotCount: Int { 256 }

  /// No slot.
  @inlinable @inline(__always) package static var none: Mask { Mask(0, 0, 0, 0) }

  /// Every slot.
  @inlinable @inline(__always) package static var all: Mask { Mask(.max, .max, .max, .max) }

  /// A mask by its words, the lowest slots first.
  @inlinable @inline(__always) package init(_ w0: UInt64 = 0, _ w1: UInt64 = 0, _ w2: UInt64 = 0, _ w3: UInt64 = 0) {
    self.w0 = w0
    self.w1 = w1
    self.w2 = w2
    self.w3 = w3
  }

  /// The slots below `n`; all slots if `n` is 256 or more.
  @inlinable @inline(__always) package init(firstCount n: Int) {
    func word(_ first: Int) -> UInt64 {
      let bits = n - first
      return bits <= 0 ? 0 : bits >= 64 ? .max : (1 << UInt64(bits)) &- 1
    }
    self.init(word(0), word(64), word(128), word(192))
  }

  /// A single slot.
  @inlinable @inline(__always) package init(slot: Int) {
    self.init()
    self[slot] = true
  }

  /// Four words at an address, the lowest slots first.
  @inlinable @inline(__always) package init(loading words: UnsafePointer<UInt64>) {
    self.init(words[0], words[1], words[2], words[3])
  }

  /// Whether `slot` is in the mask; only its low eight bits count.
  @inlinable @inline(__always) package subscript(slot: Int) -> Bool {
    get {
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
      return self.word(slot &>> 6) & bit != 0
    }
    set {
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
      switch (slot &>> 6) & 3 {
      case 0: w0 = newValue ? w0 | bit : w0 & ~bit
      case 1: w1 = newValue ? w1 | bit : w1 & ~bit
      case 2: w2 = newValue ? w2 | bit : w2 & ~bit
      default: w3 = newValue ? w3 | bit : w3 & ~bit
      }
    }
  }

  /// The word of slots `index * 64` and following; only the low two bits of `index` count.
  @inlinable @inline(__always) package func word(_ index: Int) -> UInt64 {
    switch index & 3 {
    case 0: w0
    case 1: w1
    case 2: w2
    default: w3
    }
  }

  /// Whether the mask has no slots.
  @inlinable @inline(__always) package var isEmpty: Bool { w0 | w1 | w2 | w3 == 0 }

  /// The number of slots in the mask.
  @inlinable @inline(__always) package var count: Int {
    w0.nonzeroBitCount &+ w1.nonzeroBitCount &+ w2.nonzeroBitCount &+ w3.nonzeroBitCount
  }

  /// The lowest slot.
  @inlinable @inline(__always) package var first: Int? {
    if w0 != 0 { return w0.trailingZeroBitCount }
    if w1 != 0 { return 64 &+ w1.trailingZeroBitCount }
    if w2 != 0 { return 128 &+ w2.trailingZeroBitCount }
    if w3 != 0 { return 192 &+ w3.trailingZeroBitCount }
    return nil
  }

  /// The slot with `place` slots of the mask before it; nil if there are no more.
  package func slot(at place: Int) -> Int? {
    var left = place
    for index in 0..<4 {
      var word = word(index)
      let count = word.nonzeroBitCount
      if left >= count {
        left -= count
        continue
      }
      for _ in 0..<left { word &= word &- 1 }
      return index * 64 + word.trailingZeroBitCount
    }
    return nil
  }

  /// The highest slot.
  @inlinable @inline(__always) package var last: Int? {
    if w3 != 0 { return 255 &- w3.leadingZeroBitCount }
    if w2 != 0 { return 191 &- w2.leadingZeroBitCount }
    if w1 != 0 { return 127 &- w1.leadingZeroBitCount }
    if w0 != 0 { return 63 &- w0.leadingZeroBitCount }
    return nil
  }
}

extension Mask {
  /// The slots in both.
  @inlinable @inline(__always) package static func & (a: Mask, b: Mask) -> Mask {
    Mask(a.w0 & b.w0, a.w1 & b.w1, a.w2 & b.w2, a.w3 & b.w3)
  }

  /// The slots in either.
  @inlinable @inline(__always) package static func | (a: Mask, b: Mask) -> Mask {
    Mask(a.w0 | b.w0, a.w1 | b.w1, a.w2 | b.w2, a.w3 | b.w3)
  }

  /// The slots in exactly one of the two.
  @inlinable @inline(__always) package static func ^ (a: Mask, b: Mask) -> Mask {
    Mask(a.w0 ^ b.w0, a.w1 ^ b.w1, a.w2 ^ b.w2, a.w3 ^ b.w3)
  }

  /// The slots not in the mask, including unused ones.
  @inlinable @inline(__always) package static prefix func ~ (a: Mask) -> Mask { Mask(~a.w0, ~a.w1, ~a.w2, ~a.w3) }

  /// The slots in this and not in `other`.
  @inlinable @inline(__always) package func andNot(_ other: Mask) -> Mask { self & ~other }

  /// Whether every slot is in `other` too.
  @inlinable @inline(__always) package func isSubset(of other: Mask) -> Bool { andNot(other).isEmpty }

  /// Keeps the slots that are in both.
  @inlinable @inline(__always) package static func &= (a: inout Mask, b: Mask) { a = a & b }

  /// Adds the slots of the other.
  @inlinable @inline(__always) package static func |= (a: inout Mask, b: Mask) { a = a | b }

  /// Calls `body` with every slot, ascending.
  @inlinable @inline(__always) package func forEach<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
    var base = 0
    while base < 4 {
      var word = self.word(base)
      while word != 0 {
        try body(base &* 64 &+ word.trailingZeroBitCount)
        word &= word &- 1
      }
      base &+= 1
    }
  }
}

extension Mask {
  /// Lends its four words to a kernel.
  @inlinable @inline(__always)
  package func withWords<R>(_ body: (UnsafePointer<UInt64>) -> R) -> R {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { words in
      // Room for four words has an address.
      let base = words.baseAddress.unsafelyUnwrapped
      for index in 0..<4 { base[index] = word(index) }
      return body(UnsafePointer(base))
    }
  }
}
