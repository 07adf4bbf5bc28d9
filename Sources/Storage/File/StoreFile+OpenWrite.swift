internal import LMDB
internal import Schema

/// A write that stays open until it is told to end: begun, used and ended on one thread.
///
/// Letting go of it undoes it. It can't be repeated, so where the reserved address space is too small it ends with
/// `full`; more is reserved then for whoever tries again.
package final class OpenWrite {
  /// What is written in it.
  package let session: WriteSession
  private let transaction: WriteTransaction
  private let file: StoreFile

  init(_ session: WriteSession, _ transaction: WriteTransaction, _ file: StoreFile) {
    self.session = session
    self.transaction = transaction
    self.file = file
  }

  deinit { rollback() }

  /// Makes everything safe and visible. When it throws, nothing was done, and the write has ended all the same.
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

  /// Undoes everything; harmless when it has ended.
  package func rollback() {
    session.invalidate()
    transaction.abort()
    if transaction.metFullMap { try? file.environment.growMap() }
  }
}

extension StoreFile {
  /// Begins a write that outlasts a closure. Waits for other writers, `timeout` at most and as long as `wait` says.
  package func beginWrite(timeout: Duration? = nil, wait: WriteWait = WriteWait()) throws -> OpenWrite {
    try StoreError.translating(path) {
      let transaction = try environment.beginWrite(timeout: timeout, wait: wait.ofEngine)
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
