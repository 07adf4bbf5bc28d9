internal import Storage

/// How a store is opened: whether it may be written, and what happens when the folder has none.
public enum OpenMode: String, Hashable, Sendable, CaseIterable {
  /// It must be there and is never written, not even by opening it.
  case readOnly
  /// It must be there; it may be written.
  case readWrite
  /// It is made when it is not there; it may be written.
  case create

  var storageMode: Storage.OpenMode {
    switch self {
    case .readOnly: .readOnly
    case .readWrite: .readWrite
    case .create: .create
    }
  }
}
