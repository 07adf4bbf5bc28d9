internal import LMDB
internal import Schema
internal import Values

extension StoreFile {
  /// Writes what can be read of a damaged store to a new one: every sound object, and every sound property of other
  /// objects. Objects keep their numbers; indexes are built anew. The store need not be one that can be opened; it is not
  /// changed, and others can't write to it meanwhile.
  ///
  /// A property that must have a value and was lost becomes optional in the new store, so that nothing is invented.
  package static func salvage(
    _ directory: String, to new: String, wait: WriteWait = WriteWait()
  ) throws(StoreError) -> SalvageReport {
    try StoreError.only(directory) {
      let remains = try Remains(directory, wait)
      let schema: StoredSchema
      do throws(RecordDamage) { schema = try remains.record.stored(reusing: nil) } catch {
        throw StoreError.corrupted(location: "the schema in the catalog: \(error.what)")
      }
      let entities = schema.entities.map { SalvagedEntity($0, in: remains) }
      for entity in entities {
        for position in entity.clusters.indices {
          if wait.isOver { throw StoreError.cancelled }
          entity.forEachRow(position, isFirstTime: true) { _, _ in }
        }
      }
      var report = SalvageReport(notes: remains.notes, mayLackChanges: remains.file.mayBeOutdated)
      var record = remains.record
      for entity in entities {
        for column in entity.lacking.sorted() {
          let path = entity.entity.columns[column].path
          record.schema.allowNil(at: path, of: entity.entity.name)
          report.notes.append("\(entity.entity.name).\(path) is optional in the new store, since values of it are lost")
        }
      }
      try StoreError.making(new) {
        try Environment.create(new) { try write(entities, record, to: $0, new, wait) }
      }
      if remains.file.mayFindOldValues, entities.contains(where: { !$0.clusters.isEmpty }), !remains.file.flaws.isEmpty
      {
        report.notes.append(
          "the lists of free pages are damaged: objects that were changed or deleted may be as they were before")
        report.mayLackChanges = true
      }
      report.entities = entities.map {
        SalvageReport.EntityCount(
          name: $0.entity.name, saved: Int(clamping: $0.objectCount - $0.refused),
          counted: $0.state.map { Int(clamping: $0.objectCount) })
      }
      report.lost = entities.flatMap(\.lost)
      report.notes += entities.flatMap(\.notes)
      if entities.contains(where: { !$0.notes.isEmpty }) { report.mayLackChanges = true }
      return report
    }
  }

  /// Writes the objects to an empty store.
  private static func write(
    _ entities: [SalvagedEntity], _ record: CatalogSchema, to transaction: WriteTransaction, _ path: String,
    _ wait: WriteWait
  ) throws {
    let catalog = Catalog(database: try transaction.createDatabase(Catalog.name), path: path)
    try catalog.write(record, in: transaction)
    for entity in record.entities {
      _ = try transaction.createDatabase("o\(entity.number)", [.integerKey])
      _ = try transaction.createDatabase("v\(entity.number)")
      for index in entity.indexes {
        _ = try transaction.createDatabase("i\(index.number)", index.index.kind.writer.databaseOptions)
      }
      var state = EntityState()
      state.nextObject = entities.first { $0.entity.number == entity.number }?.nextObject ?? 1
      try catalog.write(state, of: entity.number, in: transaction)
    }
    let target = try load(record, catalog, in: transaction, after: nil)
    let session = WriteSession(transaction: transaction, catalog: target, path: path)
    defer { session.invalidate() }
    for entity in entities { try entity.write(to: session, among: entities, wait) }
    for entity in entities { try entity.refuseShared(in: session) }
    try session.finish()
  }
}
