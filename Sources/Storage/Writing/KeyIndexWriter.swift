internal import LMDB
internal import Schema
internal import Values

/// Writes an index with a set of objects for each key: the sorted changes of a key at a time.
///
/// Uniqueness is checked when the transaction commits, so that objects may exchange values; until then shared keys are
/// only recorded.
class KeyIndexWriter: IndexWriter {
  static let databaseOptions = DatabaseOptions.integerSet

  final let index: StoredIndex
  final private(set) var hasLongKeys: Bool
  final let database: Database
  final let path: String
  final var wait = WriteWait()
  final var changes = IndexChanges()
  private var recent = RecentKeys()
  /// Keys of a unique index that are shared, or may be.
  final var suspects: Set<[UInt8]> = []
  private let parts: [(column: Int, type: ScalarType)]

  required init(_ index: StoredIndex, database: Database, hasLongKeys: Bool, path: String) {
    self.index = index
    self.database = database
    self.hasLongKeys = hasLongKeys
    self.path = path
    parts = Array(zip(index.columns, index.types))
  }

  // MARK: Gathering

  func note(_ values: [Value], object: UInt64, isRemoval: Bool) {
    if isRemoval { recent.forget() }
    if changes.add(values, of: index, object: object, isRemoval: isRemoval) { hasLongKeys = true }
  }

  func note(row: UnsafeBufferPointer<Value>, object: UInt64) {
    if changes.add(row: row, parts, of: index, object: object) { hasLongKeys = true }
  }

  func note(from old: [Value], to new: [Value], object: UInt64) {
    if new == old { return }
    note(old, object: object, isRemoval: true)
    note(new, object: object, isRemoval: false)
  }

  final var isFull: Bool { changes.isFull }

  // MARK: Looking up

  /// The object with the values of a unique index, considering written and unwritten changes. `values` returns the
  /// values of an object: truncated keys may be equal although the values are not.
  final func holder(
    of wanted: [Value], in transaction: WriteTransaction, values: (UInt64) throws(StoreError) -> [Value]
  ) throws(StoreError) -> UInt64? {
    let key = IndexKey.encode(wanted, of: index)
    if IndexKey.isShortened(key) {
      try flush(transaction)
      for holder in try holders(ofKey: key, transaction) {
        if zip(try values(holder), wanted).allSatisfy({ IndexKey.isSame($0, $1) }) { return holder }
      }
      return nil
    }
    if let known = key.withUnsafeBytes({ recent.object(of: $0) }) { return known }
    let (holder, removed) = key.withUnsafeBytes { changes.holder(of: $0) }
    if let holder {
      key.withUnsafeBytes { recent.keep(holder, of: $0) }
      return holder
    }
    if !removed.isEmpty { return try holders(ofKey: key, transaction).first { !removed.contains($0) } }
    let found = try StoreError.meaning(path) { () throws(LMDBError) in
      try key.withBytes { key throws(LMDBError) in
        try transaction.get(key, database).flatMap { $0.count == 8 ? $0.loadUnaligned(as: UInt64.self) : nil }
      }
    }
    if let found { key.withUnsafeBytes { recent.keep(found, of: $0) } }
    return found
  }

  // MARK: Writing

  final func flush(_ transaction: WriteTransaction) throws(StoreError) {
    if changes.isEmpty { return }
    var changes = IndexChanges()
    swap(&changes, &self.changes)
    changes.sort()
    defer {
      changes.removeAll()
      swap(&changes, &self.changes)
    }
    try write(changes, transaction)
  }

  private func write(_ changes: borrowing IndexChanges, _ transaction: WriteTransaction) throws(StoreError) {
    do throws(LMDBError) {
      let isFirst = try transaction.entryCount(database) == 0
      let cursor = try transaction.cursor(database)
      var added: [UInt64] = []
      var start = 0
      var step = 0
      while start < changes.changes.count {
        step += 1
        if step & 4_095 == 0, wait.isOver { throw .cancelled }
        let end = changes.endOfKey(from: start)
        try write(changes, start..<end, &added, cursor, transaction, isFirst: isFirst)
        start = end
      }
    } catch { throw StoreError(error, path: path) }
  }

  /// Writes the changes of one key: first removals, then additions, with the last change of each object. `added` is
  /// memory to use.
  private func write(
    _ changes: borrowing IndexChanges, _ range: Range<Int>, _ added: inout [UInt64], _ cursor: Cursor,
    _ transaction: WriteTransaction, isFirst: Bool
  ) throws(LMDBError) {
    let first = changes.changes[range.lowerBound]
    let key = changes.key(first)
    added.removeAll(keepingCapacity: true)
    var hadIt = false
    var isNew = false
    for position in range {
      let change = changes.changes[position]
      let isFirstWord = position == range.lowerBound || changes.changes[position - 1].object != change.object
      let isLastWord = position + 1 == range.upperBound || changes.changes[position + 1].object != change.object
      // An object whose first change is a removal had the key before; if its last change is an addition, it still has
      // it.
      if isFirstWord { hadIt = change.isRemoval }
      guard isLastWord else { continue }
      isNew = isNew || !change.isRemoval
      if !change.isRemoval {
        if !hadIt || isFirst { added.append(change.object) }
      } else if !isFirst {
        try transaction.delete(key, change.object, database)
      }
    }
    if isNew { noteAddition(to: key) }
    if added.isEmpty { return }
    if index.isUnique, !first.isExempt, !isFirst {
      if added.count == 1, try cursor.putIfAbsent(key, number: added[0]) { return }
      suspects.insert(Array(key))
    } else if index.isUnique, !first.isExempt, added.count > 1 {
      suspects.insert(Array(key))
    }
    try added.withUnsafeBufferPointer { added throws(LMDBError) in
      try cursor.put(key, numbers: added, append: isFirst)
    }
  }

  /// Called for each key that an object was added to.
  func noteAddition(to key: UnsafeRawBufferPointer) {}

  // MARK: Judging

  /// The objects that share a key of a unique index, or nil. `values` returns the values of an object: truncated keys
  /// may be equal although the values are not.
  final func violation(
    _ transaction: WriteTransaction, values: (UInt64) throws(StoreError) -> [Value]
  ) throws(StoreError) -> [UInt64]? {
    for key in suspects {
      let holders = try self.holders(ofKey: key, transaction)
      guard holders.count > 1 else { continue }
      if !IndexKey.isShortened(key) { return holders }
      var seen: [(object: UInt64, values: [Value])] = []
      for holder in holders {
        let own = try values(holder)
        if let other = seen.first(where: { zip($0.values, own).allSatisfy { IndexKey.isSame($0, $1) } }) {
          return [other.object, holder]
        }
        seen.append((holder, own))
      }
    }
    return nil
  }

  final func holders(
    ofKey key: [UInt8], _ transaction: WriteTransaction
  ) throws(StoreError) -> [UInt64] {
    try StoreError.meaning(path) { () throws(LMDBError) in
      let cursor = try transaction.cursor(database)
      var holders: [UInt64] = []
      var entry = try key.withBytes { key throws(LMDBError) in try cursor.find(key) }
      while let found = entry, found.value.count == 8 {
        holders.append(found.value.loadUnaligned(as: UInt64.self))
        entry = try cursor.nextDuplicate()
      }
      return holders
    }
  }
}
