import CSystem

/// Numbers by place, each 0 until it is set. The memory costs nothing until a part of it is written: a process that looks
/// at a few pages of a large file has a table as long as the file, of which the system provides a few pages.
struct ZeroedTable<Number: FixedWidthInteger>: ~Copyable {
  private var base: UnsafeMutableRawPointer?
  /// The number of places. Where the system has no address space left, it is less than was asked for.
  private(set) var count = 0

  init(count: Int) { grow(to: count) }

  deinit { if let base { system_release(base, count * MemoryLayout<Number>.stride) } }

  /// Makes room for so many places.
  mutating func grow(to wanted: Int) {
    // With some more, since files grow by a few pages at a time.
    let (room, isTooMuch) = wanted.addingReportingOverflow(max(wanted / 8, 4_096))
    guard wanted > count, !isTooMuch, room <= Int.max / MemoryLayout<Number>.stride else { return }
    let (before, size) = (count * MemoryLayout<Number>.stride, room * MemoryLayout<Number>.stride)
    guard let made = system_zeroed(base, before, size) else { return }
    base = made
    count = room
  }

  /// The number at a place; 0 where there is no room for it. Setting it there does nothing.
  subscript(_ place: UInt64) -> Number {
    @inline(__always) get {
      guard let base, place < UInt64(count) else { return 0 }
      return base.assumingMemoryBound(to: Number.self)[Int(place)]
    }
    @inline(__always) set {
      guard let base, place < UInt64(count) else { return }
      base.assumingMemoryBound(to: Number.self)[Int(place)] = newValue
    }
  }
}
