internal import LMDB
internal import Schema
internal import Values

/// The keys of an index on one column whose keys all have the same width, collected from every object. They are sorted
/// as numbers by a radix sort and then appended to an empty index.
///
/// Objects must be added in ascending order. It does not depend on the storage of indexes.
struct FixedKeys: ~Copyable {
  private struct Entry {
    var word: UInt64
    var object: UInt64
  }

  /// The maximum number of keys: 32 bytes each, including memory for sorting.
  static let limit = 1 << 22

  private let type: ScalarType
  private let width: Int
  private var entries: UnsafeMutableBufferPointer<Entry>
  private var count = 0
  /// The objects with nil.
  private var nulls: [UInt64] = []
  private var key: [UInt8] = []

  /// Keys for an index of `objects` objects; nil if its keys have several columns or different lengths, or if there are
  /// too many.
  init?(_ index: StoredIndex, objects: Int) {
    guard index.types.count == 1, index.hasValueKeys, objects <= Self.limit else { return nil }
    switch index.types[0] {
    case .bool: width = 1
    case .float: width = 4
    case .int8, .int16, .int32, .int, .double, .date: width = 8
    case .string, .data, .decimal, .uuid: return nil
    }
    type = index.types[0]
    entries = .allocate(capacity: max(objects, 1))
  }

  deinit { entries.deallocate() }

  /// Adds an object. Returns false if it does not fit; the keys must then be discarded.
  mutating func add(_ value: Value, object: UInt64) -> Bool {
    if value.isNull {
      nulls.append(object)
      return true
    }
    key.removeAll(keepingCapacity: true)
    IndexKey.append(value, type: type, to: &key)
    guard key.count == 1 + width, count < entries.count else { return false }
    var word: UInt64 = 0
    for byte in key[1...] { word = word << 8 | UInt64(byte) }
    entries[count] = Entry(word: word, object: object)
    count += 1
    return true
  }

  /// Calls `body` with each key and its objects, ascending: that of nil first.
  mutating func forEachKey(
    _ body: (UnsafeRawBufferPointer, UnsafeBufferPointer<UInt64>, _ isNull: Bool) throws(StoreError) -> Void
  ) throws(StoreError) {
    sort()
    if !nulls.isEmpty {
      try [UInt8(0)].withBytes { key throws(StoreError) in
        try nulls.withUnsafeBufferPointer { objects throws(StoreError) in try body(key, objects, true) }
      }
    }
    var objects: [UInt64] = []
    var start = 0
    while start < count {
      let word = entries[start].word
      objects.removeAll(keepingCapacity: true)
      while start < count, entries[start].word == word {
        objects.append(entries[start].object)
        start += 1
      }
      key.removeAll(keepingCapacity: true)
      key.append(1)
      for byte in (0..<width).reversed() { key.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * byte))) }
      try key.withBytes { key throws(StoreError) in
        try objects.withUnsafeBufferPointer { objects throws(StoreError) in try body(key, objects, false) }
      }
    }
  }

  /// A radix sort, stable, by the bytes in which keys differ.
  private mutating func sort() {
    var all = UInt64.max
    var any = UInt64.min
    for place in 0..<count {
      all &= entries[place].word
      any |= entries[place].word
    }
    let different = all ^ any
    guard different != 0 else { return }
    var other = UnsafeMutableBufferPointer<Entry>.allocate(capacity: entries.count)
    defer { other.deallocate() }
    for shift in stride(from: UInt64(0), to: 64, by: 8) where different >> shift & 0xFF != 0 {
      let (from, to, count) = (entries, other, count)
      withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
        places.initialize(repeating: 0)
        for place in 0..<count { places[Int(truncatingIfNeeded: from[place].word >> shift & 0xFF)] += 1 }
        var next = 0
        for byte in 0..<256 { (places[byte], next) = (next, next + places[byte]) }
        for place in 0..<count {
          let byte = Int(truncatingIfNeeded: from[place].word >> shift & 0xFF)
          to[places[byte]] = from[place]
          places[byte] += 1
        }
      }
      swap(&entries, &other)
    }
  }
}

extension KeyIndexWriter {
  /// Writes keys into the index, which must be empty.
  func append(_ keys: inout FixedKeys, _ transaction: WriteTransaction) throws(StoreError) {
    let cursor = try StoreError.meaning(path) { () throws(LMDBError) in try transaction.cursor(database) }
    var step = 0
    try keys.forEachKey { (key, objects, isNull) throws(StoreError) in
      step += 1
      if step & 4_095 == 0, wait.isOver { throw .cancelled }
      if index.isUnique, !isNull, objects.count > 1 { suspects.insert(Array(key)) }
      try StoreError.meaning(path) { () throws(LMDBError) in try cursor.put(key, numbers: objects, append: true) }
    }
  }
}
