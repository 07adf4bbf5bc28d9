internal import LMDB
package import Schema
internal import Values

extension StoreFile {
  /// Gives the file what is declared: entities, properties and indexes that are new come, renamed ones go by their new
  /// names, and what is not declared stays, except what is named to be removed.
  ///
  /// All of it happens in one commit, or nothing does. Adding and removing properties touches no object; an index over
  /// objects that are there is built, and values are written where objects would lack some: `SchemaFill`.
  /// Throws `migrationNeeded` with every change that cannot be made so, those included that depend on the objects, and
  /// `cancelled` once `wait` says so, also in the middle of an index.
  ///
  /// - Returns: A sentence for each name in the declaration that stands for nothing, which may be a mistake.
  @discardableResult
  package func declare(
    _ declaration: SchemaDeclaration, timeout: Duration? = nil, wait: WriteWait = WriteWait()
  ) throws(StoreError) -> [String] {
    try StoreError.only(path) {
      // Most declarations change nothing, and need not wait for a writer to find that out.
      let known = try read { try self.plan(of: $0.catalog, declaration) }
      if !known.canBeTried { throw StoreError.migrationNeeded(known.problems) }
      if known.problems.isEmpty, !known.isChange { return known.notes }
      defer { commits.noteCommit() }
      return try environment.write(timeout: timeout, wait: wait.ofEngine) { transaction in
        let catalog = try self.catalog(in: transaction)
        let migration = try self.plan(of: catalog, declaration)
        if migration.isChange || !migration.problems.isEmpty {
          try self.carryOut(migration, from: catalog, in: transaction, wait: wait)
        }
        return migration.notes
      }
    }
  }

  /// The same for a schema alone.
  package func declare(
    _ schema: Schema, timeout: Duration? = nil, wait: WriteWait = WriteWait()
  ) throws(StoreError) { _ = try declare(SchemaDeclaration(schema), timeout: timeout, wait: wait) }

  /// Throws unless the file has whatever properties the schema has.
  func expect(_ schema: Schema) throws(StoreError) {
    let snapshot = try beginSnapshot()
    defer { snapshot.end() }
    let known = snapshot.catalog.record
    let migration = try migration(of: snapshot.catalog, SchemaDeclaration(schema))
    var missing: [String] = []
    for (entity, record) in zip(migration.target.schema.entities, migration.target.entities) {
      let columns = known.entities.first { $0.number == record.number }?.columns
      guard let columns, known.schema.entity(named: entity.name) != nil else {
        missing.append("\(entity.name) is not in the file")
        continue
      }
      let paths = Set(columns.map(\.path))
      missing += record.columns.filter { !paths.contains($0.path) }.map {
        "\(entity.name).\($0.path) is not in the file"
      }
    }
    for fill in migration.fills where [.nulls, .elements].contains(fill.scope) {
      guard let entity = snapshot.schema.entities.first(where: { $0.number == fill.entity }) else { continue }
      missing.append("\(entity.name).\(fill.path) is optional in the file and not in the models")
    }
    if !missing.isEmpty { throw .migrationNeeded(missing) }
  }

  func migration(
    of catalog: LoadedCatalog, _ declaration: SchemaDeclaration
  ) throws(StoreError) -> SchemaMigration {
    let migration = try plan(of: catalog, declaration)
    if !migration.problems.isEmpty { throw .migrationNeeded(migration.problems) }
    return migration
  }

  /// The same with its problems.
  private func plan(
    of catalog: LoadedCatalog, _ declaration: SchemaDeclaration
  ) throws(StoreError) -> SchemaMigration {
    let migration = SchemaMigration(from: catalog.record, declaration)
    if !migration.unsupported.isEmpty { throw .unsupported(migration.unsupported.joined(separator: "; ")) }
    return migration
  }

  /// Does what a migration asks for; the catalog that results. One that has problems is tried, as far as that shows what
  /// objects lack for it; then all of it is thrown, and the transaction is to be given up.
  @discardableResult
  func carryOut(
    _ migration: SchemaMigration, from old: LoadedCatalog, in transaction: WriteTransaction,
    wait: WriteWait = WriteWait()
  ) throws -> LoadedCatalog {
    guard migration.canBeTried else { throw StoreError.migrationNeeded(migration.problems) }
    let catalog = Catalog(database: old.catalog, path: path)
    try drop(migration, from: old, catalog, in: transaction)
    try dropLongValues(migration, from: old, in: transaction)
    let record = migration.target
    for entity in record.entities {
      if migration.createdEntities.contains(entity.number) {
        _ = try transaction.createDatabase("o\(entity.number)", [.integerKey])
        _ = try transaction.createDatabase("v\(entity.number)")
        try catalog.write(EntityState(), of: entity.number, in: transaction)
      }
      for index in entity.indexes where migration.builtIndexes.contains(index.number) {
        _ = try transaction.createDatabase("i\(index.number)", index.index.kind == .trigram ? [] : .integerSet)
      }
    }
    try catalog.write(record, in: transaction)
    let target = try load(record, catalog, in: transaction, after: old)
    var problems = migration.problems
    try fill(migration, target, &problems, in: transaction, wait: wait)
    try build(migration, target, &problems, in: transaction, wait: wait)
    if !problems.isEmpty { throw StoreError.migrationNeeded(problems) }
    return target
  }

  /// Removes what belongs to entities and indexes that go.
  private func drop(
    _ migration: SchemaMigration, from old: LoadedCatalog, _ catalog: Catalog, in transaction: WriteTransaction
  ) throws {
    var names = migration.droppedIndexes.map { "i\($0)" }
    for entity in migration.droppedEntities {
      names += ["o\(entity.number)", "v\(entity.number)"] + entity.indexes.map { "i\($0.number)" }
      try catalog.removeState(of: entity.number, in: transaction)
    }
    for name in names {
      if let database = try transaction.database(name) { try transaction.drop(database) }
    }
    for entity in old.schema.entities {
      var state = try catalog.stateIfThere(of: entity, in: transaction)
      let before = state?.indexesWithLongKeys
      state?.indexesWithLongKeys.removeAll { migration.droppedIndexes.contains($0) }
      if let state, state.indexesWithLongKeys != before {
        try catalog.write(state, of: entity.number, in: transaction)
      }
    }
  }

  /// Removes the long values of columns that go. Clusters keep what they have until they are next written.
  private func dropLongValues(
    _ migration: SchemaMigration, from old: LoadedCatalog, in transaction: WriteTransaction
  ) throws {
    for entity in old.schema.entities {
      guard let columns = migration.droppedColumns[entity.number] else { continue }
      let cursor = try transaction.cursor(try old.tables(of: entity).values)
      var entry = try cursor.first()
      while let found = entry {
        if let name = LongValues.name(found.key), columns.contains(name.column) { try cursor.delete() }
        entry = try cursor.next()
      }
    }
  }

  /// Fills new indexes with the objects that are there; with problems, only those that are unique.
  private func build(
    _ migration: SchemaMigration, _ target: LoadedCatalog, _ problems: inout [String], in transaction: WriteTransaction,
    wait: WriteWait
  ) throws {
    let catalog = Catalog(database: target.catalog, path: path)
    let isTrial = !problems.isEmpty
    for entity in target.schema.entities {
      let indexes = entity.indexes.filter { migration.builtIndexes.contains($0.number) && (!isTrial || $0.isUnique) }
      if indexes.isEmpty { continue }
      let tables = try target.tables(of: entity)
      let writer = try EntityWriter(
        tables, catalog: catalog, transaction: transaction, changes: ChangeLog().changes(of: entity.number))
      let snapshot = Snapshot(transaction: transaction, catalog: target, path: path)
      try writer.build(Set(indexes.map(\.number)), from: snapshot, wait)
      for violation in try writer.violations() {
        problems.append(
          "\(violation.duplicates), and \(entity.name).\(violation.path) is declared unique: change or delete all but one "
            + "of them while it is not, or leave the declaration out")
      }
    }
  }
}

extension EntityWriter {
  /// Fills indexes from the objects: keys are gathered, sorted, and appended. An index that does not fit in memory at
  /// once is merged in several goes.
  fileprivate func build(_ numbers: Set<UInt32>, from snapshot: Snapshot, _ wait: WriteWait) throws {
    var building: [IndexWriter] = []
    for index in indexes where numbers.contains(index.index.number) {
      index.wait = wait
      if try !buildSorted(index, from: snapshot) { building.append(index) }
    }
    var first: UInt64 = 0
    while !building.isEmpty {
      // Views end with a write, so what does not fit is written between two walks over the clusters.
      var next: UInt64?
      try snapshot.forEachCluster(entity, from: first) { cluster in
        if wait.isOver { throw StoreError.cancelled }
        if building.contains(where: \.isFull) {
          next = cluster.number
          return false
        }
        for index in building {
          let columns = try index.index.columns.map { try cluster.column($0) }
          var values: [Value] = []
          for slot in 0..<cluster.slotCount where cluster.present[slot] {
            values.removeAll(keepingCapacity: true)
            for column in columns { values.append(try column.value(at: slot)) }
            index.note(values, object: ObjectNumber(cluster: cluster.number, slot: slot).rawValue, isRemoval: false)
          }
        }
        return true
      }
      for index in building { try index.flush(transaction) }
      guard let next else { break }
      first = next
    }
    try writeState()
  }

  /// Fills an empty index whose keys are numbers; false, with nothing written, where they are not.
  private func buildSorted(_ index: IndexWriter, from snapshot: Snapshot) throws -> Bool {
    guard var keys = FixedKeys(index.index, objects: try snapshot.objectCount(entity)),
      let place = index.index.columns.first,
      try transaction.entryCount(index.database) == 0
    else { return false }
    var fits = true
    try snapshot.forEachCluster(entity) { cluster in
      if index.wait.isOver { throw StoreError.cancelled }
      let column = try cluster.column(place)
      for slot in 0..<cluster.slotCount where fits && cluster.present[slot] {
        let object = ObjectNumber(cluster: cluster.number, slot: slot).rawValue
        fits = keys.add(try column.value(at: slot), object: object)
      }
      return fits
    }
    if fits { try index.append(&keys, transaction) }
    return fits
  }
}
