import ObjectStoreCore

/// What stops an import, so that it can say how far it came.
struct Interruption {
  var cancellation: Cancellation?
  /// Called with true when the writer's turn has come, with false when what was written is committed or undone.
  var follow: (Bool) -> Void = { _ in }

  /// Throws when the import is to stop.
  func check() throws(Interrupted) {
    if cancellation?.isCancelled == true { throw Interrupted() }
  }

  /// Writes. Nothing is committed when the import is to stop before that; when it is to stop during the commit, what was
  /// written stays, and the next `check` throws.
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
