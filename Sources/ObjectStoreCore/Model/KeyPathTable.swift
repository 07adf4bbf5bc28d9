/// The dotted path of every key path to a stored property of a model, including those within embedded structs.
///
/// Key paths have no text on Linux, so the table is made from the key paths that `@Model` generates. It is filled once
/// and then only read; key paths are immutable, so it may be shared.
struct KeyPathTable: @unchecked Sendable {
  private var paths: [(keyPath: AnyKeyPath, path: String)] = []
  /// The model's properties as members of an optional, `\Location?.?.name`. These key paths are made only if an
  /// optional struct has the type of the model.
  private var throughOptional: [(keyPath: () -> AnyKeyPath, path: String)] = []
  /// The properties with encoded values, which queries cannot use.
  private var encoded: [AnyKeyPath] = []
  /// The model's own properties that are stored, in declaration order.
  private(set) var stored: [(name: String, keyPath: AnyKeyPath)] = []

  /// The dotted path of a key path.
  ///
  /// A key path that is written in one place of a program is a single object, so identity is compared first.
  func path(of keyPath: AnyKeyPath) -> String? {
    (paths.first { $0.keyPath === keyPath } ?? paths.first { $0.keyPath == keyPath })?.path
  }

  /// The values of a model's properties, including inverses and those within embedded structs.
  func values<Object>(of object: Object) -> some Sequence<Any> {
    paths.lazy.compactMap { object[keyPath: $0.keyPath] }
  }

  /// Whether a key path leads to a property with encoded values.
  func isEncoded(_ keyPath: AnyKeyPath) -> Bool { encoded.contains(keyPath) }

  /// Adds a property with encoded values.
  mutating func addEncoded(_ name: String, _ keyPath: AnyKeyPath) {
    encoded.append(keyPath)
    stored.append((name, keyPath))
  }

  /// Adds an inverse, which is not stored.
  mutating func addInverse(_ name: String, _ keyPath: AnyKeyPath) { paths.append((keyPath, name)) }

  /// Adds a property and, for an embedded struct, everything in it.
  ///
  /// Properties behind two optional structs, or behind a struct in an optional one, have no key path here, because such
  /// key paths cannot be composed.
  mutating func add(
    _ name: String, _ keyPath: AnyKeyPath, through optionalKeyPath: @escaping () -> AnyKeyPath, inner: KeyPathTable?,
    isOptional: Bool
  ) {
    paths.append((keyPath, name))
    stored.append((name, keyPath))
    throughOptional.append((optionalKeyPath, name))
    guard let inner else { return }
    if isOptional {
      for below in inner.throughOptional { add(name, keyPath, below.keyPath(), below.path) }
    } else {
      for below in inner.paths { add(name, keyPath, below.keyPath, below.path) }
    }
  }

  private mutating func add(_ name: String, _ keyPath: AnyKeyPath, _ below: AnyKeyPath, _ path: String) {
    if let whole = keyPath.appending(path: below) { paths.append((whole, "\(name).\(path)")) }
  }
}
