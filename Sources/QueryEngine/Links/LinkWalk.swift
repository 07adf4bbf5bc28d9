internal import Storage
internal import Values

/// The numbers that link columns and lists of links keep, as they lie in memory: a number for each place. It is plain
/// bits, so that handing it about counts no references.
struct LinkNumbers {
  private enum Width {
    case same, offsets8, offsets16, offsets32, whole
  }

  private let width: Width
  private let base: Int64
  private let memory: UnsafeRawPointer

  /// nil for values of other kinds, which no links are.
  @inline(__always)
  init?(_ values: ColumnValues) {
    switch values {
    case .int8(let base, let offsets): (width, self.base, memory) = (.offsets8, base, UnsafeRawPointer(offsets))
    case .int16(let base, let offsets): (width, self.base, memory) = (.offsets16, base, UnsafeRawPointer(offsets))
    case .int32(let base, let offsets): (width, self.base, memory) = (.offsets32, base, UnsafeRawPointer(offsets))
    case .int64(let numbers): (width, base, memory) = (.whole, 0, UnsafeRawPointer(numbers))
    case .same(.int(let number)):
      (width, base, memory) = (.same, number, UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped)
    default: return nil
    }
  }

  /// The number at a place, which is below the count of what it was made of.
  @inline(__always)
  subscript(place: Int) -> UInt64 {
    let number: Int64 =
      switch width {
      case .same: base
      case .offsets8: base &+ Int64(memory.assumingMemoryBound(to: UInt8.self)[place])
      case .offsets16: base &+ Int64(memory.assumingMemoryBound(to: UInt16.self)[place])
      case .offsets32: base &+ Int64(memory.assumingMemoryBound(to: UInt32.self)[place])
      case .whole: memory.assumingMemoryBound(to: Int64.self)[place]
      }
    return UInt64(bitPattern: number)
  }
}

/// The loops along a link column of one cluster, on raw numbers.
///
/// `body` is inlined into each: it must not allocate or count references.
enum LinkWalk {
  /// Calls `body` with every slot of `slots` that has a target, and the target's number.
  @inline(__always)
  static func toOne(_ view: ColumnView, _ slots: Mask, _ body: (Int, UInt64) -> Void) {
    guard let numbers = LinkNumbers(view.values) else { return }
    each(slots.andNot(view.nulls)) { body($0, numbers[$0]) }
  }

  /// Calls `body` with every slot of `slots` that has a list, the range of its elements and the numbers they are among.
  @inline(__always)
  static func toMany(_ view: ColumnView, _ slots: Mask, _ body: (Int, Range<Int>, LinkNumbers) -> Void) throws {
    guard case .collection(let values) = view.values else { return }
    let slots = slots.andNot(view.nulls)
    let offsets = values.offsets
    let isShared = values.isShared
    if let numbers = LinkNumbers(values.elements) {
      each(slots.andNot(view.outOfLine)) { slot in
        let place = isShared ? 0 : slot
        body(slot, Range(uncheckedBounds: (Int(offsets[place]), Int(offsets[place &+ 1]))), numbers)
      }
    }
    // Long lists are elsewhere, one by one.
    for slot in 0..<Mask.slotCount where view.outOfLine[slot] && slots[slot] {
      guard let elements = try view.elements(at: slot), let numbers = LinkNumbers(elements.values) else { continue }
      body(slot, elements.range, numbers)
    }
  }

  @inline(__always)
  private static func each(_ slots: Mask, _ body: (Int) -> Void) {
    var base = 0
    while base < 256 {
      var word = slots.word(base &>> 6)
      while word != 0 {
        body(base &+ word.trailingZeroBitCount)
        word &= word &- 1
      }
      base &+= 64
    }
  }
}
