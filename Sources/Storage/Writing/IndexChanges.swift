internal import CXXHash
internal import Glibc
internal import Schema
internal import Values

/// Unwritten changes of one index: keys that objects got or lost, in chronological order.
///
/// It makes the keys from values. For a key and an object only the last change counts. A structure, so that its owner
/// can reach all of it at once: each property of a class that is reached by itself is guarded at run time.
struct IndexChanges: ~Copyable {
  /// One change. The prefix of the key is stored as a number, which suffices for most comparisons.
  struct Change {
    var prefix: UInt64
    var object: UInt64
    var offset: UInt32
    var sequence: UInt32
    /// The previous change with the same hash of the key, plus 1; 0 for none.
    var previous: UInt32
    var length: UInt16
    var isRemoval: Bool
    /// Whether the key may be shared although the index is unique, because it is that of nil.
    var isExempt: Bool
  }

  /// The maximum number of changes before they should be written.
  static let limit = 1 << 20
  private static let byteLimit = 1 << 28

  var changes: [Change] = []
  private(set) var bytes: UnsafeMutableRawPointer
  /// No memory before the first change: a write creates the changes of every index of an entity, and most stay empty.
  private var capacity = 0
  private var used = 0
  /// Hash buckets with the latest change plus 1; empty until keys are looked up.
  private var buckets: [UInt32] = []
  /// The key that is being made; its memory is reused.
  private var key: [UInt8] = []

  init() { bytes = .allocate(byteCount: 0, alignment: 8) }

  deinit { bytes.deallocate() }

  var isEmpty: Bool { changes.isEmpty }

  /// Whether the changes should be written.
  var isFull: Bool { changes.count >= Self.limit || used >= Self.byteLimit }

  /// The key of a change, valid until the next change is added.
  @inline(__always)
  func key(_ change: Change) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + Int(change.offset), count: Int(change.length))
  }

  /// Adds a change of an object with the given values in the columns of an index. Returns whether its key was
  /// truncated.
  mutating func add(_ values: [Value], of index: StoredIndex, object: UInt64, isRemoval: Bool) -> Bool {
    IndexKey.encode(values, of: index, into: &key)
    addKey(object: object, isRemoval: isRemoval, isExempt: values.contains { $0.isNull })
    return IndexKey.isShortened(key)
  }

  /// Adds a new object with a row of all its values. Returns whether its key was truncated.
  mutating func add(
    row: UnsafeBufferPointer<Value>, _ parts: [(column: Int, type: ScalarType)], of index: StoredIndex, object: UInt64
  ) -> Bool {
    key.removeAll(keepingCapacity: true)
    var isExempt = false
    for part in parts {
      isExempt = isExempt || row[part.column].isNull
      IndexKey.append(row[part.column], type: part.type, of: index, to: &key)
    }
    if key.count >= IndexKey.shortenedLength {
      IndexKey.encode(parts.map { row[$0.column] }, of: index, into: &key)
    }
    addKey(object: object, isRemoval: false, isExempt: isExempt)
    return IndexKey.isShortened(key)
  }

  /// Adds a change of the link of an object to a target.
  mutating func add(target: Int64, object: UInt64, isRemoval: Bool) {
    key.removeAll(keepingCapacity: true)
    IndexKey.append(.int(target), type: .int, to: &key)
    addKey(object: object, isRemoval: isRemoval, isExempt: true)
  }

  private mutating func addKey(object: UInt64, isRemoval: Bool, isExempt: Bool) {
    let length = key.count
    if used + length > capacity { grow(to: used + length) }
    let room = bytes + used
    key.withUnsafeBytes { if let source = $0.baseAddress { memcpy(room, source, length) } }
    var change = Change(
      prefix: Self.prefix(UnsafeRawBufferPointer(start: room, count: length)), object: object,
      offset: UInt32(truncatingIfNeeded: used), sequence: UInt32(truncatingIfNeeded: changes.count), previous: 0,
      length: UInt16(truncatingIfNeeded: length), isRemoval: isRemoval, isExempt: isExempt)
    used += length
    if !buckets.isEmpty {
      if changes.count >= buckets.count {
        changes.append(change)
        index()
        return
      }
      link(&change, at: changes.count)
    }
    changes.append(change)
  }

  /// Forgets all changes, keeping the room.
  mutating func removeAll() {
    changes.removeAll(keepingCapacity: true)
    used = 0
    buckets = []
  }

  // MARK: Looking up

  /// The state of a key after the changes: an object that has it, and all objects that no longer do.
  mutating func holder(of key: UnsafeRawBufferPointer) -> (holder: UInt64?, removed: [UInt64]) {
    if changes.isEmpty { return (nil, []) }
    if buckets.isEmpty { index() }
    var removed: [UInt64] = []
    var settled: [UInt64] = []
    var position = buckets[bucket(of: key)]
    let prefix = Self.prefix(key)
    while position != 0 {
      let change = changes[Int(position) - 1]
      position = change.previous
      guard change.prefix == prefix, Int(change.length) == key.count, Self.equal(self.key(change), key),
        !settled.contains(change.object)
      else { continue }
      if !change.isRemoval { return (change.object, removed) }
      settled.append(change.object)
      removed.append(change.object)
    }
    return (nil, removed)
  }

  private mutating func index() {
    var count = 1 << 10
    while count < changes.count * 2 { count *= 2 }
    buckets = [UInt32](repeating: 0, count: count)
    for position in changes.indices {
      var change = changes[position]
      link(&change, at: position)
      changes[position] = change
    }
  }

  private mutating func link(_ change: inout Change, at position: Int) {
    let bucket = bucket(of: key(change))
    change.previous = buckets[bucket]
    buckets[bucket] = UInt32(truncatingIfNeeded: position + 1)
  }

  private func bucket(of key: UnsafeRawBufferPointer) -> Int {
    Int(truncatingIfNeeded: XXH3_64bits(key.baseAddress, key.count)) & (buckets.count - 1)
  }

  // MARK: In order

  /// Whether one change precedes another, by key, object and time.
  @inline(__always)
  static func precedes(_ left: Change, _ right: Change, _ bytes: UnsafeMutableRawPointer) -> Bool {
    if left.prefix != right.prefix { return left.prefix < right.prefix }
    let order = order(left, right, bytes)
    if order != 0 { return order < 0 }
    return left.object != right.object ? left.object < right.object : left.sequence < right.sequence
  }

  /// Discards the hash table, because changes are about to be moved.
  mutating func forgetLookUps() { buckets = [] }

  /// The end of the changes with the same key that begin at `start`; the changes must be sorted.
  func endOfKey(from start: Int) -> Int {
    let first = changes[start]
    var end = start + 1
    while end < changes.count, changes[end].prefix == first.prefix, Self.order(first, changes[end], bytes) == 0 {
      end += 1
    }
    return end
  }

  /// Compares two keys with equal prefixes.
  @inline(__always)
  private static func order(_ left: Change, _ right: Change, _ bytes: UnsafeMutableRawPointer) -> Int {
    let common = Int(min(left.length, right.length))
    let order = memcmp(bytes + Int(left.offset), bytes + Int(right.offset), common)
    return order != 0 ? Int(order) : Int(left.length) - Int(right.length)
  }

  @inline(__always)
  private static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let a = left.baseAddress, let b = right.baseAddress else { return true }
    return memcmp(a, b, left.count) == 0
  }

  /// The prefix of a key as a number in the same order. Nearly every key begins with the byte 1, which is encoded in
  /// one bit, so that the number holds all but one bit of the eight bytes that follow.
  @inline(__always)
  private static func prefix(_ key: UnsafeRawBufferPointer) -> UInt64 {
    if key.count >= 9, key[0] == 1 {
      return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) >> 1 | 1 << 63
    }
    guard let first = key.first, first > 0 else { return 0 }
    if first > 1 { return .max }
    var prefix: UInt64 = 0
    for position in 1..<9 { prefix = prefix << 8 | (position < key.count ? UInt64(key[position]) : 0) }
    return prefix >> 1 | 1 << 63
  }

  private mutating func grow(to needed: Int) {
    capacity = max(capacity, 1 << 12)
    while capacity < needed { capacity *= 2 }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    memcpy(larger, bytes, used)
    bytes.deallocate()
    bytes = larger
  }
}
