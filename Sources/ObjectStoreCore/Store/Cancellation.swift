internal import Storage
internal import Synchronization

/// A way to stop what is running from outside, and to hear what it waits for: handed to it, and told from any thread.
///
/// A query looks at it at least once for every few thousand objects, elements or keys it goes through, whatever it does
/// with them, and then throws `QueryCancelled`. A statement that changes objects, and is not one of several of a
/// transaction, is undone then. What waits for another writer, builds an index, checks or copies a store looks at it
/// every few milliseconds and throws `StoreError.cancelled`.
/// It does not stop a commit that is under way.
///
/// ```swift
/// let cancellation = Cancellation(onWaiting: { wait in
///   print("waiting for \(wait.writer?.description ?? "another writer")")
/// })
/// try store.write(cancellation: cancellation) { tx in try tx.add(quake) }
/// ```
public final class Cancellation: Sendable {
  private let cancelled = Atomic(false)
  private let deadline: ContinuousClock.Instant?
  fileprivate let onWaiting: (@Sendable (WaitingWrite) -> Void)?

  /// One that is told by `cancel()` only.
  ///
  /// - Parameter onWaiting: Called on the thread of a write that waits for another writer: half a second after the wait
  ///   began, and every half second from then on.
  public init(onWaiting: (@Sendable (WaitingWrite) -> Void)? = nil) {
    deadline = nil
    self.onWaiting = onWaiting
  }

  /// One that also tells itself, `duration` from now.
  public init(after duration: Duration, onWaiting: (@Sendable (WaitingWrite) -> Void)? = nil) {
    deadline = ContinuousClock.now + duration
    self.onWaiting = onWaiting
  }

  /// Stops whatever it was handed to, now and later.
  public func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Whether it was told, or its time is over.
  public var isCancelled: Bool {
    if cancelled.load(ordering: .relaxed) { return true }
    if let deadline { return ContinuousClock.now >= deadline }
    return false
  }
}

/// A write that waits for another writer.
public struct WaitingWrite: Hashable, Sendable {
  /// Who writes meanwhile; nil when that is not known.
  public var writer: StoreWriter?
  /// How long the wait has lasted.
  public var duration: Duration
}

extension Cancellation? {
  /// The same for the layer below.
  var wait: WriteWait {
    guard let cancellation = self else { return WriteWait() }
    var wait = WriteWait(isCancelled: { cancellation.isCancelled })
    if let onWaiting = cancellation.onWaiting {
      wait.report = { writer, duration in onWaiting(WaitingWrite(writer: writer, duration: duration)) }
    }
    return wait
  }
}
