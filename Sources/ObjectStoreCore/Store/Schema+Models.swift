internal import Schema

extension Schema {
  /// The schema of some models, with the structs they embed and the models they link to, however far.
  static func declaring(_ models: [any Model.Type]) throws -> Schema {
    var definitions: [ModelDefinition] = []
    var waiting = models[...]
    while let model = waiting.popFirst() {
      let definition = model.modelDefinition
      if definitions.contains(where: { $0 === definition }) { continue }
      definitions.append(definition)
      waiting += definition.linked
    }
    for definition in definitions where definition.isEmbedded {
      throw StoreError.unsupported(
        "\(definition.entity.name) is declared '@Model(.embedded)': its values are part of other objects")
    }
    var schema = Schema(entities: [])
    for definition in definitions where !schema.entities.contains(definition.entity) {
      schema.entities.append(definition.entity)
    }
    for structure in definitions.flatMap(\.schema.embedded)
    where !schema.entities.contains(structure) && !schema.embedded.contains(structure) {
      schema.embedded.append(structure)
    }
    return try schema.validated()
  }

  /// Itself, when nothing is wrong with it.
  func validated() throws(StoreError) -> Schema {
    let errors = validate().filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw .unsupported("the schema can't be used: " + errors.map(\.message).joined(separator: "; "))
    }
    return self
  }
}
