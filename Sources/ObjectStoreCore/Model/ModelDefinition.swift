internal import Schema
internal import Storage

/// The description of a model for the store: its entity, its embedded structs, and the path of every key path.
///
/// It does not depend on a file; `ModelLayout` relates it to one.
public final class ModelDefinition: Sendable {
  /// The entity, or embedded struct, as declared.
  public let entity: Entity
  /// The entity with all directly and indirectly embedded structs.
  public let schema: Schema
  /// The leaf columns, in the order values of the model write themselves.
  public let columns: [Column]

  /// Whether the model is only embedded and has no objects of its own.
  public let isEmbedded: Bool

  let keyPaths: KeyPathTable
  /// The defaults that are expressions, including those of embedded structs.
  let made: [PropertyPlace: MadeDefault]
  /// The encoded columns, by position.
  let encoded: [Int: EncodedProperty]
  /// The models at the other end of links and inverses, including those of embedded structs.
  let linked: [any Model.Type]

  /// Creates the definition of a model. For the code that `@Model` generates.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - name: The entity's name.
  ///   - isEmbedded: Whether the model is only embedded.
  ///   - originalNames: The names that the entity had before it was renamed, the latest first.
  ///   - build: Adds its stored properties in declaration order, and the indexes that are declared apart.
  public init<Root: Model>(
    of model: Root.Type, name: String, isEmbedded: Bool = false, originalNames: [String] = [],
    _ build: (inout ModelBuilder<Root>) -> Void
  ) {
    self.isEmbedded = isEmbedded
    let builder = ThreadState.current.defining(model) {
      var builder = ModelBuilder<Root>()
      build(&builder)
      return builder
    }
    entity = Entity(
      name: name, properties: builder.properties, indexes: builder.allIndexes, originalNames: originalNames)
    schema = Schema(entities: [entity], embedded: builder.embedded)
    columns = schema.columns(of: entity)
    keyPaths = builder.keyPaths
    var made = builder.innerMade
    for (property, make) in builder.made {
      let own = columns.lazy.map(\.path).filter { $0 == property || $0.hasPrefix(property + ".") }
      made[PropertyPlace(structure: name, property: property)] =
        MadeDefault(columns: own.map { String($0.dropFirst(property.count)) }, make: make)
    }
    self.made = made
    linked = builder.linked
    var encoded: [Int: EncodedProperty] = [:]
    for (position, column) in columns.enumerated() { encoded[position] = builder.encoded[column.path] }
    self.encoded = encoded
  }

  /// The dotted path of a key path, `location.name` for `\Quake.location.name`; nil for a computed property.
  public func path(of keyPath: AnyKeyPath) -> String? { keyPaths.path(of: keyPath) }
}
