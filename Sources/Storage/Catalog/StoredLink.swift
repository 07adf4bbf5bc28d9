internal import Schema

/// A link as a file has it: the column that holds it, and the index that knows who links to an object.
///
/// It knows no objects; see `Snapshot.sources` and `IndexReader` for reading the index.
package struct StoredLink: Sendable {
  /// The entity whose objects link.
  package let source: StoredEntity
  /// The position of the link in the columns of `source`.
  package let column: Int
  /// The sources of each target.
  package let inverse: StoredIndex

  /// The dotted path of the link in `source`.
  package var path: String { source.columns[column].path }
}

/// A property by which an object reaches others, with the rule for them when it is deleted.
struct LinkEnd: Sendable {
  /// How the others are found.
  enum Way: Sendable {
    /// They are the targets of the link in a column.
    case targets(column: Int)
    /// They are the sources of a link.
    case sources(StoredLink)
  }

  /// The path of the property, for messages.
  let path: String
  let rule: DeleteRule
  /// The entity of the others.
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

/// How the entities of a schema are linked with each other. It does not know objects.
struct LinkTable: Sendable {
  private let entities: SortedPositions<String>
  /// Those that lead to each entity.
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

  /// The properties of an entity whose delete rule says more than that the others stay.
  func ruledEnds(of entity: String) -> [LinkEnd] { entities[entity].map { ruled[$0] } ?? [] }
}
