internal import PredicateLanguage
package import Schema
internal import Storage
package import Values

/// An object to be added: its values, and the targets of its links, which are not resolved yet.
package struct NewRow: Sendable {
  /// A link, or links, of an object to be.
  package struct Link: Sendable {
    /// The position of its column.
    package var column: Int
    /// The targets: at most one for a to-one link.
    package var targets: [LinkTarget]

    /// A link.
    package init(column: Int, targets: [LinkTarget]) {
      self.column = column
      self.targets = targets
    }
  }

  /// The entity's name.
  package var entity: String
  /// One value for each column; links have nil, or none.
  package var values: [Value]
  /// The targets of the links.
  package var links: [Link]
  /// The columns with given values, for merging with the object that has the same unique property.
  package var given: Set<Int>
  /// The columns that require a value and have none, ascending. The row can then only be merged, not added.
  package var missing: [Int]

  /// An object to be.
  package init(
    entity: String, values: [Value], links: [Link] = [], given: Set<Int> = [], missing: [Int] = []
  ) {
    self.entity = entity
    self.values = values
    self.links = links
    self.given = given
    self.missing = missing
  }
}

/// The target of a link.
package indirect enum LinkTarget: Sendable {
  /// The object that has this value in the unique property of its entity.
  case key(Value)
  /// The object of this number.
  case number(ObjectNumber)
  /// The object with the unique property of this row, which is changed, or else a new one.
  case row(NewRow)
}

/// A link whose target does not exist.
package struct OpenLink: Error, Hashable, Sendable, CustomStringConvertible {
  /// The entity of the object with the link.
  package var entity: String
  /// The path of the link from the outermost object: `tasks[0].owner`.
  package var place: JSONPath
  /// A description of the missing target: `Person with name "Ann"`.
  package var wanted: String
  /// The object ID that the link is written with; nil if it is written with a unique property.
  package var number: ObjectNumber?

  /// A description of the error.
  package var description: String { "\(place): there is no \(wanted)" }
}

/// A link by the object ID that its target has in another store.
package struct ForeignLink: Error, Sendable {
  /// The path of the link from the outermost object.
  package var place: JSONPath
  /// The entity of the target.
  package var target: String
  package var number: ObjectNumber
}

/// The reason why nested objects cannot be added, and the object at fault.
package struct GraphFault: Error, Sendable {
  /// The path of the object, or of its property at fault.
  package var place: JSONPath
  /// Whether the object is the outermost one.
  package var isOfRoot: Bool
  /// The error.
  package var error: StoreError
}

extension StoredEntity {
  /// The column by which links to its objects are written: the first unique property of a single column.
  var keyColumn: Int? { indexes.first { $0.isUnique && $0.columns.count == 1 }?.columns.first }
}

extension Entity {
  /// The dotted path of the property that identifies objects in links: the first unique one. Objects without it are
  /// written by their ID, `{"@id": 17}`.
  package var keyPath: String? { indexes.first { $0.kind == .unique && $0.paths.count == 1 }?.paths.first }
}
