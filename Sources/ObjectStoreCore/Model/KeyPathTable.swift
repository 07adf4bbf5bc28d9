/// The dotted path of every key path to a stored property of a model, those within embedded structs included.
///
/// Key paths have no text on Linux, so the table is made from the key paths that `@Model` writes. It is filled once
/// and then only read; key paths are unchanging, which is why it may be shared.
struct KeyPathTable: @unchecked Sendable {
  private var paths: [(keyPath: AnyKeyPath, path: String)] = []
  /// The properties of the model itself through an optional of it, `\Location?.?.name`. Such a key path is made where an
  /// optional struct has the model, and not for every model when it is first used.
  private var throughOptional: [(keyPath: () -> AnyKeyPath, path: String)] = []

  /// The dotted path of a key path.
  ///
  /// A model has few, and one that is written in one place of a program is one object: that is compared first.
  func path(of keyPath: AnyKeyPath) -> String? {
    (paths.first { $0.keyPath === keyPath } ?? paths.first { $0.keyPath == keyPath })?.path
  }

  /// Adds a property and, for an embedded struct, everything in it.
  ///
  /// What is reached through two optional structs, or through a struct in an optional one, has no key path here:
  /// those can't be composed.
  mutating func add(
    _ name: String, _ keyPath: AnyKeyPath, through optionalKeyPath: @escaping () -> AnyKeyPath, inner: KeyPathTable?,
    isOptional: Bool
  ) {
    paths.append((keyPath, name))
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
