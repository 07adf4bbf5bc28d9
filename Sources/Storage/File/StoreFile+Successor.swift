package import LMDB
internal import Synchronization

// A compaction, by any process, puts another file in the place of the open one. Whoever reads or writes next meets the
// engine's `superseded`, and turns to the other file here, once for all users of this one.
extension StoreFile {
  /// The environment of the store.
  package var environment: Environment { opened.environment }

  /// The environment and what is known of its file.
  var opened: OpenEnvironment { current.withLock { $0 } }

  /// Runs `body` on the open file; if a compaction has put another in its place, on that.
  @inline(__always)
  func onNewest<R>(_ body: (OpenEnvironment) throws -> R) throws -> R {
    let opened = opened
    do { return try body(opened) } catch LMDBError.superseded { return try onSuccessor(of: opened, body) }
  }

  @inline(never)
  private func onSuccessor<R>(of last: OpenEnvironment, _ body: (OpenEnvironment) throws -> R) throws -> R {
    var last = last
    for _ in 0..<100 {
      last = try successor(of: last)
      do { return try body(last) } catch LMDBError.superseded {}
    }
    throw LMDBError.busy
  }

  /// Opens the file that has taken the place of one, unless another thread has done so.
  @discardableResult
  func successor(of last: OpenEnvironment) throws(LMDBError) -> OpenEnvironment {
    let found = exchanging.withLock { _ in
      Result { () throws(LMDBError) -> OpenEnvironment in
        let opened = opened
        return opened === last ? exchange(for: try last.environment.successor()) : opened
      }
    }
    return try found.get()
  }

  /// Whether this is the file of an environment; turns to it if it is of the next file in the place of this one.
  func turn(to environment: Environment) -> Bool {
    if opened.environment === environment { return true }
    guard opened.environment.isReplaced(by: environment) else { return false }
    return exchanging.withLock { _ in
      let opened = opened
      if opened.environment === environment { return true }
      guard opened.environment.isReplaced(by: environment) else { return false }
      exchange(for: environment)
      return true
    }
  }

  @discardableResult
  private func exchange(for environment: Environment) -> OpenEnvironment {
    let made = OpenEnvironment(environment)
    environment.label = opened.environment.label
    let last = current.withLock { current in
      defer { current = made }
      return current
    }
    withExtendedLifetime(last) { commits.follow(environment) }
    return made
  }

  /// Called when the file or its name was changed by somebody: nobody writes to the file any more if it was replaced.
  func lookForSuccessor() {
    if !opened.environment.isInPlace { try? beginSnapshot().end() }
  }
}
