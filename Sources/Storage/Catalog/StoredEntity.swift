package import Schema

/// An entity as a file has it: its columns and indexes with their stable numbers.
///
/// It is unchanging; another version of the schema has another `StoredEntity`, or the same one when nothing about
/// the entity changed. It knows no objects.
package final class StoredEntity: Sendable {
  /// The stable number, unique within the file and never reused.
  package let number: UInt32
  /// What was declared.
  package let entity: Entity
  /// The leaf columns in declaration order; rows have one value for each.
  package let columns: [StoredColumn]
  /// The indexes, in order of creation; among them the inverse of each link.
  package let indexes: [StoredIndex]

  /// The lists of structs among its columns.
  package let structLists: [StructList]

  /// Its columns as views of its clusters need them.
  let viewedColumns: ViewedColumns

  /// How many of its columns hold single texts.
  let textColumnCount: Int

  /// Whether it has lists of links.
  let hasLinkLists: Bool

  /// Which chunks of its clusters this process has checked.
  let validated: ValidatedChunks

  /// Where its clusters lie in the version that was scanned last.
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

  /// The name of the database that holds its values kept out of line.
  package var valuesDatabase: String { "v\(number)" }

  /// The position in `columns` of the column with that dotted path.
  package func column(at path: String) -> Int? { positions[path] }

  /// The index of that name (`magnitude+time`) and kind, if any; without a kind, one that was declared.
  package func index(named name: String, kind: IndexKind? = nil) -> StoredIndex? {
    indexes.first { $0.index.name == name && (kind == nil ? !$0.isInverse : $0.index.kind == kind) }
  }

  /// Whether the other describes the same bytes in the same order.
  package func isSame(as other: StoredEntity) -> Bool {
    self === other
      || number == other.number && entity == other.entity && columns == other.columns && indexes == other.indexes
  }
}
