internal import Glibc
internal import Storage

/// An array of integers, each with as few bytes as the largest needs: a million small integers fit the processor's
/// cache, which makes sums over them fast. It is plain memory that its creator must free.
///
/// It does not know which positions have a value. The others are 0.
struct PackedIntegers {
  /// The width of each integer.
  enum Width: Int, Comparable {
    case bits8 = 8
    case bits16 = 16
    case bits32 = 32
    case bits64 = 64

    /// The smallest width for numbers whose bits that differ from their sign are known.
    init(magnitude: UInt64) {
      self =
        magnitude < 1 << 7 ? .bits8 : magnitude < 1 << 15 ? .bits16 : magnitude < 1 << 31 ? .bits32 : .bits64
    }

    static func < (left: Width, right: Width) -> Bool { left.rawValue < right.rawValue }
  }

  private(set) var width: Width
  private var memory: UnsafeMutableRawPointer
  private let count: Int
  /// The positions from here on are still 0.
  private var end = 0

  /// An array of zeros.
  init(count: Int, width: Width = .bits8) {
    self.count = count
    self.width = width
    memory = Self.zeros(count, width)
  }

  func deallocate() { free(memory) }

  /// Zeroed memory, which the system provides lazily.
  private static func zeros(_ count: Int, _ width: Width) -> UnsafeMutableRawPointer {
    let size = max(1, count) * width.rawValue / 8
    if let zeros = calloc(size, 1) { return zeros }
    // `allocate` reports the lack of memory with its own message.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return memory
  }

  // MARK: Reading

  /// The integers in memory; `type` must have their width.
  @inline(__always)
  func values<T>(_ type: T.Type) -> UnsafePointer<T> { UnsafePointer(memory.assumingMemoryBound(to: type)) }

  /// The integer at a position below the count.
  @inline(__always)
  subscript(place: Int) -> Int64 {
    switch width {
    case .bits8: Int64(values(Int8.self)[place])
    case .bits16: Int64(values(Int16.self)[place])
    case .bits32: Int64(values(Int32.self)[place])
    case .bits64: values(Int64.self)[place]
    }
  }

  // MARK: Writing

  /// Stores an integer at a position.
  mutating func put(_ number: Int64, at place: Int) {
    widen(to: Width(magnitude: Self.magnitude(number)))
    end = max(end, place + 1)
    switch width {
    case .bits8: memory.storeBytes(of: Int8(truncatingIfNeeded: number), toByteOffset: place, as: Int8.self)
    case .bits16: memory.storeBytes(of: Int16(truncatingIfNeeded: number), toByteOffset: place * 2, as: Int16.self)
    case .bits32: memory.storeBytes(of: Int32(truncatingIfNeeded: number), toByteOffset: place * 4, as: Int32.self)
    case .bits64: memory.storeBytes(of: number, toByteOffset: place * 8, as: Int64.self)
    }
  }

  /// Stores the integers of a cluster from position `start` on; slots that are not in `mask` are ignored.
  ///
  /// - Returns: The bits in which any integer differs from its sign.
  mutating func put(_ numbers: UnsafeMutablePointer<Int64>, _ mask: Mask, at start: Int) -> UInt64 {
    if mask != .all { (~mask).forEach { numbers[$0] = 0 } }
    var bits: Int64 = 0
    for slot in 0..<Mask.slotCount { bits |= numbers[slot] ^ (numbers[slot] &>> 63) }
    let magnitude = UInt64(bitPattern: bits)
    prepare(magnitude, start)
    store(UnsafePointer(numbers), Mask.slotCount, at: start)
    return magnitude
  }

  /// Writes integers that fit the width.
  @inline(__always)
  private func store<From: FixedWidthInteger>(_ from: UnsafePointer<From>, _ count: Int, at start: Int) {
    switch width {
    case .bits8: copy(from, count, to: Int8.self, start)
    case .bits16: copy(from, count, to: Int16.self, start)
    case .bits32: copy(from, count, to: Int32.self, start)
    case .bits64: copy(from, count, to: Int64.self, start)
    }
  }

  @inline(__always)
  private func copy<From: FixedWidthInteger, To: FixedWidthInteger>(
    _ from: UnsafePointer<From>, _ count: Int, to type: To.Type, _ start: Int
  ) {
    let to = memory.assumingMemoryBound(to: type) + start
    for place in 0..<count { to[place] = To(truncatingIfNeeded: from[place]) }
  }

  @inline(__always)
  private static func magnitude(_ number: Int64) -> UInt64 { UInt64(bitPattern: number ^ (number &>> 63)) }

  /// Makes room for the integers of a cluster.
  @inline(__always)
  private mutating func prepare(_ magnitude: UInt64, _ start: Int) {
    let needed = Width(magnitude: magnitude)
    if needed > width { widen(to: needed) }
    end = max(end, start &+ Mask.slotCount)
  }

  @inline(never)
  private mutating func widen(to wanted: Width) {
    guard wanted > width else { return }
    var wider = PackedIntegers(count: count, width: wanted)
    switch width {
    case .bits8: wider.store(values(Int8.self), end, at: 0)
    case .bits16: wider.store(values(Int16.self), end, at: 0)
    case .bits32, .bits64: wider.store(values(Int32.self), end, at: 0)
    }
    wider.end = end
    free(memory)
    self = wider
  }
}
