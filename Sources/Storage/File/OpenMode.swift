/// How a store is opened.
package enum OpenMode: Hashable, Sendable {
  /// It must be there, and nothing may be written to it.
  case readOnly
  /// It must be there.
  case readWrite
  /// It is made if it is not there.
  case create
}
