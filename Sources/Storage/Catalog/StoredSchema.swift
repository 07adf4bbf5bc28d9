package import Schema

/// The schema in a file, at one version.
///
/// Every transaction compares the file's version with its own and reads the catalog again if it has changed, possibly
/// by another process.
package final class StoredSchema: Sendable {
  /// Incremented with every change of the schema.
  package let version: UInt64
  /// The declared schema, as shown to users.
  package let schema: Schema
  /// The entities, in order of creation.
  package let entities: [StoredEntity]

  /// Which entities link to which.
  let links: SchemaLinks

  private let positions: SortedPositions<String>

  package init(version: UInt64, schema: Schema, entities: [StoredEntity]) {
    self.version = version
    self.schema = schema
    self.entities = entities
    links = SchemaLinks(schema, entities)
    positions = SortedPositions(entities.map(\.name))
  }

  /// The entity of that name.
  package func entity(named name: String) -> StoredEntity? { positions[name].map { entities[$0] } }

  /// The link at a dotted path of an entity; nil if there is none.
  package func link(at path: String, of entity: String) -> StoredLink? {
    self.entity(named: entity)?.links.first { $0.path == path }
  }
}
