internal import CPlatform
internal import Storage

/// The time and thread in which a write transaction may be used: outside of them, using it or results made in it
/// throws.
///
/// Results are sendable and may outlive the transaction they were made in, which is why they hold this and not the
/// session.
final class TransactionScope: @unchecked Sendable {
  let store: Store
  private let thread = platform_thread_number()
  private var current: WriteSession?

  init(_ session: WriteSession, store: Store) {
    current = session
    self.store = store
  }

  /// The session, on the thread of the write and before its end.
  func session() throws(StoreError) -> WriteSession {
    guard platform_thread_number() == thread else {
      throw .unsupported("a write transaction, and results made in it, belong to the thread of the write")
    }
    guard let current else { throw .finished }
    return current
  }

  /// Ends it: on the thread of the write.
  func end() { current = nil }
}
