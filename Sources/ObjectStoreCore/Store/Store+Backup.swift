internal import Storage

extension Store {
  /// Writes a copy of the store to a new folder, with the same objects in the least space. Others can read and write
  /// meanwhile; the copy does not contain commits made after this began.
  ///
  /// ```swift
  /// try store.backup(to: "/var/backups/quakes-2018-02-07")
  /// ```
  ///
  /// Takes time in proportion to the size of the store. The copy is checked before it appears, so that damage never
  /// replaces an older copy that is good.
  ///
  /// - Parameters:
  ///   - path: A folder that does not exist or is empty. The store appears in it only when the copy is complete and on
  ///     disk.
  ///   - overwrite: Whether an older copy in the folder is replaced, in one step. Nobody should have it open.
  ///   - verify: Whether to check the copy as `check()` does, which takes more than half of the time. Without it, what
  ///     is damaged in objects is copied too.
  ///   - cancellation: Cancels the backup; no part of the copy remains.
  /// - Throws: `StoreError`: `corrupted`, or `indexesDamaged`, when the store is damaged: there is no new copy then;
  ///   `io` when the folder is not empty or the disk is full, `permissionDenied`, `cancelled`.
  public func backup(
    to path: String, overwrite: Bool = false, verify: Bool = true, cancellation: Cancellation? = nil
  ) throws {
    try file.backup(to: path, replacing: overwrite, verify: verify, wait: cancellation.wait)
  }
}
