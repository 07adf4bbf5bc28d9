internal import Dispatch
internal import Storage

/// What `Store.compact()` did.
public struct Compaction: Hashable, Sendable {
  /// The size of the data file before, in bytes.
  public var bytesBefore: Int
  /// The size of the data file afterwards, in bytes.
  public var bytesAfter: Int

  /// A compaction of the given figures.
  public init(bytesBefore: Int, bytesAfter: Int) {
    self.bytesBefore = bytesBefore
    self.bytesAfter = bytesAfter
  }
}

extension Store {
  /// Makes the data file as small as its objects allow: writes a copy without free room beside it, and puts the copy in
  /// its place.
  ///
  /// ```swift
  /// let compaction = try store.compact()
  /// print("\(compaction.bytesBefore - compaction.bytesAfter) bytes are free again")
  /// ```
  ///
  /// Nobody has to close the store. Reads and observers go on, in all processes; one that began before keeps the old
  /// file until it ends, and the disk has room for both until then. Writers wait. First the store is checked, like
  /// `check()`; then, while writers wait, it is copied. Whatever ends the process, the store is the old or the new
  /// file, whole.
  ///
  /// Space that was freed is used again by later writes, so this is worth while only after much was deleted for good.
  /// It takes time in proportion to the size of the store.
  ///
  /// - Parameter cancellation: Cancels it, as long as the copy is not in its place; the store is then as it was.
  /// - Throws: `StoreError`: `corrupted` or `indexesDamaged` with what is damaged, and the store stays as it is; `full`
  ///   when there is no room for the copy; `busy`, `cancelled`, `readOnly`, `nestedWrite`; `permissionDenied` when the
  ///   copy can't have the same owner; `unsupported` for a store in memory.
  @discardableResult
  public func compact(cancellation: Cancellation? = nil) throws -> Compaction {
    let sizes = try file.compact(timeout: busyTimeout, wait: cancellation.wait)
    return Compaction(bytesBefore: sizes.before, bytesAfter: sizes.after)
  }

  /// Makes the data file as small as its objects allow, on another thread: the task waits without blocking its thread.
  ///
  /// ```swift
  /// try await store.compact()
  /// ```
  ///
  /// - Throws: The errors of the synchronous form; `CancellationError` when the task was cancelled, and the store is
  ///   then as it was.
  @discardableResult
  public func compact() async throws -> Compaction {
    try Task.checkCancellation()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      do {
        return try await withCheckedThrowingContinuation { continuation in
          DispatchQueue.global().async {
            continuation.resume(with: Result { try self.compact(cancellation: cancellation) })
          }
        }
      } catch StoreError.cancelled { throw CancellationError() }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
