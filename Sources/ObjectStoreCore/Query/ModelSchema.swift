internal import Schema
internal import Storage
internal import Synchronization

/// A model's schema as if it were in a file, with the models it links to. Queries on values that are not in a store are
/// checked against it.
struct ModelSchema: Sendable {
  let entity: StoredEntity
  let schema: StoredSchema

  private static let known = Mutex<[ObjectIdentifier: ModelSchema]>([:])

  /// The schema of a model, made once.
  static func of(_ definition: ModelDefinition) -> ModelSchema {
    let key = ObjectIdentifier(definition)
    if let known = known.withLock({ $0[key] }) { return known }
    let made = ModelSchema(definition)
    known.withLock { $0[key] = made }
    return made
  }

  private init(_ definition: ModelDefinition) {
    var definitions: [ModelDefinition] = []
    var waiting = [definition][...]
    while let next = waiting.popFirst() {
      if definitions.contains(where: { $0 === next }) { continue }
      definitions.append(next)
      waiting += next.linked.map { $0.modelDefinition }
    }
    var schema = Schema(entities: definitions.map(\.entity))
    for structure in definitions.flatMap(\.schema.embedded)
    where !schema.entities.contains(structure) && !schema.embedded.contains(structure) {
      schema.embedded.append(structure)
    }
    let entities = definitions.enumerated().map { number, definition in
      StoredEntity(
        number: UInt32(clamping: number + 1), entity: definition.entity,
        columns: definition.columns.enumerated().map {
          StoredColumn(number: UInt32(clamping: $0 + 1), column: $1, defaultAtCreation: $1.defaultValue)
        }, indexes: [])
    }
    self.schema = StoredSchema(version: 0, schema: schema, entities: entities)
    entity = entities[0]
  }
}
