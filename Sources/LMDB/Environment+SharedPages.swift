import Glibc

// A page that belongs to two trees is noticed before a write frees it for one of them: pages are remembered with the tree
// in which they were met, and those that were met in several are looked up in each.
extension Environment {
  /// Finds out which contested pages several trees lead to, so that writes to these are refused. Only the writer calls
  /// this: nothing changes meanwhile.
  ///
  /// - Parameters:
  ///   - commit: The last commit.
  ///   - isFreeing: Whether a write has just found the large values that it is about to free.
  /// - Throws: Damage if a free page belongs to a tree: every write may then take it.
  func settleContests(commit: UInt64, isFreeing: Bool) throws(LMDBError) {
    guardMonitor.lock()
    let hasContests = pageGuard.map { !$0.claims.contests.isEmpty } ?? false
    guardMonitor.unlock()
    guard hasContests, let header = try header(of: commit) else { return }
    monitor.lock()
    let databases = state.databases
    monitor.unlock()
    guardMonitor.lock()
    defer { guardMonitor.unlock() }
    let verified = databases.filter(\.verification.isDone).map(\.name)
    var contests = SharedPages(try reachedPages(), header, verified: verified, isFreeing: isFreeing)
    let free = freePages.flatMap { $0.commit == commit ? $0 : nil } ?? FreePages(commit: commit)
    freePages = free
    let findings = try contests.settle(free)
    sharedPages = findings.databases
    for database in databases {
      database.verification.noteShared(findings.databases.contains { $0.name == database.name })
    }
    if let flaw = findings.room { throw flaw }
  }

  /// Throws if pages of a database belong to another tree too.
  func verifyOwnership(of database: Database) throws(LMDBError) {
    guardMonitor.lock()
    defer { guardMonitor.unlock() }
    if let shared = sharedPages.first(where: { $0.name == database.name }) { throw shared.flaw }
  }

  /// What tells of the pages of a tree while all of them are checked.
  func claimer(_ tree: PageClaims.Tree) throws(LMDBError) -> PageClaimer {
    guardMonitor.lock()
    defer { guardMonitor.unlock() }
    let claims = try reachedPages().claims
    return PageClaimer(claims: claims, lock: guardMonitor, owner: claims.owner(tree))
  }
}

/// Notes the pages of a tree that is checked as a whole, while others meet pages one by one.
struct PageClaimer {
  fileprivate let claims: PageClaims
  fileprivate let lock: Monitor
  fileprivate let owner: PageClaims.Owner

  /// Notes that the tree leads to a page.
  func meet(_ page: UInt64) {
    lock.lock()
    defer { lock.unlock() }
    claims.meet(page, owner)
  }

  /// Notes that pages are free, by their numbers of eight bytes.
  func list(_ pages: UnsafeRawBufferPointer) {
    lock.lock()
    defer { lock.unlock() }
    for place in stride(from: 0, to: pages.count - 7, by: 8) {
      claims.list(pages.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
  }

  /// The same for the tree of the values of a key.
  func ofValues(_ key: UnsafeRawBufferPointer) -> PageClaimer {
    lock.lock()
    defer { lock.unlock() }
    return PageClaimer(claims: claims, lock: lock, owner: claims.owner(ofValues: key, in: owner))
  }
}
