import ObjectStoreCore

/// What stops an import between two records, so that it can say how far it came.
///
/// It is not heeded everywhere: who waits for another writer, or builds an index, asks nobody. Whoever gives it is told
/// when that changes, and may end the process meanwhile.
struct Interruption {
  var cancellation: Cancellation?
  /// Called with true when the import begins to heed it, with false when it ceases to.
  var heeds: (Bool) -> Void = { _ in }

  /// Throws when the import is to stop.
  func check() throws(Stopped) {
    if cancellation?.isCancelled == true { throw Stopped() }
  }

  /// Writes, and heeds it from when the writer's turn has come until all is committed. Nothing is committed when it comes
  /// before that; when it comes during the commit, what was written stays, and the next `check` throws.
  func write(to store: Store, _ body: (WriteTransaction) throws -> Void) throws {
    defer { heeds(false) }
    try store.write { transaction in
      heeds(true)
      try check()
      try body(transaction)
      try check()
    }
  }
}
