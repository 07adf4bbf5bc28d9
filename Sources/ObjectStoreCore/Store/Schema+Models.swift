public import Schema
internal import Storage

extension SchemaDeclaration {
  /// The declaration of the given models, with the structs they embed and all models they link to, directly or not, and
  /// a note for each part that has no effect.
  static func declaring(
    _ models: [any Model.Type], removing: [String] = [], keeping: [String] = []
  ) throws -> (declaration: SchemaDeclaration, notes: [String]) {
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
    let (buildable, notes) = try schema.usable
    let made = definitions.reduce(into: [:]) { made, definition in made.merge(definition.made) { first, _ in first } }
    return (SchemaDeclaration(buildable, removing: removing, keeping: keeping, made: made), notes)
  }
}

extension Schema {
  /// The schema without the indexes that have no effect, and a note for each of those; throws when the rest is invalid.
  var usable: (schema: Schema, notes: [String]) {
    get throws(StoreError) {
      let (schema, notes) = buildable
      let errors = schema.validate().filter { $0.severity == .error }
      guard errors.isEmpty else {
        throw .unsupported("the schema can't be used: " + errors.map(\.message).joined(separator: "; "))
      }
      return (schema, notes)
    }
  }

  /// A sentence for each part that has no effect: indexes of kinds that this version does not build.
  public var notes: [String] { buildable.notes }

  /// The schema without the indexes that this version does not build, and a note for each of those.
  var buildable: (schema: Schema, notes: [String]) {
    var schema = self
    var notes: [String] = []
    for place in schema.entities.indices {
      let name = schema.entities[place].name
      let columns = schema.columns(of: schema.entities[place])
      schema.entities[place].indexes.removeAll { index in
        guard let instead = index.kind.unbuilt else { return false }
        if let problem = index.problem(in: columns) {
          notes.append("\(name).\(index.name): this '.\(index.kind.rawValue)' has no effect: \(problem)")
          return true
        }
        notes.append(
          "\(name).\(index.name): there are no '.\(index.kind.rawValue)' indexes yet; \(instead)")
        return true
      }
    }
    return (schema, notes)
  }
}

extension Index {
  /// The reason the columns don't suit an index of a kind that this version does not build.
  fileprivate func problem(in columns: [Column]) -> String? {
    func has(_ path: String, _ type: ScalarType) -> Bool {
      columns.contains { $0.path == path && $0.kind == .scalar(type) }
    }
    guard paths.count == 1, let path = paths.first else { return "it is over one property" }
    if kind.isOverPoint {
      let isPoint = ["longitude", "latitude"].allSatisfy { has("\(path).\($0)", .double) }
      return isPoint ? nil : "it is over a struct with the Doubles 'longitude' and 'latitude', which '\(path)' is not"
    }
    return has(path, .string) ? nil : "it is over text, which '\(path)' is not"
  }
}
