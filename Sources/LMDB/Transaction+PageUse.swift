/// The pages of the file that a database takes.
package struct PageUse: Sendable, Hashable {
  /// Its tree and its large values.
  package var own: Int
  /// The trees of those keys that have too many values for one page.
  package var nested = 0
  /// Whether `nested` was derived from a part of the keys.
  package var isEstimated = false

  package var total: Int { own + nested }
}

extension Transaction {
  /// The pages of a database in the last commit. LMDB counts the trees of values only within themselves, so the leaves
  /// that lead to them are visited, up to a number that keeps the time independent of the size of the store.
  package final func pageUse(_ database: Database, mostLeaves: Int = 4_096) throws(LMDBError) -> PageUse {
    let record = try record(of: database)
    let file = environment.file.fileSize / environment.pageSize
    var use = PageUse(own: record.plausiblePages(of: file))
    guard record.has(TreeRecord.dupSort), record.root != nil else { return use }
    let (pages, leaves, isWhole) = try environment.damaged.noting(database.name) { () throws(LMDBError) in
      try environment.nestedPages(of: database, record, mostLeaves: mostLeaves)
    }
    use.nested = pages
    if !isWhole {
      let all = Double(record.leafPages) / Double(max(leaves, 1))
      use.nested = Int(min(Double(pages) * all, Double(file)))
      use.isEstimated = true
    }
    return use
  }
}

extension Environment {
  /// The pages of the trees of values that the first leaves of a database lead to, the number of these leaves, and
  /// whether they are all.
  fileprivate func nestedPages(
    of database: Database, _ record: TreeRecord, mostLeaves: Int
  ) throws(LMDBError) -> (pages: Int, leaves: Int, isWhole: Bool) {
    guardMonitor.lock()
    defer { guardMonitor.unlock() }
    let pages = try reachedPages()
    pages.beginWalk()
    let check = try PageCheck(
      record, .named, name: "database \(database.name)", pageSize: pageSize, path: dataPath, starts: pages.starts)
    let file = self.file.fileSize / pageSize
    var path = try TreePath(pages, check, to: .first)
    var (count, leaves) = (0, 0)
    repeat {
      guard let leaf = path.leaf else { break }
      if leaves == mostLeaves { return (count, leaves, false) }
      leaves += 1
      let nodes = path.nodes(leaf)
      for index in 0..<nodes.count where nodes.flags(index) == PageNodes.duplicates | PageNodes.subTree {
        count = min(count + TreeRecord(nodes.value(index)).plausiblePages(of: file), file)
      }
    } while try path.move(forward: true)
    return (count, leaves, true)
  }
}
