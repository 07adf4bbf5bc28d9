/// The dotted path of every key path to a stored property of a model, those within embedded structs included.
///
/// Key paths have no text on Linux, so the table is made from the key paths that `@Model` writes. It is filled once
/// and then only read; key paths are unchanging, which is why it may be shared.
struct KeyPathTable: @unchecked Sendable {
  private var paths: [(keyPath: AnyKeyPath, path: String)] = []
  /// The properties of the model itself through an optional of it, `\Location?.?.name`. Such a key path is made where an
  /// optional struct has the model, and not for every model when it is first used.
  private var throughOptional: [(keyPath: () -> AnyKeyPath, path: String)] = []
  /// The properties whose values are kept encoded, so that no query leads to them or into them.
  private var encoded: [AnyKeyPath] = []
  /// The model's own properties that are stored, in declaration order.
  private(set) var stored: [(name: String, keyPath: AnyKeyPath)] = []

  /// The dotted path of a key path.
  ///
  /// A model has few, and one that is written in one place of a program is one object: that is compared first.
  func path(of keyPath: AnyKeyPath) -> String? {
    (paths.first { $0.keyPath === keyPath } ?? paths.first { $0.keyPath == keyPath })?.path
  }

  /// The values of a model's properties, inverses and those within embedded structs included.
  func values<Object>(of object: Object) -> some Sequence<Any> {
    paths.lazy.compactMap { object[keyPath: $0.keyPath] }
  }

  /// Whether a key path leads to a property whose values are kept encoded.
  func isEncoded(_ keyPath: AnyKeyPath) -> Bool { encoded.contains(keyPath) }

  /// Adds a property whose values are kept encoded.
  mutating func addEncoded(_ name: String, _ keyPath: AnyKeyPath) {
    encoded.append(keyPath)
    stored.append((name, keyPath))
  }

  /// Adds an inverse, which is not stored.
  mutating func addInverse(_ name: String, _ keyPath: AnyKeyPath) { paths.append((keyPath, name)) }

  /// Adds a property and, for an embedded struct, everything in it.
  ///
  /// What is reached through two optional structs, or through a struct in an optional one, has no key path here:
  /// those can't be composed.
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
