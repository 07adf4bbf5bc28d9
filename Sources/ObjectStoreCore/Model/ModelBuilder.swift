internal import Schema
internal import Storage

/// Collects the properties and indexes of a model while its `@Model` definition runs.
///
/// `Root` is constrained to models only where needed, since the runtime would look up the conformance when a model is
/// first used.
public struct ModelBuilder<Root> {
  var properties: [Property] = []
  var indexes: [Index] = []
  var embedded: [Entity] = []
  /// The defaults that are expressions, by the names of the properties.
  var made: [String: @Sendable () throws -> [StoredValue]] = [:]
  /// The encoded properties, by their dotted paths.
  var encoded: [String: EncodedProperty] = [:]
  /// The defaults of embedded structs.
  var innerMade: [PropertyPlace: MadeDefault] = [:]
  /// The models at the other end of links and inverses; they are not expanded here, as they may link back.
  var linked: [any Model.Type] = []
  var keyPaths = KeyPathTable()
  private var declared: [(IndexKind, [PartialKeyPath<Root>])] = []

  init() {}

  /// Adds the next stored property.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - keyPath: Its key path.
  ///   - optionalKeyPath: The key path through an optional, `\Location?.?.name`, for use in an optional struct.
  ///   - default: The value of objects that were stored before the property existed; nil without a declared default.
  ///   - member: The default, if it is a member of a type, such as `Status.open`. For an enum it is a constant; for
  ///     another type it is evaluated for each of those objects.
  ///   - made: The default, if it is an expression; evaluated for each of those objects.
  ///   - generated: The default, if it is an expression that the file can store, so that others generate it too.
  ///   - originalNames: The names it had before it was renamed, the latest first.
  ///   - kinds: The indexes over it as a point, which is a struct.
  ///   - deleteRule: The effect of deleting an object on the objects that the property links to.
  public mutating func property<Value: PropertyValue>(
    _ name: String, _ keyPath: KeyPath<Root, Value>, _ optionalKeyPath: @autoclosure @escaping () -> AnyKeyPath,
    default: Value? = nil, member: (@Sendable () -> Value)? = nil, made: (@Sendable () -> Value)? = nil,
    generated: GeneratedDefault? = nil, originalNames: [String] = [], points kinds: [IndexKind] = [],
    deleteRule: DeleteRule = .nullify
  ) {
    let shape = Value.propertyShape
    let literal = `default` ?? (shape.isEnumeration ? member?() : nil)
    properties.append(
      Property(
        name: name, type: shape.type, isOptional: shape.isOptional, defaultValue: literal?.schemaDefault,
        generatedDefault: generated, originalNames: originalNames, deleteRule: deleteRule))
    if let target = shape.linked { link(to: target) }
    if let make = made ?? (shape.isEnumeration ? nil : member) {
      self.made[name] = {
        var row = RowEncoder()
        make().encode(into: &row)
        guard row.newObjects.isEmpty else {
          throw StoreError.unsupported("the default of '\(name)' links to a new object: make it optional, or empty")
        }
        if let refusal = row.refusal { throw StoreError.unsupported("the default of '\(name)': \(refusal.reason)") }
        return row.row
      }
    }
    indexes += kinds.map { Index(kind: $0, paths: [name]) }
    // A model that contains itself is left out, so that opening the store can report where it is embedded.
    let inner = shape.model.flatMap { ThreadState.current.isDefining($0) ? nil : $0.modelDefinition }
    var isList = false
    if case .embeddedList = shape.type { isList = true }
    keyPaths.add(
      name, keyPath, through: optionalKeyPath, inner: isList ? nil : inner?.keyPaths, isOptional: shape.isOptional)
    guard let inner else { return }
    for model in inner.linked { link(to: model) }
    innerMade.merge(inner.made) { first, _ in first }
    for (column, property) in inner.encoded where inner.columns.indices.contains(column) {
      encoded["\(name).\(inner.columns[column].path)"] = property
    }
    for structure in [inner.entity] + inner.schema.embedded
    where !embedded.contains(where: { $0.name == structure.name }) {
      embedded.append(structure)
    }
  }

  /// Adds the next stored property, with indexes: its type is one that an index can be over.
  ///
  /// Its other parameters are those of a property without indexes; `indexes` are those over it alone.
  public mutating func property<Value: PropertyValue & IndexableValue>(
    _ name: String, _ keyPath: KeyPath<Root, Value>, _ optionalKeyPath: @autoclosure @escaping () -> AnyKeyPath,
    default: Value? = nil, member: (@Sendable () -> Value)? = nil, made: (@Sendable () -> Value)? = nil,
    generated: GeneratedDefault? = nil, originalNames: [String] = [], indexes kinds: [IndexKind],
    deleteRule: DeleteRule = .nullify
  ) {
    property(
      name, keyPath, optionalKeyPath(), default: `default`, member: member, made: made, generated: generated,
      originalNames: originalNames, points: kinds, deleteRule: deleteRule)
  }

  /// Refuses, while the program is compiled, an index over a type that none can be over: a struct or a collection.
  @available(
    *, unavailable,
    message: """
      an index is over single values: for a struct, leave the option out and write '#Unique' or '#Index' with a \
      property in it, as in '#Unique<Quake>([\\.place.code])'
      """
  )
  public mutating func property<Value: PropertyValue>(
    _ name: String, _ keyPath: KeyPath<Root, Value>, _ optionalKeyPath: @autoclosure @escaping () -> AnyKeyPath,
    default: Value? = nil, member: (@Sendable () -> Value)? = nil, made: (@Sendable () -> Value)? = nil,
    generated: GeneratedDefault? = nil, originalNames: [String] = [], indexes kinds: [IndexKind],
    deleteRule: DeleteRule = .nullify
  ) {}

  /// Adds the inverse of a to-many link: the objects that link here.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - keyPath: Its key path.
  ///   - source: The property by which objects link here.
  ///   - path: The dotted path of that property.
  ///   - deleteRule: The effect of deleting an object on the objects that link to it.
  public mutating func inverse<Source: Model>(
    _ name: String, _ keyPath: KeyPath<Root, LinkingObjects<Source>>, of source: KeyPath<Source, List<Root>>,
    path: String, deleteRule: DeleteRule = .nullify
  ) where Root: Model {
    inverse(name, keyPath, from: Source.self, path, deleteRule)
  }

  /// Adds the inverse of a to-one link: the objects that link here.
  public mutating func inverse<Source: Model>(
    _ name: String, _ keyPath: KeyPath<Root, LinkingObjects<Source>>, of source: KeyPath<Source, Link<Root>?>,
    path: String, deleteRule: DeleteRule = .nullify
  ) where Root: Model {
    inverse(name, keyPath, from: Source.self, path, deleteRule)
  }

  private mutating func inverse<Source: Model>(
    _ name: String, _ keyPath: AnyKeyPath, from source: Source.Type, _ path: String, _ deleteRule: DeleteRule
  ) {
    properties.append(
      Property(
        name: name, type: .linkingObjects(entity: Source.entityName, property: path), deleteRule: deleteRule))
    // Nothing can link to an embedded struct, so the property needs no key path through an optional.
    keyPaths.addInverse(name, keyPath)
    link(to: source)
  }

  private mutating func link(to model: any Model.Type) {
    if !linked.contains(where: { $0 == model }) { linked.append(model) }
  }

  /// Adds an index over the properties at the key paths, the most significant first.
  public mutating func index(_ kind: IndexKind, _ keyPaths: [PartialKeyPath<Root>]) {
    declared.append((kind, keyPaths))
  }

  /// Adds an index over properties of types that an index can be over, the most significant first.
  public mutating func index<each Value: IndexableValue>(
    _ kind: IndexKind, _ keyPaths: repeat KeyPath<Root, each Value>
  ) {
    var paths: [PartialKeyPath<Root>] = []
    for keyPath in repeat each keyPaths { paths.append(keyPath) }
    index(kind, paths)
  }

  /// Refuses, while the program is compiled, an index over a type that none can be over: a struct or a collection.
  @available(
    *, unavailable,
    message: """
      an index is over single values: of a struct, name a property in it, as in '#Unique<Quake>([\\.place.code])'
      """
  )
  public mutating func index(_ kind: IndexKind, _ keyPaths: PartialKeyPath<Root>...) {}

  /// All indexes, each once: those over one property first.
  var allIndexes: [Index] {
    var all: [Index] = []
    // A key path that is not in the table is replaced by a text that names no property, so that opening the store
    // reports it.
    let apart = declared.map { kind, paths in
      Index(kind: kind, paths: paths.map { keyPaths.path(of: $0) ?? "\($0)" })
    }
    for index in indexes + apart where !all.contains(index) { all.append(index) }
    return all
  }
}
