import Synchronization

/// How much of a database was verified in this process. All copies of its handle share it.
///
/// As long as there are pages that nobody has looked at, each access verifies what it reaches and a few pages more, in the
/// order of their keys; once all are, accesses cost nothing extra. It does not know which version of the database that was:
/// what is committed later is well-formed, since a transaction only builds on verified pages.
final class Verification: Sendable {
  private let done = Atomic(false)
  private let large = Atomic(false)
  /// Guarded by the lock of the environment's `PageGuard`.
  nonisolated(unsafe) private var position: (key: [UInt8], value: [UInt8]?)?

  /// How many pages an access verifies beyond those that it reaches.
  private static let pagesPerAccess = 8

  /// Whether all pages were verified.
  @inline(__always) var isDone: Bool { done.load(ordering: .acquiring) }

  /// Whether all pages were verified and no entry has a large value, which writers look at each time.
  @inline(__always) var isDoneForWriting: Bool { isDone && !large.load(ordering: .relaxed) }

  func finish() { done.store(true, ordering: .releasing) }

  /// Notes that there are large values.
  func noteLargeValues() { large.store(true, ordering: .relaxed) }

  /// Verifies the next few pages.
  func advance(_ pages: PageGuard, _ check: PageCheck) throws(LMDBError) {
    if isDone { return }
    var left = Self.pagesPerAccess
    while left > 0 {
      let target = position.map { Array($0.key) }
      let next = try step(pages, check, from: target, value: position?.value ?? nil, &left)
      guard let next else {
        position = nil
        return finish()
      }
      position = next
    }
  }

  /// Verifies one leaf from a key on, with the trees of its values; where to go on, nil at the end.
  private func step(
    _ pages: PageGuard, _ check: PageCheck, from key: [UInt8]?, value: [UInt8]?, _ left: inout Int
  ) throws(LMDBError) -> (key: [UInt8], value: [UInt8]?)? {
    let path = try Self.path(pages, check, from: key)
    left -= 1
    guard let leaf = path.leaf else { return nil }
    if check.hasDuplicates {
      let nodes = path.nodes(leaf)
      for index in leaf.index..<max(leaf.index, leaf.count)
      where nodes.flags(index) == PageNodes.duplicates | PageNodes.subTree {
        let own = Array(nodes.key(index))
        var next = own == key ? value : nil
        let values = try check.ofValues(nodes, index)
        repeat {
          let path = try Self.path(pages, values, from: next)
          left -= 1
          next = path.leaf?.to.map { Array($0) }
          if left <= 0, let next { return (own, next) }
        } while next != nil
      }
    }
    return leaf.to.map { (Array($0), nil) }
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
