import CLMDB

/// A snapshot: the state of one commit, whatever is written meanwhile.
///
/// Not tied to a thread, but used by one at a time. While it is open the pages of its state can't be reused, so the
/// file grows under a busy writer: end it soon. Dropping it ends it too.
package final class ReadTransaction: Transaction {
  /// Its place in the environment's list of open readers.
  let slot: Int

  init(environment: Environment, raw: OpaquePointer, slot: Int) {
    self.slot = slot
    super.init(environment: environment, raw: raw)
  }

  deinit { end() }

  /// Ends the view; its buffers are dead. Doing so twice is harmless.
  package func end() {
    guard let raw else { return }
    self.raw = nil
    environment.endRead(raw, slot: slot)
  }
}
