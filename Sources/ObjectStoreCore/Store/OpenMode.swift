internal import Storage

/// How a store is opened: whether writing is allowed, and whether a missing store is created.
///
/// ```swift
/// let store = try Store(path, models: Quake.self, mode: .readOnly)
/// ```
public enum OpenMode: String, Hashable, Sendable, CaseIterable {
  /// It must be there and is never written, not even by opening it.
  case readOnly
  /// It must be there; it may be written.
  case readWrite
  /// Creates the store if it does not exist; allows writing.
  case create

  var storageMode: Storage.OpenMode {
    switch self {
    case .readOnly: .readOnly
    case .readWrite: .readWrite
    case .create: .create
    }
  }
}
