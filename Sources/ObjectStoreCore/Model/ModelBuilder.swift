/// Collects the properties and indexes of a model while `@Model`'s definition of it runs.
public struct ModelBuilder<Root: Model> {
  var properties: [Property] = []
  var indexes: [Index] = []
  var embedded: [Entity] = []
  var keyPaths = KeyPathTable()
  private var declared: [(IndexKind, [PartialKeyPath<Root>])] = []

  init() {}

  /// Adds the next stored property.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - keyPath: Its key path.
  ///   - optionalKeyPath: The same through an optional, `\Location?.?.name`: how it is reached in an optional struct.
  ///   - default: What objects have that were stored before it existed; nil when none was declared.
  ///   - originalName: The name it had before it was renamed.
  ///   - indexes: The indexes over it alone.
  public mutating func property<Value: PropertyValue>(
    _ name: String, _ keyPath: KeyPath<Root, Value>, _ optionalKeyPath: AnyKeyPath, default: Value? = nil,
    originalName: String? = nil, indexes kinds: [IndexKind] = []
  ) {
    let shape = Value.propertyShape
    properties.append(
      Property(
        name: name, type: shape.type, isOptional: shape.isOptional, defaultValue: `default`?.schemaDefault,
        originalName: originalName))
    indexes += kinds.map { Index(kind: $0, paths: [name]) }
    let inner = shape.model?.modelDefinition
    keyPaths.add(
      name, keyPath, through: optionalKeyPath, inner: inner?.keyPaths, isOptional: shape.isOptional)
    guard let inner else { return }
    for structure in [inner.entity] + inner.schema.embedded
    where !embedded.contains(where: { $0.name == structure.name }) {
      embedded.append(structure)
    }
  }

  /// Adds an index over the properties at the key paths, the most significant first.
  public mutating func index(_ kind: IndexKind, _ keyPaths: [PartialKeyPath<Root>]) {
    declared.append((kind, keyPaths))
  }

  /// All indexes, each once: those over one property first.
  var allIndexes: [Index] {
    var all: [Index] = []
    // A key path the table lacks is kept as text that names no property, so that opening the store says which.
    let apart = declared.map { kind, paths in
      Index(kind: kind, paths: paths.map { keyPaths.path(of: $0) ?? "\($0)" })
    }
    for index in indexes + apart where !all.contains(index) { all.append(index) }
    return all
  }
}
