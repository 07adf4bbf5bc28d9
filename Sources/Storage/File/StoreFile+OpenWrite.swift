internal import LMDB
internal import Schema

/// A write transaction that stays open until it is ended explicitly: begun, used and ended on one thread.
///
/// Releasing it rolls it back. It cannot be repeated, so if the reserved address space is too small it ends with
/// `full`; more is then reserved for the next attempt.
package final class OpenWrite {
  /// The session of the write.
  package let session: WriteSession
  private let transaction: WriteTransaction
  private let file: StoreFile

  init(_ session: WriteSession, _ transaction: WriteTransaction, _ file: StoreFile) {
    self.session = session
    self.transaction = transaction
    self.file = file
  }

  deinit { rollback() }

  /// Commits. If it throws, nothing was written, and the write has ended.
  package func commit() throws {
    defer {
      rollback()
      file.commits.noteCommit()
    }
    try StoreError.translating(file.path) {
      try session.finish()
      try session.writeLog()
      session.invalidate()
      try transaction.commit()
    }
  }

  /// Rolls back; does nothing after the end.
  package func rollback() {
    session.invalidate()
    transaction.abort()
    if transaction.metFullMap { try? transaction.environment.growMap() }
  }
}

extension StoreFile {
  /// Begins a write that outlasts a closure. Waits for other writers up to `timeout` and until `wait` is cancelled.
  package func beginWrite(timeout: Duration? = nil, wait: WriteWait = WriteWait()) throws -> OpenWrite {
    try StoreError.translating(path) {
      let transaction = try onNewest { opened in
        try opened.environment.beginWrite(timeout: timeout, wait: wait.ofEngine)
      }
      do {
        let session = WriteSession(
          transaction: transaction, catalog: try catalogForWriting(in: transaction, wait: wait), path: path)
        return OpenWrite(session, transaction, self)
      } catch {
        transaction.abort()
        throw error
      }
    }
  }
}
