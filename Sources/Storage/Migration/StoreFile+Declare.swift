internal import LMDB
package import Schema
internal import Values

extension StoreFile {
  /// Gives the file a declared schema: adds new entities, properties and indexes, and renames renamed ones. Parts that
  /// are not declared are kept, except those named for removal.
  ///
  /// Everything happens in one commit, or nothing does. Adding and removing properties writes no object; an index over
  /// existing objects is built, and values are written if objects would lack them (`SchemaFill`). Throws
  /// `migrationNeeded` with every change that is not possible, including those that depend on the objects, and
  /// `cancelled` once `wait` is cancelled, even during the building of an index.
  ///
  /// - Returns: A sentence for each name in the declaration that matches nothing, which may be a mistake.
  @discardableResult
  package func declare(
    _ declaration: SchemaDeclaration, timeout: Duration? = nil, wait: WriteWait = WriteWait()
  ) throws(StoreError) -> [String] {
    try StoreError.only(path) { try migrate(declaration, timeout: timeout, wait: wait) }
  }

  /// Like `declare`, with the steps of a migration plan in the same commit.
  ///
  /// - Parameter steps: Runs the named steps in order, in a write to the file with the declared schema, and with a
  ///   snapshot of the old version. If it throws, nothing is changed.
  package func migrate(
    _ declaration: SchemaDeclaration, timeout: Duration? = nil, wait: WriteWait = WriteWait(),
    running steps: ((_ names: [String], WriteSession, _ old: Snapshot) throws -> Void)? = nil
  ) throws -> [String] {
    // Most declarations change nothing, and need not wait for a writer to find that out.
    let known = try read { try self.plan(of: $0.catalog, declaration) }
    if !known.canBeTried { throw StoreError.migrationNeeded(known.problems) }
    if known.problems.isEmpty, !known.isChange { return known.notes }
    defer { commits.noteCommit() }
    return try StoreError.translating(path) {
      try writeEngine(timeout: timeout, wait: wait) { transaction in
        let catalog = try self.catalog(in: transaction)
        let migration = try self.plan(of: catalog, declaration)
        guard migration.isChange || !migration.problems.isEmpty else { return migration.notes }
        guard let steps, !migration.pendingSteps.isEmpty else {
          try self.carryOut(migration, from: catalog, in: transaction, wait: wait)
          return migration.notes
        }
        // A snapshot of the last commit, since nobody else can write now.
        let old = try self.beginSnapshot()
        defer { old.end() }
        try self.carryOut(migration, from: catalog, in: transaction, wait: wait) { session in
          try steps(migration.pendingSteps.map(\.name), session, old)
        }
        return migration.notes
      }
    }
  }

  /// Declares a schema alone.
  package func declare(
    _ schema: Schema, timeout: Duration? = nil, wait: WriteWait = WriteWait()
  ) throws(StoreError) { _ = try declare(SchemaDeclaration(schema), timeout: timeout, wait: wait) }

  /// Throws unless the file has all properties of the schema, with the same types.
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
      missing += Self.otherTypes(of: entity, in: migration.target.schema, than: known.schema)
    }
    for fill in migration.fills where [.nulls, .elements].contains(fill.scope) {
      guard let entity = snapshot.schema.entities.first(where: { $0.number == fill.entity }) else { continue }
      missing.append("\(entity.name).\(fill.path) is optional in the file and not in the models")
    }
    if !missing.isEmpty { throw .migrationNeeded(missing) }
  }

  /// The columns that a file has with another type, a sentence each.
  private static func otherTypes(of entity: Entity, in schema: Schema, than file: Schema) -> [String] {
    guard let stored = file.entity(named: entity.name) else { return [] }
    let columns = file.columns(of: stored)
    return schema.columns(of: entity).compactMap { column in
      guard let old = columns.first(where: { $0.path == column.path }), old.kind != column.kind else { return nil }
      return
        "\(entity.name).\(column.path) is \(old.typeName) in the file and \(column.typeName) in the models: open it "
        + "for writing once"
    }
  }

  func migration(
    of catalog: LoadedCatalog, _ declaration: SchemaDeclaration
  ) throws(StoreError) -> SchemaMigration {
    let migration = try plan(of: catalog, declaration)
    if !migration.problems.isEmpty { throw .migrationNeeded(migration.problems) }
    return migration
  }

  /// The plan, including its problems.
  func plan(
    of catalog: LoadedCatalog, _ declaration: SchemaDeclaration
  ) throws(StoreError) -> SchemaMigration {
    let migration = SchemaMigration(from: catalog.record, declaration)
    if !migration.unsupported.isEmpty { throw .unsupported(migration.unsupported.joined(separator: "; ")) }
    return migration
  }

  /// Carries out a migration and returns the resulting catalog. A migration with problems is tried, as far as that
  /// finds missing values of objects; then all problems are thrown, and the transaction must be rolled back.
  ///
  /// - Parameter steps: The steps of a migration plan; run before uniqueness is checked.
  @discardableResult
  func carryOut(
    _ migration: SchemaMigration, from old: LoadedCatalog, in transaction: WriteTransaction,
    wait: WriteWait = WriteWait(), running steps: ((WriteSession) throws -> Void)? = nil
  ) throws -> LoadedCatalog {
    guard migration.canBeTried else { throw StoreError.migrationNeeded(migration.problems) }
    let catalog = Catalog(database: old.catalog, path: path)
    try drop(migration, from: old, catalog, in: transaction)
    let record = migration.target
    for entity in record.entities {
      if migration.createdEntities.contains(entity.number) {
        _ = try transaction.createDatabase("o\(entity.number)", [.integerKey])
        _ = try transaction.createDatabase("v\(entity.number)")
        try catalog.write(EntityState(), of: entity.number, in: transaction)
        try transaction.put(0, ClusterSum.number(of: entity.number))
      }
      for index in entity.indexes where migration.builtIndexes.contains(index.number) {
        _ = try transaction.createDatabase("i\(index.number)", index.index.kind.writer.databaseOptions)
      }
    }
    try catalog.write(record, in: transaction)
    let target = try Self.load(record, catalog, in: transaction, after: old)
    var problems = migration.problems
    try convert(migration, from: old, to: target, &problems, in: transaction, wait: wait)
    try dropLongValues(migration, from: old, in: transaction)
    let fillers = try fill(migration, target, &problems, in: transaction, wait: wait)
    // What is filled in may be shared until the steps have run.
    let filled = problems.isEmpty && steps != nil ? [] : try fillers.flatMap { try $0.violations() }
    let isTrial = !problems.isEmpty || !filled.isEmpty
    let builders = try build(migration, target, isTrial: isTrial, in: transaction, wait: wait)
    if !isTrial, let steps {
      let session = WriteSession(transaction: transaction, catalog: target, path: path)
      defer { session.invalidate() }
      try steps(session)
      for shared in try session.violations() + (builders + fillers).flatMap({ try $0.violations() })
      where !problems.contains(shared.problem) {
        problems.append(shared.problem)
      }
      if problems.isEmpty { try session.finish() }
    } else {
      let built = try builders.flatMap { try $0.violations() }
      // Of an index that is built, what was filled is a part.
      let others = filled.filter { one in !built.contains { $0.entity == one.entity && $0.path == one.path } }
      problems += (built + others).map(\.problem)
    }
    if !problems.isEmpty { throw StoreError.migrationNeeded(problems) }
    return target
  }

  /// Removes the data of removed entities and indexes.
  private func drop(
    _ migration: SchemaMigration, from old: LoadedCatalog, _ catalog: Catalog, in transaction: WriteTransaction
  ) throws {
    var names = migration.droppedIndexes.map { "i\($0)" }
    for entity in migration.droppedEntities {
      names += ["o\(entity.number)", "v\(entity.number)"] + entity.indexes.map { "i\($0.number)" }
      try catalog.removeState(of: entity.number, in: transaction)
      try transaction.remove(ClusterSum.number(of: entity.number))
    }
    for name in names {
      if let database = try transaction.database(name) { try transaction.dropEvenDamaged(database) }
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

  /// Removes the overflow values of removed columns. Clusters keep the rest of their data until they are next written.
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

  /// Builds new indexes from the stored objects; in a trial, only unique ones.
  ///
  /// - Returns: The writers that built them, with the values that several objects share.
  private func build(
    _ migration: SchemaMigration, _ target: LoadedCatalog, isTrial: Bool, in transaction: WriteTransaction,
    wait: WriteWait
  ) throws -> [EntityWriter] {
    let catalog = Catalog(database: target.catalog, path: path)
    var writers: [EntityWriter] = []
    for entity in target.schema.entities {
      let indexes = entity.indexes.filter { migration.builtIndexes.contains($0.number) && (!isTrial || $0.isUnique) }
      if indexes.isEmpty { continue }
      let writer = try EntityWriter(
        try target.tables(of: entity), catalog: catalog, transaction: transaction,
        changes: ChangeLog().changes(of: entity.number))
      let snapshot = Snapshot(transaction: transaction, catalog: target, path: path)
      try writer.build(Set(indexes.map(\.number)), from: snapshot, wait)
      writers.append(writer)
    }
    return writers
  }
}

extension EntityWriter {
  /// Builds indexes from the objects: keys are collected, sorted and appended. An index that does not fit in memory is
  /// merged in several passes.
  fileprivate func build(_ numbers: Set<UInt32>, from snapshot: Snapshot, _ wait: WriteWait) throws {
    var building: [any IndexWriter] = []
    for index in indexes where numbers.contains(index.index.number) {
      index.wait = wait
      if try !buildSorted(index, from: snapshot) { building.append(index) }
    }
    var first: UInt64 = 0
    while !building.isEmpty {
      // Views end with a write, so changes that do not fit in memory are written between two walks over the clusters.
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

  /// Builds an empty index whose keys have a fixed width. Returns false, with nothing written, for other indexes.
  private func buildSorted(_ index: any IndexWriter, from snapshot: Snapshot) throws -> Bool {
    guard let index = index as? KeyIndexWriter,
      var keys = FixedKeys(index.index, objects: try snapshot.objectCount(entity)),
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
