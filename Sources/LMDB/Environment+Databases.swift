import CLMDB
import Synchronization

// An LMDB transaction can use only the handles that were open when it began, and only one transaction at a time can
// open new ones. So every transaction finds a handle for every database of its view when it begins: after a commit not
// seen before, the names in the main tree are compared, and new ones get a handle in a separate transaction.
extension Environment {
  /// The database with that name in a view. Its pages are verified as they are reached, so the time to open a store
  /// does not depend on its size.
  func database(_ name: String, in raw: OpaquePointer) throws(LMDBError) -> Database? {
    monitor.lock()
    let database = state.database(name)
    monitor.unlock()
    guard let database, try record(of: name, in: raw) != nil else { return nil }
    return database
  }

  /// Creates a database in a write transaction that has none with that name.
  func createDatabase(
    _ name: String, _ options: DatabaseOptions, in raw: OpaquePointer
  ) throws(LMDBError) -> Database {
    monitor.lock()
    defer { monitor.unlock() }
    var dbi: UInt32 = 0
    let code = mdb_dbi_open(raw, name, options.rawValue | UInt32(MDB_CREATE), &dbi)
    guard code == 0 else { throw error(code, "making database \(name) in") }
    let database = Database(dbi: dbi, name: name, options: options)
    database.verification.finish()
    return database
  }

  /// The entry of a database in the main tree of a view: the root and counts of its tree.
  func record(of name: String, in raw: OpaquePointer) throws(LMDBError) -> UnsafeRawBufferPointer? {
    var name = name
    var value = MDB_val()
    let code = name.withUTF8 { bytes in
      var key = MDB_val(UnsafeRawBufferPointer(bytes))
      return mdb_get(raw, Self.mainDatabase, &key, &value)
    }
    if code == MDB_NOTFOUND { return nil }
    guard code == 0 else { throw error(code, "looking for a database in") }
    return value.bytes
  }

  /// Removes the entry of a database in the main tree, without looking at the pages it leads to.
  func cutRecord(of name: String, in raw: OpaquePointer) throws(LMDBError) {
    var cursor: OpaquePointer?
    var code = mdb_cursor_open(raw, Self.mainDatabase, &cursor)
    guard code == 0, let cursor else { throw error(code, "removing a database from") }
    defer { mdb_cursor_close(cursor) }
    var name = name
    code = name.withUTF8 { bytes in
      var key = MDB_val(UnsafeRawBufferPointer(bytes))
      return mdb_cursor_get(cursor, &key, nil, MDB_SET)
    }
    // LMDB's own flag for the entry of a database, which it demands for removing one.
    if code == 0 { code = mdb_cursor_del(cursor, UInt32(PageNodes.subTree)) }
    guard code == 0 else { throw error(code, "removing a database from") }
  }

  /// Whether all databases of a view have handles that it can use. The monitor is held.
  func knowsDatabases(of raw: OpaquePointer, writing: Bool = false) throws(LMDBError) -> Bool {
    let commit = Int(mdb_txn_id(raw)) - (writing ? 1 : 0)
    if commit == state.knownCommit { return true }
    // The names come with the mark of a compaction, which is a commit like others.
    let isKnown = try names(in: raw).allSatisfy { hasSeen($0) }
    if isKnown { state.knownCommit = commit }
    return isKnown
  }

  /// Opens a handle for every database that has none. The monitor is held.
  func openNewDatabases() throws(LMDBError) {
    let raw = try beginRawRead()
    var code: Int32
    var found: [Database] = []
    do throws(LMDBError) {
      for name in try names(in: raw) where !hasSeen(name) {
        var dbi: UInt32 = 0
        code = mdb_dbi_open(raw, name, 0, &dbi)
        if code == MDB_INCOMPATIBLE {
          state.strangers.append(name)
          continue
        }
        guard code == 0 else { throw error(code, "opening database \(name) in") }
        var flags: UInt32 = 0
        code = mdb_dbi_flags(raw, dbi, &flags)
        guard code == 0 else { throw error(code, "opening database \(name) in") }
        let database = Database(dbi: dbi, name: name, options: DatabaseOptions(rawValue: flags))
        if options.verification != .onFirstUse { database.verification.finish() }
        found.append(database)
      }
    } catch {
      state.slots?.forget(raw)
      mdb_txn_abort(raw)
      throw error
    }
    state.slots?.forget(raw)
    // When it ends, its handles become available to all later transactions.
    code = mdb_txn_commit(raw)
    guard code == 0 else { throw error(code, "opening databases in") }
    for database in found { state.add(database) }
    state.openings &+= 1
  }

  private func hasSeen(_ name: String) -> Bool { state.database(name) != nil || state.strangers.contains(name) }

  /// The names in the main tree of a view that can be databases. Notes the mark of a compaction, if it is there too.
  private func names(in raw: OpaquePointer) throws(LMDBError) -> [String] {
    var cursor: OpaquePointer?
    var code = mdb_cursor_open(raw, Self.mainDatabase, &cursor)
    guard code == 0, let cursor else { throw error(code, "reading the databases of") }
    defer { mdb_cursor_close(cursor) }
    var names: [String] = []
    var key = MDB_val()
    code = mdb_cursor_get(cursor, &key, nil, MDB_FIRST)
    while code == 0 {
      if isShared, key.bytes.elementsEqual(SupersededMark.successor.key) {
        superseded.store(true, ordering: .releasing)
      }
      if !key.bytes.contains(0), let name = String(validating: key.bytes, as: UTF8.self) { names.append(name) }
      code = mdb_cursor_get(cursor, &key, nil, MDB_NEXT)
    }
    guard code == MDB_NOTFOUND else { throw error(code, "reading the databases of") }
    return names
  }

  /// LMDB's handle of the main tree, in which the named databases are entries.
  static let mainDatabase: UInt32 = 1
}
