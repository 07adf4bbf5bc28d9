internal import LMDB
internal import Values

/// The changes of one commit, as stored in the file: for observers, and for writers who save values that they read
/// earlier.
package struct CommitChanges: Sendable {
  /// By the number of the entity.
  package internal(set) var entities: [UInt32: EntityChanges] = [:]

  init() {}
}

/// The changes of commits to the objects of one entity.
package struct EntityChanges: Sendable {
  /// The added objects, as ascending ranges for each commit.
  package internal(set) var inserted: [ClosedRange<UInt64>] = []
  /// The objects that went.
  package internal(set) var deleted: [UInt64] = []
  /// The values that changed, in order.
  package internal(set) var updates: [ObjectUpdate] = []
  /// The numbers of all columns with changed values.
  package internal(set) var columns: Set<UInt32> = []
  /// Whether any objects were added or deleted.
  package internal(set) var cameOrWent = false
  /// Whether `inserted`, `deleted` and `updates` are complete. If very many objects changed at once, they are empty.
  package internal(set) var isComplete = true

  /// The most objects that a record names.
  private static let limit = 4_096

  init(_ log: ChangeLog.Entity) {
    columns = Set(log.columns)
    cameOrWent = log.hasInsertions || log.hasDeletions
    isComplete =
      log.isComplete && log.deleted.count + log.updates.count <= Self.limit && log.inserted.count <= Self.limit
    guard isComplete else { return }
    inserted = log.inserted
    deleted = log.deleted
    updates = log.updates
  }

  init(from reader: inout RecordReader) throws(RecordDamage) {
    columns = Set(try reader.each { (reader: inout RecordReader) throws(RecordDamage) in try reader.uint32() })
    cameOrWent = try reader.flag()
    isComplete = try reader.flag()
    inserted = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in
      let (first, last) = (try reader.uint64(), try reader.uint64())
      guard first <= last else { throw RecordDamage(what: "objects \(first) to \(last) are not a range") }
      return first...last
    }
    deleted = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in try reader.uint64() }
    updates = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in
      ObjectUpdate(
        step: try reader.uint32(), object: try reader.uint64(), column: try reader.uint32(), before: try reader.uint64()
      )
    }
  }

  func put(into writer: inout RecordWriter) {
    writer.put(each: columns.sorted()) { $0.put($1) }
    writer.put(cameOrWent)
    writer.put(isComplete)
    writer.put(each: inserted) {
      $0.put($1.lowerBound)
      $0.put($1.upperBound)
    }
    writer.put(each: deleted) { $0.put($1) }
    writer.put(each: updates) {
      $0.put($1.step)
      $0.put($1.object)
      $0.put($1.column)
      $0.put($1.before)
    }
  }

  /// The objects that were added, deleted, or have a changed value in one of some columns; nil if they are unknown or
  /// more than `limit`. Objects with changed values in other columns only do not count.
  package func objects(with columns: Set<UInt32>, limit: Int) -> Set<UInt64>? {
    if !cameOrWent, self.columns.isDisjoint(with: columns) { return [] }
    guard isComplete else { return nil }
    var room = limit - deleted.count
    for range in inserted {
      let (count, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      guard !overflow, room > 0, count < UInt64(room) else { return nil }
      room -= Int(count) + 1
    }
    if room < 0 { return nil }
    var objects = Set(deleted)
    for range in inserted { objects.formUnion(range) }
    for update in updates where columns.contains(update.column) { objects.insert(update.object) }
    return objects.count <= limit ? objects : nil
  }

  /// Adds the changes of a later commit.
  mutating func add(_ later: EntityChanges) {
    columns.formUnion(later.columns)
    cameOrWent = cameOrWent || later.cameOrWent
    isComplete = isComplete && later.isComplete
    inserted += later.inserted
    deleted += later.deleted
    updates += later.updates
  }
}

extension CommitChanges {
  init(record: UnsafeRawBufferPointer) throws(RecordDamage) {
    var reader = try RecordReader(sealed: record)
    let entities = try reader.each { (reader: inout RecordReader) throws(RecordDamage) in
      (try reader.uint32(), try EntityChanges(from: &reader))
    }
    guard reader.isAtEnd else { throw RecordDamage(what: "it is longer than its contents") }
    self.entities = Dictionary(entities) { first, _ in first }
  }

  func encoded() -> [UInt8] {
    var writer = RecordWriter()
    writer.put(each: entities.sorted { $0.key < $1.key }) {
      $0.put($1.key)
      $1.value.put(into: &$0)
    }
    return writer.sealed()
  }
}

/// The log of the latest commits' changes, by commit number, up to some megabytes.
///
/// Commits that changed the schema are not in it, since their changes are not recorded.
struct CommitHistory {
  static let name = "changes"
  /// The maximum number of pages before the oldest commits are removed.
  private static let pageLimit = 1_024

  let database: Database
  let path: String

  /// The log in a file; nil if an older program made the file and it has not been written since.
  init?(in transaction: Transaction, path: String) throws(StoreError) {
    let found = try StoreError.meaning(path) { () throws(LMDBError) in try transaction.database(Self.name) }
    guard let found else { return nil }
    guard found.options == [.integerKey] else {
      throw .corrupted(location: "\(path): the record of database \(Self.name) says that it is of another kind")
    }
    database = found
    self.path = path
  }

  /// The log in a file, created if there is none.
  init(making transaction: WriteTransaction, path: String) throws(StoreError) {
    database = try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.createDatabase(Self.name, [.integerKey])
    }
    self.path = path
  }

  /// Adds the changes of the commit that a transaction becomes.
  func add(_ changes: CommitChanges, _ transaction: WriteTransaction) throws(StoreError) {
    let bytes = changes.encoded()
    try StoreError.meaning(path) { () throws(LMDBError) in
      try forgetOthers(transaction)
      try bytes.withBytes { bytes throws(LMDBError) in
        try transaction.put(UInt64(truncatingIfNeeded: transaction.id), bytes, database, append: true)
      }
      if transaction.id & 63 == 0 { try forgetOldest(transaction) }
    }
  }

  /// A copy made by a program of format 0 counts its commits from 1 again, so the entries of the original are removed.
  private func forgetOthers(_ transaction: WriteTransaction) throws(LMDBError) {
    while let last = try transaction.cursor(database).last() {
      let key = Array(last.key)
      guard key.count != 8 || last.key.loadUnaligned(as: UInt64.self) >= UInt64(truncatingIfNeeded: transaction.id)
      else {
        return
      }
      try key.withBytes { key throws(LMDBError) in _ = try transaction.delete(key, database) }
    }
  }

  private func forgetOldest(_ transaction: WriteTransaction) throws(LMDBError) {
    for _ in 0..<256 where try transaction.pageCount(database) > Self.pageLimit {
      guard let oldest = try transaction.cursor(database).first() else { return }
      let key = Array(oldest.key)
      try key.withBytes { key throws(LMDBError) in _ = try transaction.delete(key, database) }
    }
  }

  /// The changes of a commit; nil if unknown.
  func changes(of commit: Int, in transaction: Transaction) throws(StoreError) -> CommitChanges? {
    let record = try StoreError.meaning(path) { () throws(LMDBError) in
      try transaction.get(UInt64(truncatingIfNeeded: commit), database)
    }
    guard let record else { return nil }
    do { return try CommitChanges(record: record) } catch {
      throw .corrupted(location: "the changes of commit \(commit): \(error.what)")
    }
  }
}

extension Snapshot {
  /// The moment of reads in this snapshot.
  package final var moment: ReadMoment {
    isCommitted ? ReadMoment(commit: version) : ReadMoment(commit: version, step: step)
  }

  /// The combined changes of all commits after `version`; nil if unknown, because there were too many or some changed
  /// the schema.
  package final func changes(since version: Int) throws(StoreError) -> CommitChanges? {
    try validate()
    guard version <= self.version else { return nil }
    var changes = CommitChanges()
    if version == self.version { return changes }
    guard let history = try CommitHistory(in: transaction, path: path) else { return nil }
    for commit in (version + 1)...self.version {
      guard let next = try history.changes(of: commit, in: transaction) else { return nil }
      for (entity, next) in next.entities {
        if changes.entities[entity]?.add(next) == nil { changes.entities[entity] = next }
      }
    }
    return changes
  }

  /// Reads the whole log of recent commits, and throws if it is damaged.
  final func readHistory() throws(StoreError) {
    guard let history = try CommitHistory(in: transaction, path: path) else { return }
    let cursor = try StoreError.meaning(path) { () throws(LMDBError) in try transaction.cursor(history.database) }
    while let entry = try StoreError.meaning(path, { () throws(LMDBError) in try cursor.next() }) {
      guard entry.key.count == 8 else { throw .corrupted(location: "the changes of a commit without a number") }
      _ = try history.changes(of: Int(clamping: entry.key.loadUnaligned(as: UInt64.self)), in: transaction)
    }
  }

  /// The changes of one commit; nil if unknown.
  package final func changes(of commit: Int) throws(StoreError) -> CommitChanges? {
    try validate()
    return try CommitHistory(in: transaction, path: path)?.changes(of: commit, in: transaction)
  }
}
