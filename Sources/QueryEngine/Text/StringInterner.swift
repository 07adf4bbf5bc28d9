internal import Storage

/// Numbers strings by their bytes, in the order of their first occurrence.
///
/// The bytes of all strings are stored in one block of plain memory, since lookups happen for every object. It does not
/// depend on the meaning of the bytes.
final class StringInterner {
  /// A slot of the hash table.
  fileprivate struct Place {
    /// The string's number plus 1; 0 if the slot is empty.
    var number: UInt32
    var hash: UInt32
  }

  /// The memory for lookups, without reference counting. Valid until a string is added.
  struct Memory {
    fileprivate var bytes: UnsafeMutablePointer<UInt8>
    /// The offset of each string, and the end of the last one.
    fileprivate var offsets: UnsafeMutablePointer<Int>
    fileprivate var places: UnsafeMutablePointer<Place>
    /// The number of slots minus 1, a mask for hashes.
    fileprivate var last: Int
  }

  /// The number of strings.
  private(set) var count = 0
  private(set) var memory: Memory
  private var byteCapacity = 256
  private var textCapacity = 32

  init() {
    memory = Memory(byteCapacity: byteCapacity, textCapacity: textCapacity, placeCount: 64)
  }

  deinit { memory.deallocate() }

  /// The number of a string, which is added if it is new.
  func number(of text: UnsafeRawBufferPointer) -> UInt32 {
    let hash = Bytes.hash(text)
    let (found, place) = memory.find(text, hash)
    if let found { return found }
    reserve(text.count)
    memory.add(text, hash, at: place, as: count)
    count += 1
    if count * 2 > memory.placeCount { memory.spread(count, over: memory.placeCount * 4) }
    return UInt32(truncatingIfNeeded: count - 1)
  }

  /// The bytes of a string, valid until the next is added.
  func text(_ number: Int) -> UnsafeRawBufferPointer { memory.text(number) }

  /// The number of bytes of all strings.
  var byteCount: Int { memory.offsets[count] }

  /// Makes room for one more string.
  private func reserve(_ more: Int) {
    let end = memory.offsets[count]
    if end + more > byteCapacity {
      let wanted = max(2 * byteCapacity, end + more)
      memory.bytes = Self.larger(memory.bytes, end, wanted)
      byteCapacity = wanted
    }
    if count + 2 > textCapacity {
      memory.offsets = Self.larger(memory.offsets, count + 1, 2 * textCapacity)
      textCapacity *= 2
    }
  }

  private static func larger<Entry: BitwiseCopyable>(
    _ old: UnsafeMutablePointer<Entry>, _ count: Int, _ wanted: Int
  ) -> UnsafeMutablePointer<Entry> {
    let new = UnsafeMutablePointer<Entry>.allocate(capacity: wanted)
    new.initialize(from: old, count: count)
    old.deallocate()
    return new
  }
}

extension StringInterner.Memory {
  fileprivate init(byteCapacity: Int, textCapacity: Int, placeCount: Int) {
    bytes = .allocate(capacity: byteCapacity)
    offsets = .allocate(capacity: textCapacity)
    offsets[0] = 0
    places = Self.empty(placeCount)
    last = placeCount - 1
  }

  fileprivate func deallocate() {
    bytes.deallocate()
    offsets.deallocate()
    places.deallocate()
  }

  private static func empty(_ count: Int) -> UnsafeMutablePointer<StringInterner.Place> {
    let places = UnsafeMutablePointer<StringInterner.Place>.allocate(capacity: count)
    places.initialize(repeating: StringInterner.Place(number: 0, hash: 0), count: count)
    return places
  }

  fileprivate var placeCount: Int { last &+ 1 }

  /// Whether a string has a number.
  func contains(_ text: UnsafeRawBufferPointer) -> Bool { find(text, Bytes.hash(text)).number != nil }

  @inline(__always)
  fileprivate func text(_ number: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + offsets[number], count: offsets[number &+ 1] &- offsets[number])
  }

  /// The number of a string with a given hash, or nil and the slot for it.
  @inline(__always)
  fileprivate func find(_ text: UnsafeRawBufferPointer, _ hash: UInt64) -> (number: UInt32?, place: Int) {
    let short = UInt32(truncatingIfNeeded: hash &>> 32)
    var place = Int(truncatingIfNeeded: hash) & last
    while places[place].number != 0 {
      let number = places[place].number &- 1
      if places[place].hash == short, Bytes.areEqual(self.text(Int(number)), text) { return (number, place) }
      place = (place &+ 1) & last
    }
    return (nil, place)
  }

  /// Stores a string under the next number. There must be room for it.
  fileprivate mutating func add(_ text: UnsafeRawBufferPointer, _ hash: UInt64, at place: Int, as number: Int) {
    let start = offsets[number]
    if let source = text.baseAddress {
      UnsafeMutableRawPointer(bytes + start).copyMemory(from: source, byteCount: text.count)
    }
    offsets[number + 1] = start + text.count
    places[place] = StringInterner.Place(
      number: UInt32(truncatingIfNeeded: number + 1), hash: UInt32(truncatingIfNeeded: hash &>> 32))
  }

  /// Rehashes the strings into a larger table.
  fileprivate mutating func spread(_ count: Int, over placeCount: Int) {
    places.deallocate()
    places = Self.empty(placeCount)
    last = placeCount - 1
    for number in 0..<count {
      let hash = Bytes.hash(text(number))
      var place = Int(truncatingIfNeeded: hash) & last
      while places[place].number != 0 { place = (place &+ 1) & last }
      places[place] = StringInterner.Place(
        number: UInt32(truncatingIfNeeded: number + 1), hash: UInt32(truncatingIfNeeded: hash &>> 32))
    }
  }
}

extension Bytes {
  /// A random seed for each process, so that nobody can construct strings with equal hashes.
  private static let seed = UInt64.random(in: 0 ... .max)

  /// A 64-bit hash.
  static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(text.count)
    func mix(_ word: UInt64) {
      let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low
    }
    var place = 0
    while place &+ 8 <= text.count {
      mix(text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place &+= 8
    }
    var rest: UInt64 = 0
    while place < text.count {
      rest = rest &<< 8 | UInt64(text[place])
      place &+= 1
    }
    mix(rest)
    return hash
  }
}
