internal import LMDB
internal import Schema
internal import Values

/// The check of one entity in one snapshot: first its clusters, then its indexes and overflow values against them.
///
/// It continues after damage, to report as much as possible.
struct EntityCheck {
  private(set) var objectCount = 0
  private(set) var problems: [String] = []

  let entity: StoredEntity
  let snapshot: Snapshot
  private let tables: EntityTables
  /// The objects there are, by cluster.
  private(set) var present: [UInt64: Mask] = [:]
  /// The number of entries that the inverse of each link should have, by index number.
  var linkCounts: [UInt32: Int] = [:]
  /// The hash of the trigrams in each cluster's strings, by index number.
  var trigramSums: [UInt32: [UInt64: UInt64]] = [:]
  /// The long values that clusters refer to.
  private var references: Set<OutOfLineKey> = []
  private var told: [String: Int] = [:]
  /// Whether some cluster could not be read, so that counts and excess index entries are not meaningful.
  private(set) var isPartial = false
  private let wait: WriteWait
  private var steps = 0

  init(_ entity: StoredEntity, in snapshot: Snapshot, _ wait: WriteWait) throws(StoreError) {
    self.entity = entity
    self.snapshot = snapshot
    self.wait = wait
    tables = try snapshot.reader(of: entity).tables
  }

  mutating func run() throws(StoreError) {
    try attempt("its objects") { (check) throws in try check.checkClusters() }
    try attempt("its counters") { (check) throws in try check.checkCounters() }
    for (index, database) in zip(entity.indexes, tables.indexes) where index.isComplete {
      try attempt("the index \(index.index.name)") { (check) throws in try check.checkIndex(index, database) }
    }
    try attempt("its long values") { (check) throws in try check.checkLongValues() }
  }

  /// Counts a step; throws if the check is cancelled.
  mutating func step() throws(StoreError) {
    steps += 1
    if steps & 255 == 0, wait.isOver { throw .cancelled }
  }

  // MARK: Clusters

  private mutating func checkClusters() throws {
    let context = try snapshot.reader(of: entity).context
    let cursors = try zip(entity.indexes, tables.indexes).filter(\.0.isComplete).map { index, database in
      (index: index, cursor: try snapshot.transaction.cursor(database))
    }
    let cursor = try snapshot.transaction.cursor(tables.objects)
    var entry = try cursor.first()
    while let found = entry {
      let number = found.key.count == 8 ? found.key.loadUnaligned(as: UInt64.self) : 0
      do {
        let view = try ClusterView(found.value, number: number, context: context)
        try checkCluster(view, cursors)
      } catch StoreError.corrupted(let location) {
        isPartial = true
        tell("clusters", location)
      }
      entry = try cursor.next()
    }
  }

  private mutating func checkCluster(
    _ view: ClusterView, _ cursors: [(index: StoredIndex, cursor: Cursor)]
  ) throws {
    if view.present.isEmpty { tell("clusters", "\(entity.name) cluster \(view.number) is empty and was not deleted") }
    var columns: [ColumnView] = []
    for position in entity.columns.indices {
      let column = try view.column(position)
      columns.append(column)
      if !entity.columns[position].column.isOptional, !(column.nulls & view.present).isEmpty {
        tell("nil", "\(place(view, position)): nil where a value is needed")
      }
      noteReferences(of: column, position, view)
      for slot in 0..<view.slotCount where view.present[slot] {
        let value = try column.value(at: slot)
        if let kind = entity.columns[position].collectionKind, !kind.canonical(value).isIdentical(to: value) {
          tell("order", "\(place(view, position)): the elements of slot \(slot) are not in order")
        }
      }
    }
    try checkStructLists(view, columns)
    present[view.number] = view.present
    objectCount += view.present.count
    for slot in 0..<view.slotCount where view.present[slot] {
      try step()
      let object = ObjectNumber(cluster: view.number, slot: slot)
      for (index, cursor) in cursors {
        if index.isInverse, let position = index.columns.first {
          try checkLinks(of: object, try columns[position].value(at: slot), index, cursor)
          continue
        }
        let values = try index.columns.map { try columns[$0].value(at: slot) }
        if index.isTrigram {
          noteTrigrams(of: object, values, index)
          continue
        }
        let key = IndexKey.encode(values, of: index)
        if try !cursor.has(key, object.rawValue) {
          tell(
            "missing \(index.number)",
            "the index \(index.index.name) of \(entity.name) lacks object \(object.rawValue)")
        }
      }
    }
  }

  private mutating func noteReferences(of column: ColumnView, _ position: Int, _ view: ClusterView) {
    let number = entity.columns[position].number
    column.outOfLine.forEach {
      references.insert(OutOfLineKey(cluster: view.number, column: number, slot: $0))
    }
    if view.hasDistantChunk(ofColumn: number) {
      references.insert(OutOfLineKey(cluster: view.number, column: number, slot: nil))
    }
  }

  // MARK: Counters

  private mutating func checkCounters() throws {
    let state = try snapshot.reader(of: entity).state
    if !isPartial, state.objectCount != UInt64(objectCount) {
      let counted = amount(state.objectCount, "object")
      tell("counters", "the catalog counts \(counted) of \(entity.name), there are \(objectCount)")
    }
    if let highest = present.max(by: { $0.key < $1.key }), let slot = highest.value.last {
      let object = ObjectNumber(cluster: highest.key, slot: slot)
      if object.rawValue >= state.nextObject {
        tell(
          "counters",
          "\(entity.name) has object \(object.rawValue) although the next number is \(state.nextObject)")
      }
    }
  }

  // MARK: Indexes

  /// Every object was already found under its key, so an error here is an excess entry, or a shared key of a unique
  /// index.
  private mutating func checkIndex(_ index: StoredIndex, _ database: Database) throws {
    if index.isTrigram { return try checkTrigrams(index) }
    let reader = try snapshot.index(index, of: entity)
    if index.isInverse {
      if try !isPartial && reader.entryCount != linkCounts[index.number] ?? 0 { try tellExcessLinks(index, reader) }
      return
    }
    if try !isPartial && reader.entryCount != objectCount { try tellExcess(index, reader) }
    guard index.isUnique else { return }
    let cursor = try snapshot.transaction.cursor(database)
    var entry = try cursor.first()
    while let found = entry {
      try step()
      if found.value.count == 8, try cursor.duplicateCount() > 1 {
        try checkShared(Array(found.key), found.value.loadUnaligned(as: UInt64.self), index)
      }
      entry = try cursor.nextKey()
    }
  }

  private mutating func tellExcess(_ index: StoredIndex, _ reader: IndexReader) throws {
    let place = "the index \(index.index.name) of \(entity.name)"
    try reader.forEachEntry { key, number in
      try step()
      let object = ObjectNumber(number)
      guard let mask = present[object.cluster], mask[object.slot] else {
        tell("excess \(index.number)", "\(place) has object \(number), which does not exist")
        return true
      }
      guard let view = try snapshot.cluster(object.cluster, of: entity) else { return true }
      let values = try index.columns.map { try view.column($0).value(at: object.slot) }
      if !IndexKey.encode(values, of: index).elementsEqual(key) {
        tell("excess \(index.number)", "\(place) has object \(number) under a value that is not the object's")
      }
      return true
    }
  }

  private mutating func checkShared(_ key: [UInt8], _ first: UInt64, _ index: StoredIndex) throws {
    guard !IndexKey.isShortened(key), let row = try snapshot.row(ObjectNumber(first), of: entity),
      !index.columns.contains(where: { row[$0].isNull })
    else { return }
    tell("shared \(index.number)", "several objects of \(entity.name) share the unique \(index.index.name) of \(first)")
  }

  // MARK: Long values

  private mutating func checkLongValues() throws {
    let cursor = try snapshot.transaction.cursor(tables.values)
    var found = 0
    var entry = try cursor.first()
    while let value = entry {
      try step()
      if let name = LongValues.name(value.key), references.contains(name) {
        found += 1
      } else if !isPartial {
        tell("long values", "a long value of \(entity.name) belongs to no object")
      }
      entry = try cursor.next()
    }
    if found < references.count {
      tell("long values", "\(references.count - found) long values of \(entity.name) are missing")
    }
  }

  // MARK: Telling

  func place(_ view: ClusterView, _ column: Int) -> String {
    "\(entity.name) cluster \(view.number), property '\(entity.columns[column].path)'"
  }

  mutating func tell(_ kind: String, _ problem: String) {
    let count = (told[kind] ?? 0) + 1
    told[kind] = count
    if count <= CheckReport.limit {
      problems.append(problem)
    } else if count == CheckReport.limit + 1 {
      problems.append("and more of the same kind in \(entity.name)")
    }
  }

  /// Runs a part of the check and reports damage that ends it.
  mutating func attempt(_ part: String, _ body: (inout EntityCheck) throws -> Void) throws(StoreError) {
    do {
      try body(&self)
    } catch let error as LMDBError where error.isDamage {
      isPartial = true
      tell("pages", "\(entity.name), \(part): \(error)")
    } catch let error as LMDBError {
      throw StoreError(error, path: snapshot.path)
    } catch StoreError.corrupted(let location) {
      isPartial = true
      tell("parts", location)
    } catch let error as StoreError {
      throw error
    } catch {
      throw .io(path: snapshot.path, reason: "\(error)")
    }
  }
}

extension Cursor {
  /// Whether the object ID is among those of the key.
  func has(_ key: [UInt8], _ number: UInt64) throws(LMDBError) -> Bool {
    var number = number
    return try key.withBytes { key throws(LMDBError) in
      try withUnsafeBytes(of: &number) { value throws(LMDBError) in
        try seek(key, value: value)?.elementsEqual(value) ?? false
      }
    }
  }
}

extension ClusterView {
  /// Whether the values of the column with that number are an LMDB value of their own.
  fileprivate func hasDistantChunk(ofColumn number: UInt32) -> Bool {
    guard let position = directory.position(ofColumn: number, guess: 0) else { return false }
    return ClusterEntry(directory.entry(position)).flags.contains(.elsewhere)
  }
}
