internal import Synchronization

extension Store {
  /// Writes, as `write`, and leaves observations out: they go on from what it wrote without a change, for example where
  /// the view that writes shows the change already.
  ///
  /// ```swift
  /// let changes = results.changes()
  /// try store.write(withoutNotifying: [changes.token]) { tx in try tx.delete(quake) }
  /// ```
  ///
  /// An observation that has yet to deliver an earlier commit that matters to it delivers both as one change.
  ///
  /// - Parameters:
  ///   - tokens: The observations to leave out.
  ///   - body: The changes, as `write` takes them.
  /// - Throws: as `write`.
  @discardableResult
  public func write<R>(
    withoutNotifying tokens: [ObservationToken], _ body: (WriteTransaction) throws -> R
  ) throws -> R {
    let quiet = QuietWrite(tokens)
    do {
      return try write { tx in try quiet.run(body, tx) }
    } catch {
      quiet.forget()
      throw error
    }
  }

  /// Writes as the synchronous `write(withoutNotifying:_:)`, without blocking the task's thread. It takes a transaction of
  /// its own, so that observations still see the writes of other tasks.
  ///
  /// ```swift
  /// try await store.write(withoutNotifying: [changes.token]) { tx in try tx.delete(id) }
  /// ```
  ///
  /// - Parameters:
  ///   - tokens: The observations to leave out.
  ///   - body: The changes, as the asynchronous `write` takes them.
  /// - Throws: as the asynchronous `write`.
  @discardableResult
  public func write<R: Sendable>(
    withoutNotifying tokens: [ObservationToken], _ body: @escaping @Sendable (WriteTransaction) throws -> R
  ) async throws -> R {
    let quiet = QuietWrite(tokens)
    return try await queuedWrite(aloneOnFailure: { quiet.forget() }) { tx in try quiet.run(body, tx) }
  }
}

/// A write that some observations leave out. The number of its commit is known once it has changed something.
private final class QuietWrite: Sendable {
  private let tokens: [ObservationToken]
  private let commit = Mutex<Int?>(nil)

  init(_ tokens: [ObservationToken]) { self.tokens = tokens }

  /// Runs `body`, again from the start if need be, and notes the commit.
  func run<R>(_ body: (WriteTransaction) throws -> R, _ tx: WriteTransaction) throws -> R {
    forget()
    let result = try body(tx)
    let session = try tx.session
    if !session.isUnchanged(since: 0) {
      let number = session.moment.commit
      commit.withLock { $0 = number }
      for token in tokens { token.leaveOut(number) }
    }
    return result
  }

  /// The write failed, so another commit gets the number.
  func forget() {
    guard let number = commit.withLock({ $0.take() }) else { return }
    for token in tokens { token.forget(number) }
  }
}
