internal import Diagnostics
internal import PredicateLanguage
internal import QueryEngine
internal import Storage
internal import Synchronization

/// Cancels an operation from outside, on any thread, and reports what the operation waits for.
///
/// A query checks it at least once for every few thousand objects, elements or keys it processes, and throws
/// `QueryCancelled`; the parser checks it every 16 KiB of text. A statement that changes objects is then undone, unless
/// it is part of a transaction with other statements. Operations that wait for another writer, build an index, or check
/// or copy a store check it every few milliseconds and throw `StoreError.cancelled`. A commit that has started is not
/// cancelled.
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
  /// The caller's cancellation, if this one adds a time limit of the store to it.
  private let outer: Cancellation?
  /// The time limit of the store.
  private let limit: Duration?
  fileprivate let onWaiting: (@Sendable (WaitingWrite) -> Void)?
  /// Called for each check, for tests that measure how much is done between two.
  private let onCheck: (@Sendable () -> Bool)?

  /// Creates a cancellation that is triggered only by `cancel()`.
  ///
  /// - Parameter onWaiting: Called on the thread of a write that waits for another writer: half a second after the wait
  ///   began, and every half second from then on.
  public init(onWaiting: (@Sendable (WaitingWrite) -> Void)? = nil) {
    deadline = nil
    outer = nil
    limit = nil
    onCheck = nil
    self.onWaiting = onWaiting
  }

  /// Creates a cancellation that is triggered once `onCheck` returns true, which is called for each check.
  init(onCheck: @escaping @Sendable () -> Bool) {
    deadline = nil
    outer = nil
    limit = nil
    onWaiting = nil
    self.onCheck = onCheck
  }

  /// Creates a cancellation that is also triggered after `duration`.
  ///
  /// ```swift
  /// let limited = quakes.cancellable(by: Cancellation(after: .seconds(2)))
  /// let count = try limited.filter("place MATCHES '.*tai.*'").count
  /// ```
  ///
  /// - Parameters:
  ///   - duration: The time from now.
  ///   - onWaiting: As for `init(onWaiting:)`.
  public init(after duration: Duration, onWaiting: (@Sendable (WaitingWrite) -> Void)? = nil) {
    deadline = ContinuousClock.now + duration
    outer = nil
    limit = nil
    onCheck = nil
    self.onWaiting = onWaiting
  }

  /// A time limit of a store, which begins now, besides the caller's cancellation.
  init(limit: Duration, within outer: Cancellation?) {
    deadline = ContinuousClock.now + limit
    self.outer = outer
    self.limit = limit
    onWaiting = outer?.onWaiting
    onCheck = nil
  }

  /// Cancels all operations that use it, now and later.
  public func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Whether it was cancelled or its time has elapsed.
  public var isCancelled: Bool {
    if cancelled.load(ordering: .relaxed) || outer?.isCancelled == true { return true }
    if let deadline { return ContinuousClock.now >= deadline }
    return onCheck?() ?? false
  }

  /// Whether it was cancelled, as a function.
  var poll: @Sendable () -> Bool { { self.isCancelled } }

  /// Whether the caller no longer waits. Throws if a time limit of the store has elapsed.
  func ends() throws(StoreError) -> Bool {
    guard isCancelled else { return false }
    if let limit, outer?.isCancelled != true, !cancelled.load(ordering: .relaxed) {
      throw .limitExceeded(LimitExceeded(.time, limit.wholeMilliseconds, of: "the query"))
    }
    return true
  }

  /// Throws if the caller no longer waits or a time limit has elapsed.
  func check() throws { if try ends() { throw QueryCancelled() } }

  /// Runs `body`, whose parts may report the end of a time limit as a cancellation.
  func naming<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch  where error is QueryCancelled || error as? StoreError == .cancelled {
      _ = try ends()
      throw error
    }
  }
}

extension Cancellation? {
  /// Parses a text, and throws as `Cancellation.check` does once the caller no longer waits.
  func parsing<Tree>(_ parse: (ParseInterruption?) throws(DiagnosticError) -> Tree) throws -> Tree {
    guard let cancellation = self else { return try parse(nil) }
    let interruption = ParseInterruption { try cancellation.ends() }
    do { return try parse(interruption) } catch {
      if interruption.isInterrupted { throw interruption.reason ?? QueryCancelled() }
      throw error
    }
  }
}

/// A write that waits for another writer.
public struct WaitingWrite: Hashable, Sendable {
  /// The current writer; nil when it is not known.
  public var writer: StoreWriter?
  /// The duration of the wait so far.
  public var duration: Duration
}

extension Cancellation? {
  /// The wait settings for `Storage`.
  var wait: WriteWait {
    guard let cancellation = self else { return WriteWait() }
    var wait = WriteWait(isCancelled: { cancellation.isCancelled })
    if let onWaiting = cancellation.onWaiting {
      wait.report = { writer, duration in onWaiting(WaitingWrite(writer: writer, duration: duration)) }
    }
    return wait
  }
}

extension Duration {
  /// The duration in milliseconds, rounded down; at most `Int.max`.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (milliseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
    let (sum, exceeds) = milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return overflows || exceeds ? .max : Int(clamping: sum)
  }
}
