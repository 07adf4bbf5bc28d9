public import Schema
internal import Storage

extension SchemaDeclaration {
  /// What some models declare, with the structs they embed and the models they link to, however far; and a note for
  /// whatever has no effect.
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
    let (buildable, notes) = try schema.validated().buildable
    let made = definitions.reduce(into: [:]) { made, definition in made.merge(definition.made) { first, _ in first } }
    return (SchemaDeclaration(buildable, removing: removing, keeping: keeping, made: made), notes)
  }
}

extension Schema {
  /// Itself, when nothing is wrong with it.
  func validated() throws(StoreError) -> Schema {
    let errors = validate().filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw .unsupported("the schema can't be used: " + errors.map(\.message).joined(separator: "; "))
    }
    return self
  }

  /// What of it has no effect, a sentence each: indexes of kinds that this version does not build.
  public var notes: [String] { buildable.notes }

  /// Itself without the indexes that this version does not build, and a note for each of those.
  var buildable: (schema: Schema, notes: [String]) {
    var schema = self
    var notes: [String] = []
    for place in schema.entities.indices {
      let name = schema.entities[place].name
      schema.entities[place].indexes.removeAll { index in
        guard let questions = index.kind.unbuiltQuestions else { return false }
        notes.append(
          "\(name).\(index.name): there are no '.\(index.kind.rawValue)' indexes yet; \(questions)")
        return true
      }
    }
    return (schema, notes)
  }
}

extension IndexKind {
  /// What happens to the questions that an index of a kind would answer which this version does not build; nil of the
  /// others.
  fileprivate var unbuiltQuestions: String? {
    switch self {
    case .ordered, .unique, .folded, .trigram, .inverse: nil
    case .fullText: "TEXT is refused, CONTAINS searches every text (a '.trigram' index makes that fast)"
    case .geo: "geoWithin looks at every object"
    }
  }
}
