import Synchronization

/// The extent to which a database was verified in this process. All copies of its handle share it.
///
/// While there are unverified pages, each access verifies the pages it reaches, and after some accesses a few more
/// pages, in the order of their keys; once all are verified, accesses cost nothing extra. The version of the database
/// does not matter: later commits are well-formed, since a transaction only builds on verified pages.
final class Verification: Sendable {
  private let done = Atomic(false)
  private let large = Atomic(false)
  private let shared = Atomic(false)
  private let counted = Atomic(false)
  /// Guarded by the lock of the environment's `PageGuard`.
  nonisolated(unsafe) private var position: (key: [UInt8], value: [UInt8]?)?

  /// The number of the database in `PageClaims`. Guarded like `position`.
  nonisolated(unsafe) var owner = PageClaims.nobody

  /// The number of accesses. Guarded like `position`.
  nonisolated(unsafe) private var accesses = 0

  /// The number of accesses after which each access verifies a few more pages: a process that makes only a few accesses
  /// does not benefit from that, and might have to wait for the disk.
  private static let accessesBefore = 64
  /// The number of pages that an access verifies in addition to those it reaches.
  private static let pagesPerAccess = 8

  /// Whether all pages were verified.
  @inline(__always) var isDone: Bool { done.load(ordering: .acquiring) }

  /// Whether all pages were verified, no entry has a large value, which writers check each time, and none of the pages
  /// belongs to another tree too.
  @inline(__always) var isDoneForWriting: Bool {
    isDone && !large.load(ordering: .relaxed) && !shared.load(ordering: .relaxed)
  }

  /// Whether the pages of all large values were counted: each has those that it says it has.
  var isCounted: Bool { counted.load(ordering: .relaxed) }

  /// Notes that all pages were verified and counted.
  func finishCounted() {
    counted.store(true, ordering: .relaxed)
    finish()
  }

  func finish() { done.store(true, ordering: .releasing) }

  /// Notes that there are large values.
  func noteLargeValues() { large.store(true, ordering: .relaxed) }

  /// Notes whether there are pages that belong to another tree too.
  func noteShared(_ hasShared: Bool) { shared.store(hasShared, ordering: .relaxed) }

  /// Verifies the next few pages.
  func advance(_ pages: PageGuard, _ check: PageCheck) throws(LMDBError) {
    if isDone { return }
    accesses += 1
    guard accesses > Self.accessesBefore else { return }
    var left = Self.pagesPerAccess
    var start = position
    var path = try Self.path(pages, check, from: start?.key)
    while let leaf = path.leaf {
      left -= 1
      if let next = try verifyValues(of: path, leaf, from: start, &left) { return position = next }
      start = nil
      if left <= 0, let next = leaf.to { return position = (Array(next), nil) }
      guard try path.move(forward: true) else { break }
    }
    position = nil
    finish()
  }

  /// Verifies the trees of values of a leaf's entries, from a value on; returns where to continue, nil when all are
  /// verified.
  private func verifyValues(
    of path: TreePath, _ leaf: TreePath.Step, from start: (key: [UInt8], value: [UInt8]?)?, _ left: inout Int
  ) throws(LMDBError) -> (key: [UInt8], value: [UInt8]?)? {
    guard path.check.hasDuplicates else { return nil }
    let nodes = path.nodes(leaf)
    for index in leaf.index..<max(leaf.index, leaf.count)
    where nodes.flags(index) == PageNodes.duplicates | PageNodes.subTree {
      let key = nodes.key(index)
      let isStart = start.map { key.elementsEqual($0.key) } ?? false
      var values = try Self.path(
        path.pages, path.check.ofValues(path.pages, nodes, index), from: isStart ? start?.value : nil)
      repeat {
        left -= 1
        if left <= 0, let next = values.leaf?.to { return (Array(key), Array(next)) }
      } while try values.move(forward: true)
    }
    return nil
  }

  private static func path(
    _ pages: PageGuard, _ check: PageCheck, from key: [UInt8]?
  ) throws(LMDBError) -> TreePath {
    guard let key else { return try TreePath(pages, check, to: .first) }
    let found = key.withUnsafeBytes { bytes in
      Result { () throws(LMDBError) in try TreePath(pages, check, to: .key(bytes)) }
    }
    return try found.get()
  }
}
