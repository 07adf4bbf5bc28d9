import CLMDB
import Glibc

/// The only write transaction of an environment; it begins, runs and ends on one thread.
///
/// Others see its changes only after `commit`; they are durable when it returns. Releasing the transaction undoes it.
package final class WriteTransaction: Transaction {
  private let thread = pthread_self()
  /// Databases created here, which become the environment's at the commit.
  private var created: [Database] = []
  /// Databases to be removed at commit; they are empty already.
  private var dropped: [Database] = []

  /// The number of entries removed from databases that are not fully verified.
  private var deletions = FewDatabases<Int>()

  /// Whether anything was changed: a transaction without changes makes no commit.
  package private(set) var hasChanges = false

  /// Whether a change found the map full.
  package private(set) var metFullMap = false

  deinit { abort() }

  /// The database with that name, including databases created here, without those dropped here.
  package override func database(_ name: String) throws(LMDBError) -> Database? {
    if let database = created.first(where: { $0.name == name }) {
      guard raw != nil else { throw .transactionEnded }
      return database
    }
    if dropped.contains(where: { $0.name == name }) { return nil }
    return try super.database(name)
  }

  /// The database with that name, created if there is none. It must have the given kind.
  package func createDatabase(_ name: String, _ options: DatabaseOptions = []) throws(LMDBError) -> Database {
    let raw = try usable()
    guard options.isSupported else { throw .incompatible("the options of database \(name)") }
    guard !name.isEmpty, name.utf8.count < 512, !name.utf8.contains(0) else { throw .badValueSize(name.utf8.count) }
    if let index = dropped.firstIndex(where: { $0.name == name }) {
      // It was emptied here and its handle is still good: it simply stays.
      let database = dropped[index]
      guard database.options == options else { throw .incompatible("database \(name) is of another kind") }
      dropped.remove(at: index)
      return database
    }
    if let database = try database(name) {
      guard database.options == options else { throw .incompatible("database \(name) is of another kind") }
      return database
    }
    do throws(LMDBError) {
      let database = try environment.createDatabase(name, options, in: raw)
      created.append(database)
      hasChanges = true
      return database
    } catch {
      if case .mapFull = error { metFullMap = true }
      throw error
    }
  }

  /// Sets the value of a key, replacing an existing one; in a `dupSort` database, adds a value. With `append` the key
  /// must come after all others, which fills pages completely.
  package func put(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ database: Database, append: Bool = false
  ) throws(LMDBError) {
    let raw = try usable()
    try Self.check(key: key, database)
    try Self.check(value: value, database)
    try verifyPut(key, value, database, append: append)
    var key = MDB_val(key)
    var value = MDB_val(value)
    try succeed(mdb_put(raw, database.dbi, &key, &value, append ? UInt32(MDB_APPEND) : 0))
  }

  /// Sets the value of a number.
  package func put(
    _ key: UInt64, _ value: UnsafeRawBufferPointer, _ database: Database, append: Bool = false
  ) throws(LMDBError) {
    var key = key
    try withBytes(of: &key) { bytes throws(LMDBError) in try put(bytes, value, database, append: append) }
  }

  /// Room for a value of `count` bytes under a key, to be filled before the next change. Not for `dupSort`.
  package func reserve(
    _ key: UnsafeRawBufferPointer, count: Int, _ database: Database, append: Bool = false
  ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
    let raw = try usable()
    try Self.check(key: key, database)
    guard !database.options.contains(.dupSort) else { throw .incompatible("reserving in \(database.name)") }
    guard count >= 0 else { throw .badValueSize(count) }
    try verifyPut(key, nil, database, append: append)
    var key = MDB_val(key)
    var value = MDB_val(mv_size: count, mv_data: nil)
    try succeed(mdb_put(raw, database.dbi, &key, &value, UInt32(MDB_RESERVE | (append ? MDB_APPEND : 0))))
    return UnsafeMutableRawBufferPointer(start: value.mv_data, count: value.mv_size)
  }

  /// Room for a value of `count` bytes under a number.
  package func reserve(
    _ key: UInt64, count: Int, _ database: Database, append: Bool = false
  ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
    var key = key
    return try withBytes(of: &key) { bytes throws(LMDBError) in
      try reserve(bytes, count: count, database, append: append)
    }
  }

  /// Adds one of several values of a key; false when it already exists. With `append` it must come after all other
  /// values of its key, and the key must be the last one or after it.
  @discardableResult
  package func putDuplicate(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ database: Database, append: Bool = false
  ) throws(LMDBError) -> Bool {
    let raw = try usable()
    try database.expectSeveralValues()
    try Self.check(key: key, database)
    try Self.check(value: value, database)
    try verifyPut(key, value, database)
    var key = MDB_val(key)
    var value = MDB_val(value)
    let code = mdb_put(raw, database.dbi, &key, &value, UInt32(append ? MDB_APPENDDUP : MDB_NODUPDATA))
    if code == MDB_KEYEXIST, !append {
      // LMDB has moved the page before it finds the value.
      hasChanges = true
      return false
    }
    try succeed(code)
    return true
  }

  /// Adds a number to those of a key; false when it already exists.
  @discardableResult
  package func putDuplicate(
    _ key: UnsafeRawBufferPointer, _ value: UInt64, _ database: Database, append: Bool = false
  ) throws(LMDBError) -> Bool {
    var value = value
    return try withBytes(of: &value) { bytes throws(LMDBError) in
      try putDuplicate(key, bytes, database, append: append)
    }
  }

  /// Removes a key with all its values; false when it did not exist.
  @discardableResult
  package func delete(_ key: UnsafeRawBufferPointer, _ database: Database) throws(LMDBError) -> Bool {
    let raw = try usable()
    try Self.check(key: key, database)
    try verifyDelete(key, nil, database)
    var key = MDB_val(key)
    let code = mdb_del(raw, database.dbi, &key, nil)
    if code == MDB_NOTFOUND { return false }
    try succeed(code)
    return true
  }

  /// Removes a number with all its values; false when it did not exist.
  @discardableResult
  package func delete(_ key: UInt64, _ database: Database) throws(LMDBError) -> Bool {
    var key = key
    return try withBytes(of: &key) { bytes throws(LMDBError) in try delete(bytes, database) }
  }

  /// Removes one of several values of a key; false when it did not exist.
  @discardableResult
  package func delete(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ database: Database
  ) throws(LMDBError) -> Bool {
    let raw = try usable()
    try database.expectSeveralValues()
    try Self.check(key: key, database)
    try Self.check(value: value, database)
    try verifyDelete(key, value, database)
    var key = MDB_val(key)
    var value = MDB_val(value)
    let code = mdb_del(raw, database.dbi, &key, &value)
    if code == MDB_NOTFOUND { return false }
    try succeed(code)
    return true
  }

  /// Removes a number from those of a key; false when it did not exist.
  @discardableResult
  package func delete(
    _ key: UnsafeRawBufferPointer, _ value: UInt64, _ database: Database
  ) throws(LMDBError) -> Bool {
    var value = value
    return try withBytes(of: &value) { bytes throws(LMDBError) in try delete(key, bytes, database) }
  }

  /// Verifies the pages that LMDB reads to write a value.
  @inline(__always)
  func verifyPut(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ database: Database, append: Bool = false
  ) throws(LMDBError) {
    if database.verification.isDoneForWriting { return }
    let moved = deletions[database] ?? 0
    try verify(
      TreeAccess(target: append ? .last : .key(key), value: value, entries: moved + 1, pages: moved), database)
  }

  /// Verifies the pages that LMDB reads to remove an entry, or all values of a key. It may merge the page with a
  /// neighbour, and the next removal may merge that page with the next one: each removal reaches one page further.
  func verifyDelete(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?, _ database: Database
  ) throws(LMDBError) {
    if database.verification.isDoneForWriting { return }
    let moved = deletions[database] ?? 0
    if moved == Self.mostDeletions, !database.verification.isDone { try verifyWhole(database) }
    let reach = database.verification.isDone ? 0 : moved + 1
    deletions[database] = min(moved + 1, Self.mostDeletions)
    try verify(
      TreeAccess(target: .key(key), value: value, entries: reach, pages: reach, removesKey: value == nil), database)
  }

  /// The maximum distance of entries and pages from their places in the last commit.
  func reach(_ database: Database) -> Int { (deletions[database] ?? 0) + 1 }

  /// After this many removals, all pages are verified.
  private static let mostDeletions = 12

  /// Empties a database; it stays.
  package func empty(_ database: Database) throws(LMDBError) {
    let raw = try usable()
    if !database.verification.isDoneForWriting { try verifyWhole(database) }
    try succeed(mdb_drop(raw, database.dbi, 0))
  }

  /// Removes a database. If older views are open in this process it is only emptied, since they hold its handle; an
  /// empty database with that name is then left over.
  package func drop(_ database: Database) throws(LMDBError) {
    try empty(database)
    if !dropped.contains(database) { dropped.append(database) }
  }

  /// Removes a database, also one with damaged pages: those then belong to nothing until the store is copied, since
  /// nothing can tell which they are.
  package func dropEvenDamaged(_ database: Database) throws(LMDBError) {
    do throws(LMDBError) { return try drop(database) } catch {
      guard error.isDamage else { throw error }
    }
    try environment.cutRecord(of: database.name, in: try usable())
  }

  /// Makes the changes durable and visible. If that is not possible, undoes them and throws.
  package func commit() throws(LMDBError) {
    let raw = try usable()
    if hasChanges { try put(UInt64(clamping: id), CommitRecord.number) }
    self.raw = nil
    do throws(LMDBError) {
      try environment.commit(raw, id: id, created: created, dropped: dropped)
    } catch {
      if case .mapFull = error { metFullMap = true }
      throw error
    }
  }

  /// Undoes the changes. Doing so twice, or after `commit`, is harmless.
  package func abort() {
    guard let raw else { return }
    self.raw = nil
    environment.abort(raw, isOwner: pthread_equal(thread, pthread_self()) != 0)
  }

  func usable() throws(LMDBError) -> OpaquePointer {
    guard let raw else { throw .transactionEnded }
    guard pthread_equal(thread, pthread_self()) != 0 else { throw .wrongThread }
    return raw
  }

  /// Notes a change, and throws the error for it, if any: also a change that fails can have moved pages.
  @inline(__always)
  func succeed(_ code: Int32) throws(LMDBError) {
    hasChanges = true
    if code != 0 { throw failure(code) }
  }

  func failure(_ code: Int32) -> LMDBError {
    if code == MDB_MAP_FULL { metFullMap = true }
    return environment.error(code, "writing to")
  }

  @inline(__always)
  private func withBytes<R>(
    of number: inout UInt64, _ body: (UnsafeRawBufferPointer) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    try withUnsafePointer(to: &number) { pointer throws(LMDBError) in
      try body(UnsafeRawBufferPointer(start: pointer, count: 8))
    }
  }
}
