import CLMDB
import Glibc

/// A position in a database that moves through its entries in key order, and through the values of a key.
///
/// Moves return nil when there is no entry. After a search without a result there is no position: the next entry is
/// then the first, and the previous one the last. A cursor knows only bytes.
package final class Cursor {
  /// A key and a value, pointing into mapped memory.
  package struct Entry {
    package let key: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer
  }

  package let transaction: Transaction
  package let database: Database
  let raw: OpaquePointer
  /// Whether the last search had a result. LMDB does not track this: moving on after a failed search would make it read
  /// invalid data.
  private var isPositioned = false
  /// Whether changes may have left the position after the last entry of a page. LMDB must not be asked for the previous
  /// entry there, in a database with several values for a key.
  private let isDisturbed: Bool

  init(_ raw: OpaquePointer, transaction: Transaction, database: Database) {
    self.raw = raw
    self.transaction = transaction
    self.database = database
    isDisturbed = transaction is WriteTransaction && database.options.contains(.dupSort)
  }

  deinit {
    // LMDB closes the cursors of a write transaction when it ends, those of a read transaction never.
    if transaction.isOpen || transaction is ReadTransaction { mdb_cursor_close(raw) }
  }

  // MARK: Moving

  /// The first entry.
  package func first() throws(LMDBError) -> Entry? { try search(MDB_FIRST) }
  /// The last entry, and the last value of its key.
  package func last() throws(LMDBError) -> Entry? { try search(MDB_LAST) }
  /// The entry after this one; the first if there is no position.
  package func next() throws(LMDBError) -> Entry? { try isPositioned ? step(MDB_NEXT) : search(MDB_FIRST) }
  /// The entry before this one; the last if there is no position.
  package func previous() throws(LMDBError) -> Entry? { try moveBack(MDB_PREV) }
  /// The first value of the next key; that of the first key if there is no position.
  package func nextKey() throws(LMDBError) -> Entry? { try isPositioned ? step(MDB_NEXT_NODUP) : search(MDB_FIRST) }
  /// The last value of the previous key; that of the last key if there is no position.
  package func previousKey() throws(LMDBError) -> Entry? { try moveBack(MDB_PREV_NODUP) }
  /// The next value of this key.
  package func nextDuplicate() throws(LMDBError) -> Entry? { try isPositioned ? step(MDB_NEXT_DUP) : nothing() }
  /// The previous value of this key.
  package func previousDuplicate() throws(LMDBError) -> Entry? {
    try isPositioned ? moveBack(MDB_PREV_DUP) : nothing()
  }

  /// The entry at the position.
  package func current() throws(LMDBError) -> Entry? { try isPositioned ? move(MDB_GET_CURRENT) : nothing() }

  /// The first value of this key.
  package func firstDuplicate() throws(LMDBError) -> UnsafeRawBufferPointer? { try value(MDB_FIRST_DUP) }
  /// The last value of this key.
  package func lastDuplicate() throws(LMDBError) -> UnsafeRawBufferPointer? { try value(MDB_LAST_DUP) }

  // MARK: Searching

  /// The first entry whose key is `key` or comes after it.
  package func seek(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
    // LMDB takes no empty key, and every key comes after it.
    if key.isEmpty, !database.options.contains(.integerKey) { return try first() }
    try Transaction.check(key: key, database)
    return try search(MDB_SET_RANGE, MDB_val(key))
  }

  /// The first entry whose number is `key` or comes after it.
  package func seek(_ key: UInt64) throws(LMDBError) -> Entry? { try search(MDB_SET_RANGE, key) }

  /// The first entry of exactly that key.
  package func find(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
    if key.isEmpty, !database.options.contains(.integerKey) {
      isPositioned = false
      return try nothing()
    }
    try Transaction.check(key: key, database)
    return try search(MDB_SET_KEY, MDB_val(key))
  }

  /// The first entry of exactly that number.
  package func find(_ key: UInt64) throws(LMDBError) -> Entry? { try search(MDB_SET_KEY, key) }

  /// The first value of `key` that is `value` or comes after it.
  package func seek(
    _ key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    try database.expectSeveralValues()
    isPositioned = false
    if key.isEmpty { return try nothing()?.value }
    try Transaction.check(key: key, database)
    try Transaction.check(value: value, database)
    return try search(MDB_GET_BOTH_RANGE, MDB_val(key), MDB_val(value))?.value
  }

  // MARK: Several values of a key

  /// All values of this key on the page of the position; at the first value of a key, its first run. For databases of
  /// the kind `integerSet`.
  package func multiple() throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard let run = try value(MDB_GET_MULTIPLE) else { return nil }
    // A key with a single value keeps it in the node, and LMDB then returns nothing.
    return run.baseAddress == nil ? try current()?.value : run
  }

  /// The next run of values of this key.
  package func nextMultiple() throws(LMDBError) -> UnsafeRawBufferPointer? { try value(MDB_NEXT_MULTIPLE) }

  /// The number of values of this key; 0 when there is no entry at the position.
  package func duplicateCount() throws(LMDBError) -> Int {
    guard transaction.isOpen else { throw .transactionEnded }
    try database.expectSeveralValues()
    guard isPositioned else { return 0 }
    var count = 0
    let code = mdb_cursor_count(raw, &count)
    if code == 0 { return Int(min(UInt64(bitPattern: Int64(count)), TreeRecord.mostEntries)) }
    if code == MDB_NOTFOUND || code == EINVAL { return 0 }
    throw transaction.environment.error(code, "counting in")
  }

  /// Removes the entry at the position; the cursor is then between its neighbours. With `allOfKey` all values of the
  /// key are removed.
  package func delete(allOfKey: Bool = false) throws(LMDBError) {
    guard transaction.isOpen else { throw .transactionEnded }
    guard let writing = transaction as? WriteTransaction else { throw .readOnly }
    _ = try writing.usable()
    guard isPositioned else { throw .noPosition }
    let all = allOfKey && database.options.contains(.dupSort)
    if !database.verification.isDoneForWriting, let (key, value) = place() {
      try writing.verifyDelete(key, all || !database.options.contains(.dupSort) ? nil : value, database)
    }
    let code = mdb_cursor_del(raw, all ? UInt32(MDB_NODUPDATA) : 0)
    if code == MDB_NOTFOUND || code == EINVAL { throw .noPosition }
    try writing.succeed(code)
  }

  // MARK: LMDB

  /// Moves to a place that does not depend on the position.
  @inline(__always)
  private func search(
    _ operation: MDB_cursor_op, _ key: MDB_val = MDB_val(), _ value: MDB_val = MDB_val()
  ) throws(LMDBError) -> Entry? {
    isPositioned = false
    if !database.verification.isDone { try verify(operation, key, value) }
    let entry = try move(operation, key, value)
    isPositioned = entry != nil
    return entry
  }

  @inline(__always)
  private func search(_ operation: MDB_cursor_op, _ key: UInt64) throws(LMDBError) -> Entry? {
    guard database.options.contains(.integerKey) else { throw .incompatible("a number as the key of \(database.name)") }
    var key = key
    return try withUnsafePointer(to: &key) { pointer throws(LMDBError) in
      try search(operation, MDB_val(UnsafeRawBufferPointer(start: pointer, count: 8)))
    }
  }

  private func moveBack(_ operation: MDB_cursor_op) throws(LMDBError) -> Entry? {
    guard isPositioned else { return try search(MDB_LAST) }
    guard isDisturbed else { return try step(operation) }
    guard transaction.isOpen else { throw .transactionEnded }
    var key = MDB_val()
    var value = MDB_val()
    // After the last entry, the previous entry is the last.
    guard mdb_cursor_get(raw, &key, nil, MDB_GET_CURRENT) == 0 else {
      return operation == MDB_PREV_DUP ? nil : try search(MDB_LAST)
    }
    // The position is before the first value of a key not yet read: read it.
    if mdb_cursor_get(raw, &key, &value, MDB_GET_CURRENT) == EINVAL, try search(MDB_SET_KEY, key) == nil { return nil }
    return try step(operation)
  }

  /// Moves to a place next to the position.
  @inline(__always)
  private func step(_ operation: MDB_cursor_op) throws(LMDBError) -> Entry? {
    if !database.verification.isDone { try verifyStep() }
    return try move(operation)
  }

  /// Verifies the pages that LMDB reads to move to a place.
  @inline(never)
  private func verify(_ operation: MDB_cursor_op, _ key: MDB_val, _ value: MDB_val) throws(LMDBError) {
    let target: TreePath.Target =
      switch operation {
      case MDB_FIRST: .first
      case MDB_LAST: .last
      default: .key(key.bytes)
      }
    try verify(target, operation == MDB_GET_BOTH_RANGE ? value.bytes : nil)
  }

  /// Verifies the pages that LMDB reads to move on from the position. Without a position, the change that removed it
  /// has verified them.
  @inline(never)
  private func verifyStep() throws(LMDBError) {
    guard transaction.isOpen else { throw .transactionEnded }
    guard let (key, value) = place() else { return }
    try verify(.key(key), database.options.contains(.dupSort) ? value : nil)
  }

  private func verify(_ target: TreePath.Target, _ value: UnsafeRawBufferPointer?) throws(LMDBError) {
    let reach = (transaction as? WriteTransaction)?.reach(database)
    try transaction.verify(TreeAccess(target: target, value: value, entries: reach ?? 1, pages: reach), database)
  }

  /// The key and the value at the position.
  private func place() -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
    var key = MDB_val()
    var value = MDB_val()
    return mdb_cursor_get(raw, &key, &value, MDB_GET_CURRENT) == 0 ? (key.bytes, value.bytes) : nil
  }

  @inline(__always)
  private func move(
    _ operation: MDB_cursor_op, _ key: MDB_val = MDB_val(), _ value: MDB_val = MDB_val()
  ) throws(LMDBError) -> Entry? {
    guard transaction.isOpen else { throw .transactionEnded }
    var key = key
    var value = value
    let code = mdb_cursor_get(raw, &key, &value, operation)
    if code == 0 { return Entry(key: key.bytes, value: value.bytes) }
    // LMDB's code for a missing position, which changes to the database may have removed.
    if code == MDB_NOTFOUND || code == EINVAL { return nil }
    throw transaction.environment.error(code, "reading from")
  }

  @inline(__always)
  private func value(_ operation: MDB_cursor_op) throws(LMDBError) -> UnsafeRawBufferPointer? {
    try (isPositioned ? step(operation) : nothing())?.value
  }

  /// The result without a position.
  private func nothing() throws(LMDBError) -> Entry? {
    guard transaction.isOpen else { throw .transactionEnded }
    return nil
  }
}
