internal import CSystem
internal import Storage

/// The time and thread in which a write transaction may be used: otherwise, using it or results made in it throws.
///
/// Results are sendable and may outlive their transaction, so they hold this instead of the session.
final class TransactionScope: @unchecked Sendable {
  let store: Store
  private let thread = system_thread_number()
  private var current: WriteSession?

  init(_ session: WriteSession, store: Store) {
    current = session
    self.store = store
  }

  /// The session, on the thread of the write and before it ends.
  func session() throws(StoreError) -> WriteSession {
    guard system_thread_number() == thread else {
      throw .unsupported("a write transaction, and results made in it, belong to the thread of the write")
    }
    guard let current else { throw .finished }
    return current
  }

  /// Ends the transaction, on the thread of the write.
  func end() { current = nil }
}
