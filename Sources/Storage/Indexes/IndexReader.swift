internal import Glibc
internal import LMDB
internal import Schema

/// Reads one index in one snapshot: encoded keys in order, each with its object numbers.
///
/// It compares bytes; what a key means is the business of `IndexKey`. One thread at a time, and not after the
/// snapshot's end.
package final class IndexReader {
  /// The index it reads.
  package let index: StoredIndex
  /// Whether some key was too long to be kept whole. Then equal keys may stand for different values whose order is
  /// unknown, and what is found has to be checked against the objects.
  package let hasLongKeys: Bool
  private let transaction: Transaction
  private let database: Database
  private let path: String

  /// How many object numbers a run has at most: as many as fit in a page.
  private static let runLength = 512

  init(_ index: StoredIndex, database: Database, hasLongKeys: Bool, transaction: Transaction, path: String) {
    self.index = index
    self.database = database
    self.hasLongKeys = hasLongKeys
    self.transaction = transaction
    self.path = path
  }

  /// How many objects it holds, those with nil included. Takes no time.
  package var entryCount: Int {
    get throws(StoreError) {
      try StoreError.meaning(path) { () throws(LMDBError) in try transaction.entryCount(database) }
    }
  }

  /// The lowest key there is.
  package func firstKey() throws(StoreError) -> [UInt8]? {
    try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.cursor(database).first().map { Array($0.key) }
    }
  }

  /// The highest key there is.
  package func lastKey() throws(StoreError) -> [UInt8]? {
    try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.cursor(database).last().map { Array($0.key) }
    }
  }

  /// How many objects have a key in the range; counting stops once `atMost` are found. Costs one step a key.
  package func count(_ range: IndexKeyRange, atMost limit: Int = .max) throws(StoreError) -> Int {
    if range.lower == .unbounded && range.upper == .unbounded { return min(limit, try entryCount) }
    return try StoreError.meaning(path) { () throws(LMDBError) in
      let cursor = try transaction.cursor(database)
      var count = 0
      var entry = try start(cursor, range.lower)
      while let found = entry, count < limit, range.upper.admits(asUpper: found.key) {
        count += try cursor.duplicateCount()
        entry = try cursor.nextKey()
      }
      return min(limit, count)
    }
  }

  /// How many objects have a key in the range. A key is one step, however many objects it has: counting stops once
  /// there are no `steps` left, and then not all may be counted.
  package func count(_ range: IndexKeyRange, steps: inout Int) throws(StoreError) -> Int {
    if range.lower == .unbounded && range.upper == .unbounded { return try entryCount }
    var left = steps
    defer { steps = left }
    return try StoreError.meaning(path) { () throws(LMDBError) in
      let cursor = try transaction.cursor(database)
      var count = 0
      var entry = try start(cursor, range.lower)
      while let found = entry, left > 0, range.upper.admits(asUpper: found.key) {
        left -= 1
        count += try cursor.duplicateCount()
        entry = try cursor.nextKey()
      }
      return count
    }
  }

  /// Calls `body` with the object numbers of every key in the range, keys in order or, `descending`, in reverse.
  ///
  /// A run belongs to one key and ascends; the runs of a key follow each other ascending too, in both directions.
  /// The buffer is good for the call only. `body` returns false to stop.
  package func forEachRun(
    _ range: IndexKeyRange, descending: Bool = false, _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws {
    try walk { cursor, scratch in
      if descending {
        var entry = try end(cursor, range.upper)
        while let found = entry, range.lower.admits(asLower: found.key) {
          guard try runs(of: cursor, first: try cursor.firstDuplicate(), scratch, body) else { return }
          entry = try cursor.previousKey()
        }
      } else {
        var entry = try start(cursor, range.lower)
        while let found = entry, range.upper.admits(asUpper: found.key) {
          guard try runs(of: cursor, first: found.value, scratch, body) else { return }
          entry = try cursor.nextKey()
        }
      }
    }
  }

  /// Runs `body` with a cursor of its own and room for a run.
  func walk(_ body: (Cursor, UnsafeMutablePointer<UInt64>) throws -> Void) throws {
    let scratch = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.runLength)
    defer { scratch.deallocate() }
    try StoreError.translating(path) { try body(try transaction.cursor(database), scratch) }
  }

  /// The first object of a key, if any.
  func firstObject(of key: UnsafeRawBufferPointer) throws(StoreError) -> UInt64? {
    let value = try StoreError.meaning(path) { () throws(LMDBError) in try transaction.get(key, database) }
    guard let value else { return nil }
    guard value.count == 8 else { throw damage }
    return value.loadUnaligned(as: UInt64.self)
  }

  /// Calls `body` with every key and object number, in order, for checking.
  func forEachEntry(_ body: (UnsafeRawBufferPointer, UInt64) throws -> Bool) throws {
    try StoreError.translating(path) {
      let cursor = try transaction.cursor(database)
      var entry = try cursor.first()
      while let found = entry {
        guard found.value.count == 8 else { throw damage }
        guard try body(found.key, found.value.loadUnaligned(as: UInt64.self)) else { return }
        entry = try cursor.next()
      }
    }
  }

  /// The runs of the key the cursor is at; `first` is the first object number. False when `body` wants no more.
  func runs(
    of cursor: Cursor, first: UnsafeRawBufferPointer?, _ scratch: UnsafeMutablePointer<UInt64>,
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws -> Bool {
    guard try cursor.duplicateCount() > 1 else {
      // A key with a single object: LMDB keeps it in the node, at any even address.
      guard let first = try first ?? cursor.current()?.value, first.count == 8 else { throw damage }
      scratch[0] = first.loadUnaligned(as: UInt64.self)
      return try body(UnsafeBufferPointer(start: scratch, count: 1))
    }
    var run = try cursor.multiple()
    while let found = run {
      guard found.count % 8 == 0, found.count <= Self.runLength * 8, let source = found.baseAddress else {
        throw damage
      }
      memcpy(scratch, source, found.count)
      guard try body(UnsafeBufferPointer(start: scratch, count: found.count / 8)) else { return false }
      run = try cursor.nextMultiple()
    }
    return true
  }

  private func start(_ cursor: Cursor, _ bound: IndexKeyRange.Bound) throws(LMDBError) -> Cursor.Entry? {
    switch bound {
    case .unbounded: return try cursor.first()
    case .included(let key): return try seek(cursor, key)
    case .excluded(let key):
      let entry = try seek(cursor, key)
      return if let entry, compare(entry.key, key) == 0 { try cursor.nextKey() } else { entry }
    }
  }

  private func end(_ cursor: Cursor, _ bound: IndexKeyRange.Bound) throws(LMDBError) -> Cursor.Entry? {
    let key: [UInt8]
    let isIncluded: Bool
    switch bound {
    case .unbounded: return try cursor.last()
    case .included(let bytes): (key, isIncluded) = (bytes, true)
    case .excluded(let bytes): (key, isIncluded) = (bytes, false)
    }
    guard let entry = try seek(cursor, key) else { return try cursor.last() }
    if isIncluded, compare(entry.key, key) == 0 { return entry }
    return try cursor.previousKey()
  }

  private func seek(_ cursor: Cursor, _ key: [UInt8]) throws(LMDBError) -> Cursor.Entry? {
    try key.withBytes { bytes throws(LMDBError) in try cursor.seek(bytes) }
  }

  var damage: StoreError { .corrupted(location: "the index \(index.index.name): an entry of the wrong size") }
}

extension IndexKeyRange.Bound {
  /// Whether a key is not beyond this as an upper bound.
  @inline(__always)
  fileprivate func admits(asUpper key: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .unbounded: true
    case .included(let bound): compare(key, bound) <= 0
    case .excluded(let bound): compare(key, bound) < 0
    }
  }

  /// Whether a key is not below this as a lower bound.
  @inline(__always)
  fileprivate func admits(asLower key: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .unbounded: true
    case .included(let bound): compare(key, bound) >= 0
    case .excluded(let bound): compare(key, bound) > 0
    }
  }
}

/// Compares bytes as LMDB orders keys: unsigned, a prefix before what it begins.
@inline(__always)
private func compare(_ key: UnsafeRawBufferPointer, _ bound: [UInt8]) -> Int {
  bound.withUnsafeBytes { bound in
    let common = min(key.count, bound.count)
    if common > 0, let left = key.baseAddress, let right = bound.baseAddress {
      let order = memcmp(left, right, common)
      if order != 0 { return Int(order) }
    }
    return key.count - bound.count
  }
}
