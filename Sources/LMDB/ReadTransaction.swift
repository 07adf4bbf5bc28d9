import CLMDB

/// A snapshot: the state of one commit, unaffected by later writes.
///
/// It is not tied to a thread, but must be used by one at a time. While it is open, the pages of its state can't be
/// reused, so the file grows if there are many writes: end it soon. Releasing it also ends it.
package final class ReadTransaction: Transaction {
  deinit { end() }

  /// Ends the view; its buffers are dead. Doing so twice is harmless.
  package func end() {
    guard let raw else { return }
    self.raw = nil
    environment.endRead(raw)
  }
}
