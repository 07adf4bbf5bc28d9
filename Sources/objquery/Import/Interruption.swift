import ObjectStoreCore

/// Interrupts an import so that it can report its progress.
struct Interruption {
  var cancellation: Cancellation?
  /// Called with true when the writer's turn begins, with false when its changes are committed or undone.
  var follow: (Bool) -> Void = { _ in }

  /// Throws when the import is to stop.
  func check() throws(Interrupted) {
    if cancellation?.isCancelled == true { throw Interrupted() }
  }

  /// Runs a write. If the import is interrupted before the commit, nothing is committed; if it is interrupted during
  /// the commit, the changes stay and the next `check` throws.
  func write(to store: Store, _ body: (WriteTransaction) throws -> Void) throws {
    defer { follow(false) }
    try store.write(cancellation: cancellation) { transaction in
      follow(true)
      try check()
      try body(transaction)
      try check()
    }
  }
}
