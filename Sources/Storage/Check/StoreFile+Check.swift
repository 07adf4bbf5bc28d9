extension StoreFile {
  /// Reads everything there is, in one snapshot: every cluster decodes and agrees with its checksums, the counters
  /// count, every index has exactly the objects' values, every link its inverse and its target, every long value belongs
  /// to an object, and what is kept of the latest commits can be read.
  ///
  /// What is damaged is told in the report; thrown is only what keeps the check from being made, and `cancelled` once
  /// `wait` says so.
  package func check(wait: WriteWait = WriteWait()) throws(StoreError) -> CheckReport {
    let snapshot = try beginSnapshot()
    defer { snapshot.end() }
    var report = CheckReport()
    var checks: [String: EntityCheck] = [:]
    for known in snapshot.schema.entities {
      // A copy has not seen any chunk yet, so everything is checked although this process may have checked it before.
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
    }
    do throws(StoreError) { try snapshot.readHistory() } catch {
      guard case .corrupted(let location) = error else { throw error }
      report.problems.append(location)
    }
    return report
  }
}
