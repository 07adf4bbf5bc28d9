/// How a store is opened.
package enum OpenMode: Hashable, Sendable {
  /// The store must exist, and is not written to.
  case readOnly
  /// It must be there.
  case readWrite
  /// The store is created if it does not exist.
  case create
}
