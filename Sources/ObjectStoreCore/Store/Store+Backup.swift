internal import Storage

extension Store {
  /// Writes the store as it is now to a new one, which holds the same objects in the least room. Others go on reading and
  /// writing meanwhile, and what they commit after this began is not in it.
  ///
  /// ```swift
  /// try store.backup(to: "/var/backups/quakes-2018-02-07")
  /// ```
  ///
  /// Takes time in proportion to the size of the store.
  ///
  /// - Parameters:
  ///   - path: A folder that is not there, or empty. It is there when the copy is whole and on disk, not before.
  ///   - cancellation: Stops it from outside; nothing is left of the copy then.
  /// - Throws: `StoreError`: `io` when something is there already, `full`, `permissionDenied`, `cancelled`.
  public func backup(to path: String, cancellation: Cancellation? = nil) throws {
    try file.backup(to: path, wait: cancellation.wait)
  }
}
