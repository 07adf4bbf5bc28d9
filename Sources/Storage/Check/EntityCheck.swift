internal import LMDB
internal import Schema
internal import Values

/// The check of one entity in one snapshot: first its clusters, then its indexes and overflow values against them.
///
/// It continues after damage, to report as much as possible.
struct EntityCheck {
  private(set) var objectCount = 0
  private(set) var problems: [String] = []
  /// The databases of indexes that do not have the objects' values.
  private(set) var damagedIndexes: Set<String> = []
  /// Whether something else is damaged.
  private(set) var hasOtherDamage = false

  let entity: StoredEntity
  let snapshot: Snapshot
  private let tables: EntityTables
  /// The objects there are, by cluster.
  private(set) var present: [UInt64: Mask] = [:]
  /// The sum of the clusters' checksums.
  private var sum: UInt64 = 0
  /// The long values that clusters refer to.
  private var references: Set<OutOfLineKey> = []
  /// The checks of the indexes that can be read so far.
  private var indexes: [any IndexCheck] = []
  private var reported: [String: Int] = [:]
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
    for (index, database) in zip(entity.indexes, tables.indexes) where index.isComplete {
      try attempt("the index \(index.index.name)", of: index) { (check) throws in
        check.indexes.append(try index.index.kind.check.init(index, database, check))
      }
    }
    try attempt("its objects") { (check) throws in try check.checkClusters() }
    try attempt("its counters") { (check) throws in try check.checkCounters() }
    for index in indexes {
      try attempt("the index \(index.index.name)", of: index.index) { (check) throws in try index.finish(&check) }
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
    let cursor = try snapshot.transaction.cursor(tables.objects)
    var entry = try cursor.first()
    while let found = entry {
      if wait.isOver { throw StoreError.cancelled }
      let number = found.key.count == 8 ? found.key.loadUnaligned(as: UInt64.self) : 0
      do {
        let view = try ClusterView(found.value, number: number, context: context)
        try checkCluster(view)
      } catch StoreError.corrupted(let location) {
        isPartial = true
        report("clusters", location)
      }
      entry = try cursor.next()
    }
  }

  private mutating func checkCluster(_ view: ClusterView) throws {
    if view.present.isEmpty { report("clusters", "\(entity.name) cluster \(view.number) is empty and was not deleted") }
    var columns: [ColumnView] = []
    for position in entity.columns.indices {
      let column = try view.column(position)
      columns.append(column)
      if !entity.columns[position].column.isOptional, !(column.nulls & view.present).isEmpty {
        report("nil", "\(place(view, position)): nil where a value is needed")
      }
      noteReferences(of: column, position, view)
      for slot in 0..<view.slotCount where view.present[slot] {
        let value = try column.value(at: slot)
        if let kind = entity.columns[position].collectionKind, !kind.canonical(value).isIdentical(to: value) {
          report("order", "\(place(view, position)): the elements of slot \(slot) are not in order")
        }
      }
    }
    try checkStructLists(view, columns)
    present[view.number] = view.present
    sum &+= view.directory.version
    objectCount += view.present.count
    for index in indexes {
      let isSound = try attempt("the index \(index.index.index.name)", of: index.index) { (check) throws in
        for slot in 0..<view.slotCount where view.present[slot] {
          try check.step()
          let values = try index.index.columns.map { try columns[$0].value(at: slot) }
          try index.note(ObjectNumber(cluster: view.number, slot: slot), values, &check)
        }
      }
      // The objects and the other indexes are still to be checked.
      if !isSound { indexes.removeAll { $0 === index } }
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
    if !isPartial, let known = try snapshot.transaction.number(ClusterSum.number(of: entity.number)), known != sum,
      !DamageChecks.areSkipped
    {
      report(
        "clusters", "the clusters of \(entity.name) are not those that were written last: a page has former content")
    }
    let state = try snapshot.reader(of: entity).state
    if !isPartial, state.objectCount != UInt64(objectCount) {
      let counted = amount(state.objectCount, "object")
      report("counters", "the catalog counts \(counted) of \(entity.name), there are \(objectCount)")
    }
    if let highest = present.max(by: { $0.key < $1.key }), let slot = highest.value.last {
      let object = ObjectNumber(cluster: highest.key, slot: slot)
      if object.rawValue >= state.nextObject {
        report(
          "counters",
          "\(entity.name) has object \(object.rawValue) although the next number is \(state.nextObject)")
      }
    }
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
        report("long values", "a long value of \(entity.name) belongs to no object")
      }
      entry = try cursor.next()
    }
    if found < references.count {
      report("long values", "\(references.count - found) long values of \(entity.name) are missing")
    }
  }

  // MARK: Telling

  func place(_ view: ClusterView, _ column: Int) -> String {
    "\(entity.name) cluster \(view.number), property '\(entity.columns[column].path)'"
  }

  /// Reports a problem.
  ///
  /// - Parameter index: The index that is damaged; nil if something else is.
  mutating func report(_ kind: String, _ problem: String, of index: StoredIndex? = nil) {
    if let index { damagedIndexes.insert(index.database) } else { hasOtherDamage = true }
    let count = (reported[kind] ?? 0) + 1
    reported[kind] = count
    if count <= CheckReport.limit {
      problems.append(problem)
    } else if count == CheckReport.limit + 1 {
      problems.append("and more of the same kind in \(entity.name)")
    }
  }

  /// Runs a part of the check and reports damage that ends it. Returns whether there was none.
  ///
  /// - Parameter index: The index that is damaged then; without it, objects are unknown.
  @discardableResult
  mutating func attempt(
    _ part: String, of index: StoredIndex? = nil, _ body: (inout EntityCheck) throws -> Void
  ) throws(StoreError) -> Bool {
    do {
      try body(&self)
      return true
    } catch let error as LMDBError where error.isDamage {
      if index == nil { isPartial = true }
      report("pages", "\(entity.name), \(part): \(error)", of: index)
    } catch let error as LMDBError {
      throw StoreError(error, path: snapshot.path)
    } catch StoreError.corrupted(let location) {
      if index == nil { isPartial = true }
      report("parts", index == nil ? location : "\(entity.name), \(part): \(location)", of: index)
    } catch let error as StoreError {
      throw error
    } catch {
      throw .io(path: snapshot.path, reason: "\(error)")
    }
    return false
  }
}

extension Cursor {
  /// Whether the object ID is among those of the key.
  func has(_ key: [UInt8], _ number: UInt64) throws(LMDBError) -> Bool {
    var number = number
    return try key.withBytes { key throws(LMDBError) in
      try withUnsafeBytes(of: &number) { value throws(LMDBError) in
        guard let found = try seek(key, value: value), found.count == value.count else { return false }
        return found.loadUnaligned(as: UInt64.self) == value.loadUnaligned(as: UInt64.self)
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
