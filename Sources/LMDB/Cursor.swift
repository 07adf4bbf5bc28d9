import CLMDB

/// A position in a database that moves through its entries in key order, and through the values of a key.
///
/// Moves return nil when there is nothing there. Knows bytes only.
package final class Cursor {
  /// A key and a value, pointing into mapped memory.
  package struct Entry {
    package let key: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer
  }

  package let transaction: Transaction
  package let database: Database
  let raw: OpaquePointer

  init(_ raw: OpaquePointer, transaction: Transaction, database: Database) {
    self.raw = raw
    self.transaction = transaction
    self.database = database
  }

  deinit {
    // LMDB closes the cursors of a write transaction when it ends, those of a read transaction never.
    if transaction.isOpen || transaction is ReadTransaction { mdb_cursor_close(raw) }
  }

  /// The first entry.
  package func first() throws(LMDBError) -> Entry? { try move(MDB_FIRST) }
  /// The last entry, and the last value of its key.
  package func last() throws(LMDBError) -> Entry? { try move(MDB_LAST) }
  /// The entry after this one; the first if there is no position yet.
  package func next() throws(LMDBError) -> Entry? { try move(MDB_NEXT) }
  /// The entry before this one; the last if there is no position yet.
  package func previous() throws(LMDBError) -> Entry? { try move(MDB_PREV) }
  /// The first value of the next key.
  package func nextKey() throws(LMDBError) -> Entry? { try move(MDB_NEXT_NODUP) }
  /// The last value of the previous key.
  package func previousKey() throws(LMDBError) -> Entry? { try move(MDB_PREV_NODUP) }
  /// The next value of this key.
  package func nextDuplicate() throws(LMDBError) -> Entry? { try move(MDB_NEXT_DUP) }
  /// The previous value of this key.
  package func previousDuplicate() throws(LMDBError) -> Entry? { try move(MDB_PREV_DUP) }
  /// The entry at the position.
  package func current() throws(LMDBError) -> Entry? { try move(MDB_GET_CURRENT) }

  /// The first value of this key.
  package func firstDuplicate() throws(LMDBError) -> UnsafeRawBufferPointer? { try value(MDB_FIRST_DUP) }
  /// The last value of this key.
  package func lastDuplicate() throws(LMDBError) -> UnsafeRawBufferPointer? { try value(MDB_LAST_DUP) }

  /// The first entry whose key is `key` or comes after it.
  package func seek(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
    // LMDB takes no empty key, and every key comes after it.
    if key.isEmpty, !database.options.contains(.integerKey) { return try first() }
    try Transaction.check(key: key, database)
    return try move(MDB_SET_RANGE, MDB_val(key))
  }

  /// The first entry whose number is `key` or comes after it.
  package func seek(_ key: UInt64) throws(LMDBError) -> Entry? { try move(MDB_SET_RANGE, key) }

  /// The first entry of exactly that key.
  package func find(_ key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
    if key.isEmpty, !database.options.contains(.integerKey) { return nil }
    try Transaction.check(key: key, database)
    return try move(MDB_SET_KEY, MDB_val(key))
  }

  /// The first entry of exactly that number.
  package func find(_ key: UInt64) throws(LMDBError) -> Entry? { try move(MDB_SET_KEY, key) }

  /// The value of `key` that is `value` or comes after it.
  package func seek(
    _ key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard database.options.contains(.dupSort) else { throw .incompatible("several values of a key in \(database.name)") }
    if key.isEmpty { return nil }
    try Transaction.check(key: key, database)
    try Transaction.check(value: value, database)
    guard transaction.isOpen else { throw .transactionEnded }
    var key = MDB_val(key)
    var value = MDB_val(value)
    let code = mdb_cursor_get(raw, &key, &value, MDB_GET_BOTH_RANGE)
    if code == 0 { return value.bytes }
    if code == MDB_NOTFOUND { return nil }
    throw transaction.environment.error(code, "reading from")
  }

  /// All values of this key that lie on the page of the position: at the first value of a key, its first run. For
  /// databases of the kind `integerSet`.
  package func multiple() throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard let run = try value(MDB_GET_MULTIPLE) else { return nil }
    // A key with a single value keeps it in the node, and LMDB then returns nothing.
    return run.baseAddress == nil ? try current()?.value : run
  }

  /// The next run of values of this key.
  package func nextMultiple() throws(LMDBError) -> UnsafeRawBufferPointer? { try value(MDB_NEXT_MULTIPLE) }

  /// The number of values of this key.
  package func duplicateCount() throws(LMDBError) -> Int {
    guard transaction.isOpen else { throw .transactionEnded }
    guard database.options.contains(.dupSort) else { throw .incompatible("counting the values of a key in \(database.name)") }
    var count = 0
    let code = mdb_cursor_count(raw, &count)
    guard code == 0 else { throw transaction.environment.error(code, "counting in") }
    return count
  }

  /// Removes the entry at the position; the cursor is then between its neighbours. With `allOfKey` all values of the
  /// key go.
  package func delete(allOfKey: Bool = false) throws(LMDBError) {
    guard transaction.isOpen else { throw .transactionEnded }
    guard transaction is WriteTransaction else { throw .readOnly }
    let all = allOfKey && database.options.contains(.dupSort)
    let code = mdb_cursor_del(raw, all ? UInt32(MDB_NODUPDATA) : 0)
    guard code == 0 else { throw transaction.environment.error(code, "deleting from") }
  }

  @inline(__always)
  private func move(_ operation: MDB_cursor_op, _ key: MDB_val = MDB_val()) throws(LMDBError) -> Entry? {
    guard transaction.isOpen else { throw .transactionEnded }
    var key = key
    var value = MDB_val()
    let code = mdb_cursor_get(raw, &key, &value, operation)
    if code == 0 { return Entry(key: key.bytes, value: value.bytes) }
    if code == MDB_NOTFOUND { return nil }
    throw transaction.environment.error(code, "reading from")
  }

  @inline(__always)
  private func move(_ operation: MDB_cursor_op, _ key: UInt64) throws(LMDBError) -> Entry? {
    guard database.options.contains(.integerKey) else { throw .incompatible("a number as the key of \(database.name)") }
    var key = key
    return try withUnsafePointer(to: &key) { pointer throws(LMDBError) in
      try move(operation, MDB_val(UnsafeRawBufferPointer(start: pointer, count: 8)))
    }
  }

  @inline(__always)
  private func value(_ operation: MDB_cursor_op) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard transaction.isOpen else { throw .transactionEnded }
    var key = MDB_val()
    var value = MDB_val()
    let code = mdb_cursor_get(raw, &key, &value, operation)
    if code == 0 { return value.bytes }
    if code == MDB_NOTFOUND { return nil }
    throw transaction.environment.error(code, "reading from")
  }
}
