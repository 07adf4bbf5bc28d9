import CLMDB
import Glibc
import Synchronization

// LMDB trusts its file, and a damaged file makes it crash. So pages are verified before LMDB reads them, once in each
// process, and in a transaction, so that no writer changes them meanwhile: usually one by one as they are reached, here
// whole trees.
extension Environment {
  /// Checks the main tree, and all trees if requested or if the file is shorter than it once was, which is allowed only
  /// if the missing pages are free. Called after opening the environment.
  func checkOnOpening() throws(LMDBError) {
    if options.verification == .never,
      try FileHeader.read(file.data, path: dataPath).isComplete || DamageChecks.areSkipped
    {
      return
    }
    try withHeader { header throws(LMDBError) in
      if options.verification == .atOpen || !header.isComplete {
        try checkEverything(header)
      } else {
        try TreeCheck.run(openingMap(header), header.newest.mainTree, .main, name: "the main tree")
      }
      guardMonitor.lock()
      defer { guardMonitor.unlock() }
      try CommitRecord.check(header, try reachedPages())
    }
  }

  /// Whether the file has the mark of a compaction.
  func checkForMark() throws(LMDBError) -> Bool {
    let hasMark = try withHeader { header throws(LMDBError) in
      guardMonitor.lock()
      defer { guardMonitor.unlock() }
      return try SupersededMark.find(header, try reachedPages())
    }
    if hasMark { superseded.store(true, ordering: .releasing) }
    return hasMark
  }

  /// The file as seen by the verification of reached pages: that needs it mapped anyway, so the check of a few pages on
  /// opening uses the same map.
  private func openingMap(_ header: FileHeader) throws(LMDBError) -> PageMap {
    guardMonitor.lock()
    defer { guardMonitor.unlock() }
    guard header.pageSize == pageSize, let file = try reachedPages().map(ofPages: header.filePages) else {
      return try map(header)
    }
    return PageMap(file, header: header, path: dataPath, isCancelled: nil)
  }

  /// The guard that verifies pages as they are reached. `guardMonitor` is held.
  func reachedPages() throws(LMDBError) -> PageGuard {
    if let pageGuard { return pageGuard }
    let made = try PageGuard(file.data, pageSize: pageSize, path: dataPath)
    pageGuard = made
    return made
  }

  /// The free pages in the newest commit, and the pages of the trees that belong to no database. Counted without LMDB,
  /// since the tree of free pages may not have been checked yet.
  func pageCounts() throws(LMDBError) -> (free: Int, trees: Int) {
    try withHeader { header throws(LMDBError) in
      let free = try checkFreePages(header, map(header))
      let most = header.filePages
      let trees = header.newest.mainTree.plausiblePages(of: most) + header.newest.freeTree.plausiblePages(of: most)
      return (free, Self.metaPages + trees)
    }
  }

  /// The pages at the start of the file.
  private static let metaPages = 2

  /// Runs `body` on the newest commit while its pages can't be used for anything else.
  private func withHeader<R>(_ body: (FileHeader) throws(LMDBError) -> R) throws(LMDBError) -> R {
    monitor.lock()
    defer { monitor.unlock() }
    try beginSharing()
    defer { endSharing() }
    let deadline = Deadline(after: Self.patience)
    var pause: UInt32 = 50
    while true {
      let raw = try beginRawRead()
      defer { recycle(raw) }
      // After two more commits, only a new view can be checked.
      if let header = try header(of: UInt64(mdb_txn_id(raw))) { return try body(header) }
      if deadline.hasPassed { throw .busy }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
  }

  /// The time limit for checking a commit while others commit.
  private static let patience = Duration.seconds(10)

  /// Verifies the pages of a database that LMDB may read, and a few more.
  ///
  /// - Parameter record: The database as of the last commit.
  /// - Returns: Whether a large value that is going to be freed has more pages than it needs, so that all must be counted;
  ///   and whether pages were met that other trees may have too, for `verifyOwnership`.
  func verify(
    _ access: TreeAccess, _ database: Database, _ record: TreeRecord
  ) throws(LMDBError) -> (hasRoomyValues: Bool, hasContests: Bool) {
    guardMonitor.lock()
    defer { guardMonitor.unlock() }
    guard record.root != nil else {
      database.verification.finish()
      return (false, false)
    }
    let pages = try reachedPages()
    pages.beginWalk()
    var check = try PageCheck(
      record, .named, name: "database \(database.name)", pageSize: pageSize, path: dataPath, starts: pages.starts)
    let owner = pages.claims.owner(.database(database.name), known: database.verification.owner)
    database.verification.owner = owner
    check.owner = owner
    try access.verify(pages, check)
    try database.verification.advance(pages, check)
    if pages.hasMetLargeValues { database.verification.noteLargeValues() }
    return (pages.hasMetRoomyValues, pages.claims.hasNewContests)
  }

  /// Verifies all pages of a database as of a commit, including large values and the number of their pages.
  func verifyWhole(_ database: Database, _ record: TreeRecord, commit: UInt64) throws(LMDBError) {
    // The pages of a commit that is being read are not moved; later changes to the file do not matter.
    var header = try header(of: commit)
    if header == nil { header = try FileHeader.read(file.data, path: dataPath) }
    guard let header else { return }
    let found = try TreeCheck.run(
      map(header), record, .named, name: "database \(database.name)", claimer: claimer(.database(database.name)))
    guard found.overflowPages == record.overflowPages else {
      let what = "\(found.overflowPages) pages of large values where there should be \(record.overflowPages)"
      throw .damaged(path: dataPath, page: Int(clamping: record.root ?? 0), what: "database \(database.name): \(what)")
    }
    database.verification.finishCounted()
  }

  /// Checks the lists of free pages, from which LMDB takes pages, before the first write. This thread is the writer, so
  /// nothing changes.
  func checkForWriting() throws(LMDBError) {
    guard options.verification != .never else { return }
    monitor.lock()
    let isChecked = state.isCheckedForWriting
    monitor.unlock()
    if isChecked { return }
    let header = try FileHeader.read(file.data, path: dataPath)
    if header.filePages > header.newest.lastPage + 1 {
      // Pages past the last one are left by a write that was cut off, or the last page is wrong and LMDB would write
      // over pages in use.
      try checkEverything(header)
    }
    _ = try checkFreePages(header, map(header), claimer: claimer(.free))
    monitor.lock()
    state.isCheckedForWriting = true
    monitor.unlock()
  }

  /// The meta pages as of a commit; nil when it is not one of the last two.
  func header(of commit: UInt64) throws(LMDBError) -> FileHeader? {
    monitor.lock()
    defer { monitor.unlock() }
    if var known = state.header, known.newest.commit == commit {
      known.filePages = file.fileSize / known.pageSize
      return known
    }
    let header = try FileHeader.read(file.data, path: dataPath).of(commit: commit)
    if let header { state.header = header }
    return header
  }

  /// The pages of the file for one walk over the trees of a commit.
  func map(_ header: FileHeader, isCancelled: (() -> Bool)? = nil) throws(LMDBError) -> PageMap {
    guard header.pageSize == pageSize else {
      throw .damaged(path: dataPath, page: 0, what: "a page size of \(header.pageSize)")
    }
    let byteCount = header.filePages * pageSize
    monitor.lock()
    defer { monitor.unlock() }
    if let known = state.checkedFile, known.byteCount >= byteCount {
      return PageMap(known, header: header, path: dataPath, isCancelled: isCancelled)
    }
    let made = try FileMap(file.data, byteCount: byteCount, path: dataPath)
    state.checkedFile = made.isWorthKeeping ? made : nil
    return PageMap(made, header: header, path: dataPath, isCancelled: isCancelled)
  }

  /// Begins a snapshot and reads the meta page of its commit, whose trees can then be walked over without LMDB until it
  /// ends.
  func beginReadWithHeader() throws(LMDBError) -> (ReadTransaction, FileHeader) {
    let deadline = Deadline(after: Self.patience)
    while true {
      let reader = try beginRead()
      do throws(LMDBError) {
        if let header = try header(of: UInt64(clamping: reader.id)) { return (reader, header) }
      } catch {
        reader.end()
        throw error
      }
      reader.end()
      if deadline.hasPassed { throw .busy }
    }
  }

  /// Checks all trees of the newest commit, and its free pages.
  ///
  /// - Parameter isCancelled: Called repeatedly: once it returns true, `LMDBError.cancelled` is thrown.
  package func checkPages(isCancelled: (() -> Bool)? = nil) throws(LMDBError) -> PageReport {
    let (reader, header) = try beginReadWithHeader()
    defer { reader.end() }
    let map = try map(header, isCancelled: isCancelled)
    var report = PageReport()
    func flaws(_ body: () throws(LMDBError) -> Void) throws(LMDBError) -> [LMDBError] {
      do throws(LMDBError) { try body() } catch {
        guard error.isDamage else { throw error }
        map.flaws.append(error)
      }
      defer { map.flaws = [] }
      return map.flaws
    }
    let main = try flaws { () throws(LMDBError) in
      try TreeCheck.run(map, header.newest.mainTree, .main, name: "the main tree") {
        (key, value, flags) throws(LMDBError) in
        if let database = NamedTree(key, value, flags) {
          let found = try flaws { () throws(LMDBError) in try database.check(map) }
          if !found.isEmpty { report.databases.append((database.name, found)) }
        }
        return nil
      }
    }
    report.main = main
    report.room = try flaws { () throws(LMDBError) in _ = try checkFreePages(header, map) }
    return report
  }

  /// Checks all trees and the lists of free pages of a commit.
  private func checkEverything(_ header: FileHeader) throws(LMDBError) {
    let map = try map(header)
    try TreeCheck.run(map, header.newest.mainTree, .main, name: "the main tree") {
      (key, value, flags) throws(LMDBError) in
      try NamedTree(key, value, flags)?.check(map)
      return nil
    }
    _ = try checkFreePages(header, map)
  }

  /// Checks the tree of free pages and its lists, of each commit the pages it freed, the highest first; returns how
  /// many pages there are.
  private func checkFreePages(
    _ header: FileHeader, _ map: PageMap, claimer: PageClaimer? = nil
  ) throws(LMDBError) -> Int {
    var total = 0
    var latest: UInt64?
    let last = header.newest.commit
    let name = "the tree of free pages"
    try TreeCheck.run(map, header.newest.freeTree, .free, name: name, claimer: claimer) {
      (key, value, _) throws(LMDBError) in
      guard key.count == 8, value.count >= 8, value.count & 7 == 0 else {
        throw map.damage(0, "\(name): a malformed list")
      }
      let commit = key.loadUnaligned(as: UInt64.self)
      let count = value.loadUnaligned(as: UInt64.self)
      guard commit >= 1, commit <= last, count <= UInt64(value.count / 8 - 1) else {
        throw map.damage(0, "\(name): a malformed list")
      }
      var previous = UInt64.max
      for index in 0..<Int(count) {
        let page = value.loadUnaligned(fromByteOffset: 8 * (index + 1), as: UInt64.self)
        guard page < previous else { throw map.damage(page, "\(name): a list out of order") }
        try map.claimFree(page, for: name)
        previous = page
      }
      claimer?.list(UnsafeRawBufferPointer(rebasing: value[8..<8 * (Int(count) + 1)]))
      total += Int(count)
      latest = commit
      return nil
    }
    // Every commit frees at least the root that it replaces.
    guard latest == nil || latest == last else {
      throw map.damage(header.newest.freeTree.root ?? 0, "\(name): it is of commit \(latest ?? 0), not of \(last)")
    }
    return total
  }
}

/// The damage that a check of all pages found.
package struct PageReport: Sendable {
  /// In the main tree.
  package var main: [LMDBError] = []
  /// In the tree of each database that has any.
  package var databases: [(name: String, flaws: [LMDBError])] = []
  /// In the lists of free pages: everything can be read, nothing can be written, and a copy has none of it.
  package var room: [LMDBError] = []

  /// In the main tree and its databases.
  package var data: [LMDBError] { main + databases.flatMap(\.flaws) }
}

/// An entry of the main tree that is a database.
struct NamedTree {
  let name: String
  let record: TreeRecord

  /// nil for an entry that is none.
  init?(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ flags: UInt16) {
    guard flags == PageNodes.subTree, let record = value.baseAddress else { return nil }
    name = String(decoding: key, as: UTF8.self)
    self.record = TreeRecord(record)
  }

  @discardableResult
  func check(_ map: PageMap, copier: PageCopier? = nil) throws(LMDBError) -> TreeRecord {
    try TreeCheck.run(map, record, .named, name: "database \(name)", copier: copier)
  }
}
