internal import LMDB

extension StoreFile {
  /// Writes the last commit to a new store in a folder that does not exist or is empty. Throws `io` if the folder
  /// contains anything.
  ///
  /// - Parameters:
  ///   - replacing: Whether an older copy in the folder is replaced, once the new one is complete.
  ///   - verify: Whether the copy is checked like `check` does; if it is damaged, there is none, and `corrupted` or
  ///     `indexesDamaged` is thrown.
  package func backup(
    to directory: String, replacing: Bool = false, verify: Bool = true, wait: WriteWait = WriteWait()
  ) throws(StoreError) {
    try namingIndexes(wait) { () throws(StoreError) in
      try copy(to: directory, replacing: replacing, verify: verify, wait)
    }
  }

  /// Runs `body`. If it meets damage, and nothing but indexes is damaged, the error says so.
  private func namingIndexes(_ wait: WriteWait, _ body: () throws(StoreError) -> Void) throws(StoreError) {
    do throws(StoreError) { try body() } catch {
      guard case .corrupted = error else { throw error }
      let report = try check(wait: wait)
      throw report.hasOnlyDamagedIndexes ? .indexesDamaged(report.damagedIndexes) : error
    }
  }

  private func copy(to directory: String, replacing: Bool, verify: Bool, _ wait: WriteWait) throws(StoreError) {
    try StoreError.only(directory) {
      try onNewest { opened in
        let check = { (copy: String) throws in
          let problems = try Self.open(copy, mode: .readOnly).check(wait: wait).problems
          guard let first = problems.first else { return }
          let more = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
          throw StoreError.corrupted(location: "\(first)\(more) (in the copy, which was removed)")
        }
        try StoreError.making(directory) {
          try opened.environment.copy(
            to: directory, replacing: replacing, isCancelled: wait.isCancelled, verifying: verify ? check : nil)
        }
      }
    }
  }
}
