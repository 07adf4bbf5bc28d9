internal import LMDB
internal import Schema

extension StoreFile {
  /// Reads the whole file in one snapshot and checks that: every cluster decodes and matches its checksums; counters
  /// are right; every index has exactly the objects' values; every link has its inverse and its target; every overflow
  /// value belongs to an object; the log of recent commits can be read; and every page of every tree, also of the free
  /// pages, is sound and has one use.
  ///
  /// Damage is part of the report. It throws only errors that prevent the check, and `cancelled` if `wait` is
  /// cancelled.
  package func check(wait: WriteWait = WriteWait()) throws(StoreError) -> CheckReport {
    let snapshot = try beginSnapshot()
    defer { snapshot.end() }
    var report = CheckReport()
    var checks: [String: EntityCheck] = [:]
    // The databases of damaged indexes.
    var damaged: Set<String> = []
    for known in snapshot.schema.entities {
      // A copy of the entity has no record of validated chunks, so everything is validated again.
      let entity = StoredEntity(
        number: known.number, entity: known.entity, columns: known.columns, indexes: known.indexes)
      var check = try EntityCheck(entity, in: snapshot, wait)
      try check.run()
      checks[entity.name] = check
    }
    for entity in snapshot.schema.entities {
      guard var check = checks[entity.name] else { continue }
      try check.checkTargets(in: checks)
      report.entities += 1
      report.objects += check.objectCount
      report.indexes += entity.indexes.count { !$0.isInverse }
      report.problems += check.problems
      report.hasOtherDamage = report.hasOtherDamage || check.hasOtherDamage
      // Those that this check found are in the next catalog only.
      let known = snapshot.catalog.record.damagedIndexes
      for index in entity.indexes where known.contains(index.number) {
        report.problems.append("\(index.place(in: entity)) is damaged and not used: reindex builds it anew")
      }
      damaged.formUnion(check.damagedIndexes)
    }
    do throws(StoreError) { try snapshot.readHistory() } catch {
      guard case .corrupted(let location) = error else { throw error }
      report.problems.append(location)
      report.hasOtherDamage = true
    }
    var places: [String: String] = [:]
    for entity in snapshot.schema.entities {
      for index in entity.indexes { places[index.database] = index.place(in: entity) }
    }
    damaged.formUnion(try checkPages(wait, &report, places))
    for name in damaged { environment.damaged.note(name) }
    for entity in snapshot.schema.entities {
      let known = snapshot.catalog.record.damagedIndexes
      report.damagedIndexes += entity.indexes.filter { damaged.contains($0.database) || known.contains($0.number) }.map
      {
        "\(entity.name).\($0.name)"
      }
    }
    return report
  }

  /// Checks all pages, also those that no object is read from. Returns the databases of damaged indexes.
  ///
  /// - Parameter places: The indexes, as messages name them, by their databases.
  private func checkPages(
    _ wait: WriteWait, _ report: inout CheckReport, _ places: [String: String]
  ) throws(StoreError) -> [String] {
    let pages = try StoreError.only(path) {
      try onNewest { opened in try opened.environment.checkPages(isCancelled: wait.isCancelled) }
    }
    for (name, flaws) in pages.databases + [("", pages.main)] {
      let place = places[name]
      if place == nil, !flaws.isEmpty { report.hasOtherDamage = true }
      // Some were met by who read the objects.
      for flaw in flaws where !report.problems.contains(where: { $0.contains(flaw.description) }) {
        report.problems.append(place.map { "\($0): \(flaw)" } ?? flaw.description)
      }
    }
    if !pages.room.isEmpty { report.hasOtherDamage = true }
    for flaw in pages.room {
      report.problems.append(
        "the lists of free pages are damaged, so nothing can be written; a backup has new ones: \(flaw)")
    }
    return pages.databases.map(\.name).filter { places[$0] != nil }
  }
}

extension StoredIndex {
  /// The index, or the inverse of a link, in messages.
  func place(in entity: StoredEntity) -> String {
    isInverse ? "the inverse of \(entity.name).\(name)" : "the index \(name) of \(entity.name)"
  }
}
