package import Schema

/// The schema in a file, as of one version of it.
///
/// Every transaction compares the file's version with the one it knows and reads the catalog again when it moved:
/// another process may have changed it.
package final class StoredSchema: Sendable {
  /// Moves by one with every change of the schema.
  package let version: UInt64
  /// The schema as declared: what people see.
  package let schema: Schema
  /// The entities, in order of creation.
  package let entities: [StoredEntity]

  private let positions: [String: Int]

  package init(version: UInt64, schema: Schema, entities: [StoredEntity]) {
    self.version = version
    self.schema = schema
    self.entities = entities
    positions = Dictionary(entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity of that name.
  package func entity(named name: String) -> StoredEntity? { positions[name].map { entities[$0] } }
}
