package import Schema

/// An entity in a file: its columns and indexes with their permanent numbers.
///
/// It is immutable. Another version of the schema has another `StoredEntity`, or the same one if the entity did not
/// change. It does not depend on objects.
package final class StoredEntity: Sendable {
  /// The stable number, unique within the file and never reused.
  package let number: UInt32
  /// The declaration.
  package let entity: Entity
  /// The columns of all properties in declaration order; a row has one value for each.
  package let columns: [StoredColumn]
  /// The indexes, in order of creation; among them the inverse of each link.
  package let indexes: [StoredIndex]

  /// The lists of structs among its columns.
  package let structLists: [StructList]

  /// The columns in the form that views of clusters need.
  let viewedColumns: ViewedColumns

  /// The number of columns with single strings.
  let textColumnCount: Int

  /// Whether it has to-many links.
  let hasLinkLists: Bool

  /// Which chunks of its clusters this process has checked.
  let validated: ValidatedChunks

  /// The tables of its clusters in the version that was last scanned.
  let clusterTables = ClusterTables()

  private let positions: SortedPositions<String>

  package init(number: UInt32, entity: Entity, columns: [StoredColumn], indexes: [StoredIndex]) {
    self.number = number
    self.entity = entity
    self.columns = columns
    self.indexes = indexes
    structLists = StructList.lists(in: columns.map(\.column))
    viewedColumns = ViewedColumns(columns)
    textColumnCount = columns.count { $0.collectionKind == nil && $0.scalarType == .string }
    hasLinkLists = columns.contains { $0.target != nil && $0.collectionKind != nil }
    validated = ValidatedChunks(columnCount: columns.count)
    positions = SortedPositions(columns.map(\.path))
  }

  /// Its name.
  package var name: String { entity.name }

  /// The name of the database that holds its objects.
  package var database: String { "o\(number)" }

  /// The name of the database with its overflow values.
  package var valuesDatabase: String { "v\(number)" }

  /// The position in `columns` of the column with that dotted path.
  package func column(at path: String) -> Int? { positions[path] }

  /// The index with a name (`magnitude+time`) and a kind, or nil; without a kind, a declared index.
  package func index(named name: String, kind: IndexKind? = nil) -> StoredIndex? {
    indexes.first { $0.index.name == name && (kind == nil ? !$0.isInverse : $0.index.kind == kind) }
  }

  /// Whether the other entity describes the same bytes in the same order.
  package func isSame(as other: StoredEntity) -> Bool {
    self === other
      || number == other.number && entity == other.entity && columns == other.columns && indexes == other.indexes
  }
}
