internal import Foundation

/// A way to stop a running query from outside: handed to it, and told from any thread.
///
/// A query looks at it once for each cluster of 256 objects and then throws `QueryCancelled`.
/// It does not stop a commit that is under way.
public final class Cancellation: @unchecked Sendable {
  private let lock = NSLock()
  private var cancelled = false
  private let deadline: ContinuousClock.Instant?

  /// One that is told by `cancel()` only.
  public init() { deadline = nil }

  /// One that also tells itself, `duration` from now.
  public init(after duration: Duration) { deadline = ContinuousClock.now + duration }

  /// Stops whatever it was handed to, now and later.
  public func cancel() { lock.withLock { cancelled = true } }

  /// Whether it was told, or its time is over.
  public var isCancelled: Bool {
    if lock.withLock({ cancelled }) { return true }
    if let deadline { return ContinuousClock.now >= deadline }
    return false
  }
}
