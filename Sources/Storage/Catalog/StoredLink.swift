internal import Schema

/// A link in a file: its column, and the index of the objects that link to an object.
///
/// It does not depend on objects; see `Snapshot.sources` and `IndexReader` for reading the index.
package struct StoredLink: Sendable {
  /// The entity of the objects with the link.
  package let source: StoredEntity
  /// The position of the link in the columns of `source`.
  package let column: Int
  /// The sources of each target.
  package let inverse: StoredIndex

  /// The dotted path of the link in `source`.
  package var path: String { source.columns[column].path }
}

/// A property that relates an object to others, with the rule that applies to them when the object is deleted.
struct LinkEnd: Sendable {
  /// The direction in which the others are found.
  enum Way: Sendable {
    /// They are the targets of the link in a column.
    case targets(column: Int)
    /// They are the sources of a link.
    case sources(StoredLink)
  }

  /// The path of the property, for messages.
  let path: String
  let rule: DeleteRule
  /// The entity of the other objects.
  let other: StoredEntity
  let way: Way
}

extension StoredEntity {
  /// The index of the sources of the link in a column; nil for a column of values.
  package func inverse(ofColumn column: Int) -> StoredIndex? {
    indexes.first { $0.isInverse && $0.columns == [column] }
  }

  /// Its links, by column.
  var links: [StoredLink] {
    indexes.compactMap { index in
      guard index.isInverse, let column = index.columns.first else { return nil }
      return StoredLink(source: self, column: column, inverse: index)
    }
  }
}

/// The links between the entities of a schema. It does not depend on objects.
struct SchemaLinks: Sendable {
  private let entities: SortedPositions<String>
  /// The links to each entity.
  private var incoming: [[StoredLink]]
  private var ruled: [[LinkEnd]]

  init(_ schema: Schema, _ entities: [StoredEntity]) {
    let positions = SortedPositions(entities.map(\.name))
    self.entities = positions
    incoming = Array(repeating: [], count: entities.count)
    ruled = incoming.map { _ in [] }
    let links = entities.flatMap(\.links)
    for link in links {
      guard let target = link.source.columns[link.column].target, let position = positions[target] else { continue }
      incoming[position].append(link)
    }
    for (position, entity) in entities.enumerated() {
      var ends: [LinkEnd] = []
      for link in entity.links {
        let column = entity.columns[link.column].column
        guard column.deleteRule != .nullify, let other = entities.first(where: { $0.name == column.target }) else {
          continue
        }
        ends.append(
          LinkEnd(path: column.path, rule: column.deleteRule, other: other, way: .targets(column: link.column)))
      }
      for inverse in schema.inverses(of: entity.entity) where inverse.deleteRule != .nullify {
        guard let link = links.first(where: { $0.source.name == inverse.source && $0.path == inverse.path }) else {
          continue
        }
        ends.append(
          LinkEnd(path: inverse.name, rule: inverse.deleteRule, other: link.source, way: .sources(link)))
      }
      ruled[position] = ends
    }
  }

  /// The links that lead to the objects of an entity.
  func links(to entity: String) -> [StoredLink] { entities[entity].map { incoming[$0] } ?? [] }

  /// The properties of an entity with a delete rule other than the default.
  func ruledEnds(of entity: String) -> [LinkEnd] { entities[entity].map { ruled[$0] } ?? [] }
}
