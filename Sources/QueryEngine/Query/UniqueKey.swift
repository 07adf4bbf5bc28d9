internal import Schema
package import Storage
package import Values

/// A unique property with its index, to look objects up by. It serves commits only: within a write several objects may
/// have one value, until the write ends.
package final class UniqueKey: Sendable {
  let entity: StoredEntity
  let index: StoredIndex
  private let type: ScalarType

  /// nil for a column without a complete unique index of its own.
  package init?(column: Int, of entity: StoredEntity) {
    guard let stored = entity.columns.indices.contains(column) ? entity.columns[column] : nil,
      stored.collectionKind == nil, stored.target == nil,
      let index = entity.indexes.first(where: { $0.isUnique && $0.isComplete && $0.columns == [column] })
    else { return nil }
    self.entity = entity
    self.index = index
    type = stored.scalarType
  }

  /// Whether the index keeps a value as it is, so that it finds its object.
  ///
  /// Floating-point numbers and dates are left to plans, which know of NaN and of the two zeros.
  @inline(__always)
  package func finds(_ value: Value) -> Bool {
    switch value {
    case .int, .string, .uuid: type.accepts(value)
    case .decimal(let number): !number.isNaN && type.accepts(value)
    case .null, .bool, .float, .double, .date, .data, .list, .embedded, .object: false
    }
  }

  /// The index, in a snapshot of a commit.
  package func index(in reader: EntityReader) throws(StoreError) -> IndexReader { try reader.index(index) }
}
