import CLMDB

/// A consistent view of the environment: the common part of read and write transactions.
///
/// Buffers it returns point into mapped memory and are valid until the transaction ends or, in a write transaction,
/// until its next change. It may be used by one thread at a time. After the end, every use throws `transactionEnded`.
package class Transaction {
  package final let environment: Environment
  /// The number of the commit this view shows, or, in a write transaction, will make.
  package final let id: Int
  /// LMDB's transaction; nil once ended.
  final var raw: OpaquePointer?
  /// Databases as of the last commit, whose pages had to be verified.
  private final var records = FewDatabases<TreeRecord>()

  init(environment: Environment, raw: OpaquePointer) {
    self.environment = environment
    self.raw = raw
    self.id = Int(mdb_txn_id(raw))
  }

  /// Whether the transaction can still be used.
  package final var isOpen: Bool { raw != nil }

  /// The database of that name, nil when this view has none. Its pages are verified before LMDB first reads them.
  package func database(_ name: String) throws(LMDBError) -> Database? {
    guard let raw else { throw .transactionEnded }
    return try environment.database(name, in: raw)
  }

  /// The value under a key, nil when there is none; the first of several.
  @inline(__always)
  package final func get(
    _ key: UnsafeRawBufferPointer, _ database: Database
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard let raw else { throw .transactionEnded }
    try Self.check(key: key, database)
    if !database.verification.isDone { try verify(.find(key), database) }
    return try get(raw, MDB_val(key), database)
  }

  /// The value under a number, nil when there is none; the first of several.
  @inline(__always)
  package final func get(_ key: UInt64, _ database: Database) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard let raw else { throw .transactionEnded }
    guard database.options.contains(.integerKey) else { throw .incompatible("a number as the key of \(database.name)") }
    var key = key
    if !database.verification.isDone { try verifyNumber(key, database) }
    var value = MDB_val()
    let code = withUnsafeMutableBytes(of: &key) { bytes in
      var key = MDB_val(UnsafeRawBufferPointer(bytes))
      return mdb_get(raw, database.dbi, &key, &value)
    }
    return try result(code, value)
  }

  /// A cursor over a database, not yet positioned.
  package final func cursor(_ database: Database) throws(LMDBError) -> Cursor {
    guard let raw else { throw .transactionEnded }
    if !database.verification.isDone { try verify(.record, database) }
    var cursor: OpaquePointer?
    let code = mdb_cursor_open(raw, database.dbi, &cursor)
    guard code == 0, let cursor else { throw environment.error(code, "opening a cursor in") }
    return Cursor(cursor, transaction: self, database: database)
  }

  /// The number of values, counting each value of a key. Takes constant time.
  package final func entryCount(_ database: Database) throws(LMDBError) -> Int {
    Int(min(UInt64(truncatingIfNeeded: try statistics(of: database).ms_entries), TreeRecord.mostEntries))
  }

  /// The number of pages that the database's tree and its large values take: no more than the file has, since the counts
  /// in a damaged file can be any.
  package final func pageCount(_ database: Database) throws(LMDBError) -> Int {
    let it = try statistics(of: database)
    let most = environment.file.fileSize / environment.pageSize
    return [it.ms_branch_pages, it.ms_leaf_pages, it.ms_overflow_pages].reduce(0) { sum, count in
      min(sum + Int(min(UInt64(truncatingIfNeeded: count), UInt64(most))), most)
    }
  }

  private final func statistics(of database: Database) throws(LMDBError) -> MDB_stat {
    guard let raw else { throw .transactionEnded }
    if !database.verification.isDone { try verify(.record, database) }
    var it = MDB_stat()
    let code = mdb_stat(raw, database.dbi, &it)
    guard code == 0 else { throw environment.error(code, "reading the size of a database in") }
    return it
  }

  /// Whether damage was met in the database of a name.
  package final func hasDamage(in name: String) -> Bool { environment.damaged.all.contains(name) }

  /// Notes that what is in the database of a name makes no sense.
  package final func noteDamage(in name: String) { environment.damaged.note(name) }

  /// Verifies the pages that LMDB may read of a database that is not fully verified.
  @inline(never)
  final func verify(_ access: TreeAccess, _ database: Database) throws(LMDBError) {
    let hasContests = try environment.damaged.noting(database.name) { () throws(LMDBError) in
      let record = try record(of: database)
      let (hasRoomyValues, hasContests) = try environment.verify(access, database, record)
      // LMDB frees as many pages as a large value says it has. If one says too many, pages of others are freed.
      if hasRoomyValues, !database.verification.isCounted {
        try environment.verifyWhole(database, record, commit: commitRead)
      }
      return hasContests
    }
    if self is WriteTransaction { try verifyOwnership(database, hasContests: hasContests) }
  }

  /// Throws if pages of a database belong to another tree too. A page that is free and belongs to a tree is damage of
  /// neither this database nor another.
  private final func verifyOwnership(_ database: Database, hasContests: Bool) throws(LMDBError) {
    if hasContests { try environment.settleContests(commit: commitRead, isFreeing: true) }
    try environment.damaged.noting(database.name) { () throws(LMDBError) in
      try environment.verifyOwnership(of: database)
    }
  }

  @inline(never)
  private final func verifyNumber(_ key: UInt64, _ database: Database) throws(LMDBError) {
    var key = key
    try withUnsafePointer(to: &key) { pointer throws(LMDBError) in
      try verify(.find(UnsafeRawBufferPointer(start: pointer, count: 8)), database)
    }
  }

  /// Verifies all pages of a database.
  final func verifyWhole(_ database: Database) throws(LMDBError) {
    try environment.damaged.noting(database.name) { () throws(LMDBError) in
      try environment.verifyWhole(database, try record(of: database), commit: commitRead)
    }
    if self is WriteTransaction { try verifyOwnership(database, hasContests: true) }
  }

  /// The commit that the transaction reads, which a write transaction builds on.
  private final var commitRead: UInt64 { UInt64(clamping: self is WriteTransaction ? id - 1 : id) }

  /// The database as of the last commit: LMDB writes the changes of a transaction only at its end.
  final func record(of database: Database) throws(LMDBError) -> TreeRecord {
    guard let raw else { throw .transactionEnded }
    if let known = records[database] { return known }
    guard let bytes = try environment.record(of: database.name, in: raw), bytes.count == TreeRecord.byteCount,
      let address = bytes.baseAddress
    else { throw .damaged(path: environment.dataPath, page: 0, what: "database \(database.name) has no record") }
    let record = TreeRecord(address)
    records[database] = record
    return record
  }

  @inline(__always)
  private final func get(
    _ raw: OpaquePointer, _ key: MDB_val, _ database: Database
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    var key = key
    var value = MDB_val()
    return try result(mdb_get(raw, database.dbi, &key, &value), value)
  }

  @inline(__always)
  private final func result(_ code: Int32, _ value: MDB_val) throws(LMDBError) -> UnsafeRawBufferPointer? {
    if code == 0 { return value.bytes }
    if code == MDB_NOTFOUND { return nil }
    throw environment.error(code, "reading from")
  }

  /// LMDB reads integer keys as eight bytes, regardless of their length.
  @inline(__always)
  static func check(key: UnsafeRawBufferPointer, _ database: Database) throws(LMDBError) {
    if database.options.contains(.integerKey), key.count != 8 { throw .badValueSize(key.count) }
  }

  /// LMDB reads integer duplicates as eight bytes, regardless of their length.
  @inline(__always)
  static func check(value: UnsafeRawBufferPointer, _ database: Database) throws(LMDBError) {
    if database.options.contains(.integerDup), value.count != 8 { throw .badValueSize(value.count) }
  }
}

extension MDB_val {
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  @inline(__always)
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
}
