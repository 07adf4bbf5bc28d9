internal import LMDB

extension StoreFile {
  /// Puts a copy without free room in the place of the file, after checking all of it; returns the sizes before and
  /// after, in bytes. Throws `corrupted` with the first problem if the file is damaged, `indexesDamaged` if only indexes are.
  package func compact(
    timeout: Duration? = nil, wait: WriteWait = WriteWait()
  ) throws(StoreError) -> (before: Int, after: Int) {
    guard environment.hasPlace else { throw .unsupported("a store in memory has nothing to compact") }
    guard !environment.options.readOnly else { throw .readOnly(path: path) }
    // Before others have to wait.
    let report = try check(wait: wait)
    if report.hasOnlyDamagedIndexes { throw .indexesDamaged(report.damagedIndexes) }
    let problems = report.problems
    if let first = problems.first {
      let others = problems.count > 1 ? ", and \(problems.count - 1) more; see 'check'" : ""
      throw .corrupted(location: first + others)
    }
    let sizes = try StoreError.only(path) {
      try onNewest { opened in
        let sizes = try opened.environment.compact(
          timeout: timeout, wait: wait.ofEngine, noting: noteUnchanged, marking: markSuperseded)
        try successor(of: opened)
        return sizes
      }
    }
    commits.noteCommit()
    return sizes
  }

  /// Says that a commit changed no objects, so that observers need not compare.
  private func noteUnchanged(_ transaction: WriteTransaction) throws {
    try CommitHistory(in: transaction, path: path)?.add(CommitChanges(), transaction)
  }

  /// Adds the feature to the last commit of a file that makes earlier programs refuse it by name. They do not know the
  /// engine's mark, and would write where nobody reads.
  private func markSuperseded(_ transaction: WriteTransaction) throws {
    try noteUnchanged(transaction)
    let catalog = try catalog(in: transaction)
    try Catalog(database: catalog.catalog, path: path).markSuperseded(in: transaction)
  }
}
