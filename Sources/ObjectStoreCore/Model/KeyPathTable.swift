/// The dotted path of every key path to a stored property of a model, those within embedded structs included.
///
/// Key paths have no text on Linux, so the table is made from the key paths that `@Model` writes. It is filled once
/// and then only read; key paths are unchanging, which is why it may be shared.
struct KeyPathTable: @unchecked Sendable {
  private var paths: [AnyKeyPath: String] = [:]
  /// The same through an optional of the model: `\Location?.?.name`.
  private var throughOptional: [AnyKeyPath: String] = [:]
  /// The properties whose values are kept encoded, so that no query leads to them or into them.
  private var encoded: Set<AnyKeyPath> = []
  /// The model's own properties that are stored, in declaration order.
  private(set) var stored: [(name: String, keyPath: AnyKeyPath)] = []

  /// The dotted path of a key path.
  func path(of keyPath: AnyKeyPath) -> String? { paths[keyPath] }

  /// Whether a key path leads to a property whose values are kept encoded.
  func isEncoded(_ keyPath: AnyKeyPath) -> Bool { encoded.contains(keyPath) }

  /// Adds a property whose values are kept encoded.
  mutating func addEncoded(_ name: String, _ keyPath: AnyKeyPath) {
    encoded.insert(keyPath)
    stored.append((name, keyPath))
  }

  /// Adds an inverse, which is not stored.
  mutating func addInverse(_ name: String, _ keyPath: AnyKeyPath) { paths[keyPath] = name }

  /// Adds a property and, for an embedded struct, everything in it.
  ///
  /// What is reached through two optional structs, or through a struct in an optional one, has no key path here:
  /// those can't be composed.
  mutating func add(
    _ name: String, _ keyPath: AnyKeyPath, through optionalKeyPath: AnyKeyPath, inner: KeyPathTable?, isOptional: Bool
  ) {
    paths[keyPath] = name
    stored.append((name, keyPath))
    throughOptional[optionalKeyPath] = name
    guard let inner else { return }
    for (below, path) in isOptional ? inner.throughOptional : inner.paths {
      if let whole = keyPath.appending(path: below) { paths[whole] = "\(name).\(path)" }
    }
  }
}
