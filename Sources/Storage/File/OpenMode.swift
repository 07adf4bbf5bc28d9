/// How a store is opened.
package enum OpenMode: Hashable, Sendable {
  /// It must be there.
  case existing
  /// It is made if it is not there.
  case createIfMissing
  /// It must be there, and nothing may be written to it.
  case readOnly
}
