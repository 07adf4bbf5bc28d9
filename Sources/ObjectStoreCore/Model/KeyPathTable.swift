/// The dotted path of every key path to a stored property of a model, those within embedded structs included.
///
/// Key paths have no text on Linux, so the table is made from the key paths that `@Model` writes. It is filled once
/// and then only read; key paths are unchanging, which is why it may be shared.
struct KeyPathTable: @unchecked Sendable {
  private var paths: [AnyKeyPath: String] = [:]
  /// The same through an optional of the model: `\Location?.?.name`.
  private var throughOptional: [AnyKeyPath: String] = [:]

  /// The dotted path of a key path.
  func path(of keyPath: AnyKeyPath) -> String? { paths[keyPath] }

  /// Adds a property and, for an embedded struct, everything in it.
  ///
  /// What is reached through two optional structs, or through a struct in an optional one, has no key path here:
  /// those can't be composed.
  mutating func add(
    _ name: String, _ keyPath: AnyKeyPath, through optionalKeyPath: AnyKeyPath, inner: KeyPathTable?, isOptional: Bool
  ) {
    paths[keyPath] = name
    throughOptional[optionalKeyPath] = name
    guard let inner else { return }
    for (below, path) in isOptional ? inner.throughOptional : inner.paths {
      if let whole = keyPath.appending(path: below) { paths[whole] = "\(name).\(path)" }
    }
  }
}
