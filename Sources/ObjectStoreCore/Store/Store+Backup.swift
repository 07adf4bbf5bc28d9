internal import Storage

extension Store {
  /// Writes a copy of the store to a new folder, with the same objects in the least space. Others can read and write
  /// meanwhile; the copy does not contain commits made after this began.
  ///
  /// ```swift
  /// try store.backup(to: "/var/backups/quakes-2018-02-07")
  /// ```
  ///
  /// Takes time in proportion to the size of the store.
  ///
  /// - Parameters:
  ///   - path: A folder that does not exist or is empty. The store appears in it only when the copy is complete and on
  ///     disk.
  ///   - cancellation: Cancels the backup; no part of the copy remains.
  /// - Throws: `StoreError`: `io` when the folder is not empty, `full`, `permissionDenied`, `cancelled`.
  public func backup(to path: String, cancellation: Cancellation? = nil) throws {
    try file.backup(to: path, wait: cancellation.wait)
  }
}
