internal import Storage

/// How a store is opened when the folder may or may not be there.
public enum OpenMode: String, Hashable, Sendable {
  /// It must be there; it may be written.
  case existing
  /// It is made when it is not there.
  case createIfMissing
  /// It must be there and is never written, not even by opening it.
  case readOnly

  var storageMode: Storage.OpenMode {
    switch self {
    case .existing: .existing
    case .createIfMissing: .createIfMissing
    case .readOnly: .readOnly
    }
  }
}
