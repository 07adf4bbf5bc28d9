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
      // Those that this check found are in the next catalog only.
      let damaged = snapshot.catalog.record.damagedIndexes
      for index in entity.indexes where damaged.contains(index.number) {
        report.problems.append(
          "the index \(index.index.name) of \(entity.name) is damaged and not used: reindex builds it anew")
      }
      for name in check.damagedIndexes { environment.damaged.note(name) }
    }
    do throws(StoreError) { try snapshot.readHistory() } catch {
      guard case .corrupted(let location) = error else { throw error }
      report.problems.append(location)
    }
    try checkPages(wait, &report)
    return report
  }

  /// Checks all pages, also those that no object is read from.
  private func checkPages(_ wait: WriteWait, _ report: inout CheckReport) throws(StoreError) {
    let pages = try StoreError.only(path) {
      try onNewest { opened in try opened.environment.checkPages(isCancelled: wait.isCancelled) }
    }
    // Some were met by who read the objects.
    for flaw in pages.data where !report.problems.contains(where: { $0.contains(flaw.description) }) {
      report.problems.append(flaw.description)
    }
    for flaw in pages.room {
      report.problems.append(
        "the lists of free pages are damaged, so nothing can be written; a backup has new ones: \(flaw)")
    }
  }
}
