internal import Glibc
internal import LMDB
internal import Schema

/// Reads one index in one snapshot: encoded keys in order, each with its object IDs.
///
/// It compares bytes; `IndexKey` defines their meaning. Used by one thread at a time, and not after the snapshot has
/// ended.
package final class IndexReader {
  /// The index it reads.
  package let index: StoredIndex
  /// Whether any key is truncated. Equal keys may then have different values in undefined order, so results must be
  /// checked against the objects.
  package let hasLongKeys: Bool
  /// The type of the values that its keys begin with.
  let type: ScalarType?
  private let transaction: Transaction
  /// Whether it reads a commit. Within a write several objects may have the same value of a unique property.
  private let isOfCommit: Bool
  private let database: Database
  private let path: String
  /// No object has a greater number.
  private let lastObject: UInt64

  /// The maximum number of object IDs in a run: as many as fit in a page.
  private let runLength: Int

  /// `objectLimit` is above the numbers of all objects.
  init(
    _ index: StoredIndex, database: Database, hasLongKeys: Bool, objectLimit: UInt64, transaction: Transaction,
    path: String
  ) {
    self.index = index
    lastObject = min(objectLimit &- 1, UInt64(Int64.max))
    type = index.types.first
    self.database = database
    self.hasLongKeys = hasLongKeys
    self.transaction = transaction
    isOfCommit = transaction is ReadTransaction
    runLength = max(1, transaction.environment.pageSize / MemoryLayout<UInt64>.size)
    self.path = path
  }

  /// The number of objects in the index, including those with nil. Takes constant time.
  package var entryCount: Int {
    get throws(StoreError) {
      try StoreError.meaning(path) { () throws(LMDBError) in try transaction.entryCount(database) }
    }
  }

  /// The lowest key in a range.
  package func firstKey(in range: IndexKeyRange) throws(StoreError) -> [UInt8]? {
    try StoreError.meaning(path) { () throws(LMDBError) in
      guard let entry = try start(try transaction.cursor(database), range.lower), range.upper.admits(asUpper: entry.key)
      else { return nil }
      return Array(entry.key)
    }
  }

  /// The highest key in a range.
  package func lastKey(in range: IndexKeyRange) throws(StoreError) -> [UInt8]? {
    try StoreError.meaning(path) { () throws(LMDBError) in
      guard let entry = try end(try transaction.cursor(database), range.upper), range.lower.admits(asLower: entry.key)
      else { return nil }
      return Array(entry.key)
    }
  }

  /// The number of objects with a key in a range. Takes one step for each page, or one for a single key.
  package func count(_ range: IndexKeyRange) throws(StoreError) -> Int {
    var steps = Int.max
    return try count(range, steps: &steps)
  }

  /// Counts the objects in a range; `check` is called regularly and may throw to end the counting.
  package func count(_ range: IndexKeyRange, _ check: () throws -> Void) throws -> Int {
    var failure: (any Error)?
    var steps = Int.max
    let count = try count(range, steps: &steps) {
      do { try check() } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
    return count
  }

  /// Counts the objects with a key in a range. Counting stops when no `steps` are left, so the result may be too low. A
  /// key is one step, regardless of its number of objects; a page that is counted as a whole takes `pageSteps`.
  package func count(
    _ range: IndexKeyRange, steps: inout Int, goesOn: () -> Bool = { true }
  ) throws(StoreError) -> Int {
    try countSome(range, steps: &steps, goesOn: goesOn).count
  }

  /// Counts as above. If counting stops early, it also returns the counted part of the range. A range without an upper
  /// bound is counted from its end, so that ranges which differ in their lower bounds count the same part.
  package func countSome(
    _ range: IndexKeyRange, steps: inout Int, goesOn: () -> Bool = { true }
  ) throws(StoreError) -> (count: Int, part: IndexKeyRange?) {
    if range == .all { return (try entryCount, nil) }
    var left = steps
    defer { steps = left }
    return try StoreError.meaning(path) { () throws(LMDBError) in
      let cursor = try transaction.cursor(database)
      if let key = range.onlyKey {
        left -= 1
        return (try find(cursor, key) == nil ? 0 : try cursor.duplicateCount(), nil)
      }
      let backward = range.isOpenAbove
      let admits = { backward ? range.lower.admits(asLower: $0) : range.upper.admits(asUpper: $0) }
      var count = 0
      var entry = try backward ? end(cursor, range.upper) : start(cursor, range.lower)
      var asked = left
      while let found = entry, left > 0, admits(found.key) {
        if asked - left >= Self.stepsBetween {
          asked = left
          if !goesOn() { break }
        }
        if let page = try cursor.countPage(backward: backward, while: admits) {
          left -= Self.pageSteps
          count = sum(count, page.count)
          if !page.goesOn { return (count, nil) }
          entry = try cursor.current()
        } else {
          left -= 1
          count = sum(count, try cursor.duplicateCount())
          entry = try backward ? cursor.previousKey() : cursor.nextKey()
        }
      }
      guard let next = entry, admits(next.key) else { return (count, nil) }
      let bound = IndexKeyRange.Bound.excluded(Array(next.key))
      return (
        count,
        backward ? IndexKeyRange(lower: bound, upper: range.upper) : IndexKeyRange(lower: range.lower, upper: bound)
      )
    }
  }

  /// Estimates the number of keys in a range of `objects` objects from its first keys. The first key, nil, is skipped,
  /// because it may have very many objects and is not representative.
  package func keyEstimate(_ range: IndexKeyRange, of objects: Double) throws(StoreError) -> Double {
    var keys = 0
    var first = 0
    var others = 0
    try StoreError.only(path) {
      try forEachKey(range) { _, _, count in
        keys += 1
        if keys == 1 { first = count } else { others += count }
        return keys < Self.sampledKeys
      }
    }
    if keys < Self.sampledKeys || others == 0 { return Double(keys) }
    return 1 + Double(keys - 1) / Double(others) * max(0, objects - Double(first))
  }

  /// The number of keys sampled for an estimate.
  private static let sampledKeys = 64

  /// The number of steps between two checks for cancellation.
  private static let stepsBetween = 1024

  /// The number of steps for a page that is counted as a whole.
  package static let pageSteps = 16

  /// Calls `body` with the object IDs of every key in the range, keys in ascending or, if `descending`, in reverse
  /// order.
  ///
  /// A run belongs to one key and ascends; the runs of one key also ascend, in both directions. The buffer is valid
  /// during the call only. `body` returns false to stop.
  package func forEachRun(
    _ range: IndexKeyRange, descending: Bool = false, _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws {
    try forEachRun(CollectionOfOne(range), descending: descending, body)
  }

  /// Calls `body` with the runs of several ranges, one range after the other. They share a cursor: in ascending ranges,
  /// keys on the same page are found without searching the tree.
  package func forEachRun(
    _ ranges: some Sequence<IndexKeyRange>, descending: Bool = false,
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws {
    try walk { cursor, scratch in
      for range in ranges {
        guard try runs(in: range, cursor, descending, scratch, body) else { return }
      }
    }
  }

  /// Calls `body` with the object IDs of several ranges, one range after the other, keys in ascending or, if
  /// `descending`, in reverse order. IDs are passed in as large parts as possible, without their keys. In commits this
  /// is many times faster than iterating over keys. The buffer is valid during the call only. `body` returns false to
  /// stop.
  package func forEachPart(
    _ ranges: some Sequence<IndexKeyRange>, descending: Bool = false,
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws {
    try walk { cursor, scratch in
      for range in ranges {
        guard
          try range.onlyKey == nil
            ? parts(of: range, cursor, descending, scratch, body) : runs(in: range, cursor, descending, scratch, body)
        else { return }
      }
    }
  }

  private func parts(
    of range: IndexKeyRange, _ cursor: Cursor, _ descending: Bool, _ scratch: UnsafeMutablePointer<UInt64>,
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws -> Bool {
    let room = UnsafeMutableBufferPointer(start: scratch, count: runLength)
    let admits = { descending ? range.lower.admits(asLower: $0) : range.upper.admits(asUpper: $0) }
    var entry = try descending ? end(cursor, range.upper) : start(cursor, range.lower)
    while let found = entry, admits(found.key) {
      if let page = try cursor.readPage(into: room, backward: descending, while: admits) {
        let numbers = UnsafeBufferPointer(rebasing: room[..<page.count])
        try check(numbers)
        guard try body(numbers) else { return false }
        if !page.goesOn { return true }
        entry = try cursor.current()
      } else {
        guard try runs(of: cursor, first: descending ? try cursor.firstDuplicate() : found.value, scratch, body) else {
          return false
        }
        entry = try descending ? cursor.previousKey() : cursor.nextKey()
      }
    }
    return true
  }

  private func runs(
    in range: IndexKeyRange, _ cursor: Cursor, _ descending: Bool, _ scratch: UnsafeMutablePointer<UInt64>,
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws -> Bool {
    if let key = range.onlyKey {
      guard let found = try find(cursor, key) else { return true }
      return try runs(of: cursor, first: found.value, scratch, body)
    }
    if descending {
      var entry = try end(cursor, range.upper)
      while let found = entry, range.lower.admits(asLower: found.key) {
        guard try runs(of: cursor, first: try cursor.firstDuplicate(), scratch, body) else { return false }
        entry = try cursor.previousKey()
      }
    } else {
      var entry = try start(cursor, range.lower)
      while let found = entry, range.upper.admits(asUpper: found.key) {
        guard try runs(of: cursor, first: found.value, scratch, body) else { return false }
        entry = try cursor.nextKey()
      }
    }
    return true
  }

  /// Calls `body` with each key in the range, in order, with its first object and its number of objects, until `body`
  /// returns false. Takes one step for each key.
  package func forEachKey(
    _ range: IndexKeyRange, _ body: (_ key: UnsafeRawBufferPointer, _ first: UInt64, _ count: Int) throws -> Bool
  ) throws {
    try StoreError.translating(path) {
      let cursor = try transaction.cursor(database)
      var entry = try start(cursor, range.lower)
      while let found = entry, range.upper.admits(asUpper: found.key) {
        guard found.value.count == 8 else { throw damage() }
        let first = try checked(found.value.loadUnaligned(as: UInt64.self))
        guard try body(found.key, first, try cursor.duplicateCount()) else { return }
        entry = try cursor.nextKey()
      }
    }
  }

  /// Runs `body` with a new cursor and memory for a run.
  func walk(_ body: (Cursor, UnsafeMutablePointer<UInt64>) throws -> Void) throws {
    let scratch = UnsafeMutablePointer<UInt64>.allocate(capacity: runLength)
    defer { scratch.deallocate() }
    try StoreError.translating(path) { try body(try transaction.cursor(database), scratch) }
  }

  /// The key of a range that has at most one object: the only key of the range, in a unique index that does not
  /// truncate it. nil for the key of nil, which any number of objects may have, and within a write.
  package func uniqueKey(_ range: IndexKeyRange) -> [UInt8]? {
    guard isOfCommit, index.isUnique, index.columns.count == 1, !hasLongKeys, let key = range.onlyKey,
      key.first != IndexKey.null
    else { return nil }
    return key
  }

  /// The first object of a key, if any.
  package func firstObject(of key: [UInt8]) throws(StoreError) -> UInt64? {
    try key.withBytes { key throws(StoreError) in try firstObject(of: key) }
  }

  /// The first object of a key, if any.
  func firstObject(of key: UnsafeRawBufferPointer) throws(StoreError) -> UInt64? {
    let value = try StoreError.meaning(path) { () throws(LMDBError) in try transaction.get(key, database) }
    guard let value else { return nil }
    guard value.count == 8 else { throw damage() }
    return try checked(value.loadUnaligned(as: UInt64.self))
  }

  /// Calls `body` with every key and object number, in order, for checking.
  func forEachEntry(_ body: (UnsafeRawBufferPointer, UInt64) throws -> Bool) throws {
    try StoreError.translating(path) {
      let cursor = try transaction.cursor(database)
      var entry = try cursor.first()
      while let found = entry {
        guard found.value.count == 8 else { throw damage() }
        guard try body(found.key, found.value.loadUnaligned(as: UInt64.self)) else { return }
        entry = try cursor.next()
      }
    }
  }

  /// Passes on the runs of the cursor's key; `first` is the first object ID. Returns false if `body` does. Impossible
  /// IDs are refused, unless the caller checks for damage.
  func runs(
    of cursor: Cursor, first: UnsafeRawBufferPointer?, _ scratch: UnsafeMutablePointer<UInt64>,
    refusesDamage: Bool = true,
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws -> Bool {
    guard try cursor.duplicateCount() > 1 else {
      // LMDB stores the value of a key with a single object in the node, at any even address.
      guard let first = try first ?? cursor.current()?.value, first.count == 8 else { throw damage() }
      scratch[0] = first.loadUnaligned(as: UInt64.self)
      if refusesDamage { _ = try checked(scratch[0]) }
      return try body(UnsafeBufferPointer(start: scratch, count: 1))
    }
    var run = try cursor.multiple()
    while let found = run {
      guard found.count % 8 == 0, found.count <= runLength * 8, let source = found.baseAddress else {
        throw damage()
      }
      memcpy(scratch, source, found.count)
      let numbers = UnsafeBufferPointer(start: UnsafePointer(scratch), count: found.count / 8)
      if refusesDamage { try check(numbers) }
      guard try body(numbers) else { return false }
      run = try cursor.nextMultiple()
    }
    return true
  }

  /// Validates an object ID: sets are allocated by the IDs they contain, so an impossible ID must be refused.
  @inline(__always)
  private func checked(_ object: UInt64) throws(StoreError) -> UInt64 {
    if object > lastObject { throw damage(object) }
    return object
  }

  @inline(__always)
  private func check(_ run: UnsafeBufferPointer<UInt64>) throws(StoreError) {
    let last = lastObject
    // The highest bit of a difference shows which number is greater, as long as neither has that bit itself.
    var beyond: UInt64 = 0
    for object in run { beyond |= (last &- object) | object }
    if beyond >> 63 != 0 { throw damage(run.first { $0 > last } ?? last) }
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

  private func find(_ cursor: Cursor, _ key: [UInt8]) throws(LMDBError) -> Cursor.Entry? {
    try key.withBytes { bytes throws(LMDBError) in try cursor.find(bytes) }
  }

  /// Notes that the index is damaged, and returns the error.
  func damage(_ what: String = "an entry of the wrong size") -> StoreError {
    transaction.noteDamage(in: index.database)
    return .corrupted(location: "the index \(index.index.name): \(what)")
  }

  private func damage(_ object: UInt64) -> StoreError { damage("number \(object), which no object can have") }
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

/// A sum of counts that saturates: in a damaged store they may have any value.
private func sum(_ a: Int, _ b: Int) -> Int {
  let (sum, isTooMany) = a.addingReportingOverflow(b)
  return isTooMany ? .max : sum
}

/// Compares bytes in LMDB's key order: unsigned, a prefix first.
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
