internal import Synchronization

/// A way to stop a running query from outside: handed to it, and told from any thread.
///
/// A query looks at it at least once for every few thousand objects, elements or keys it goes through, whatever it does
/// with them, and then throws `QueryCancelled`. A statement that changes objects, and is not one of several of a
/// transaction, is undone then.
/// It does not stop a commit that is under way.
public final class Cancellation: Sendable {
  private let cancelled = Atomic(false)
  private let deadline: ContinuousClock.Instant?

  /// One that is told by `cancel()` only.
  public init() { deadline = nil }

  /// One that also tells itself, `duration` from now.
  public init(after duration: Duration) { deadline = ContinuousClock.now + duration }

  /// Stops whatever it was handed to, now and later.
  public func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Whether it was told, or its time is over.
  public var isCancelled: Bool {
    if cancelled.load(ordering: .relaxed) { return true }
    if let deadline { return ContinuousClock.now >= deadline }
    return false
  }
}
