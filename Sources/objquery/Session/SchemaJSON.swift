import ObjectStoreCore

/// A schema as JSON, for programs.
enum SchemaJSON {
  /// `{"entities": […], "embedded": […]}`, without a final line break.
  static func text(_ schema: Schema) -> String {
    let value = Value.embedded([
      field("entities", .list(schema.entities.map(entity))),
      field("embedded", .list(schema.embedded.map(entity))),
    ])
    return ValueText.json(value)
  }

  private static func entity(_ entity: Entity) -> Value {
    .embedded([
      field("name", .string(entity.name)),
      field("properties", .list(entity.properties.map(property))),
      field(
        "indexes",
        .list(
          entity.indexes.map { index in
            .embedded([
              field("kind", .string(index.kind.rawValue)), field("paths", .list(index.paths.map { .string($0) })),
            ])
          })),
    ])
  }

  private static func property(_ property: Property) -> Value {
    var fields = [
      field("name", .string(property.name)), field("type", .string(property.type.swiftName)),
      field("optional", .bool(property.isOptional)),
    ]
    if let value = property.defaultValue { fields.append(field("default", value)) }
    if let generated = property.generatedDefault { fields.append(field("generated", .string(generated.text))) }
    if !property.originalNames.isEmpty {
      fields.append(field("originalNames", .list(property.originalNames.map { .string($0) })))
    }
    return .embedded(fields)
  }

  private static func field(_ name: String, _ value: Value) -> EmbeddedField { EmbeddedField(name: name, value: value) }
}

extension PropertyType {
  /// The type as Swift writes it, without the question mark of an optional.
  var swiftName: String {
    switch self {
    case .scalar(let type): type.rawValue
    case .embedded(let name): name
    case .array(let type): "[\(type.rawValue)]"
    case .set(let type): "Set<\(type.rawValue)>"
    case .dictionary(let type): "[String: \(type.rawValue)]"
    case .embeddedList(let name): "[\(name)]"
    case .link(let name): "Link<\(name)>"
    case .list(let name): "List<\(name)>"
    case .linkingObjects(let name, _): "LinkingObjects<\(name)>"
    }
  }
}
