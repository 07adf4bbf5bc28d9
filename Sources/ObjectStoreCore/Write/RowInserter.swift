internal import Storage

/// A fast way in for objects of an entity known by name only: rows of values in the order of `columns`.
///
/// It belongs to its write transaction. A row that does not fit throws, and the transaction stays usable.
public final class RowInserter {
  /// The entity's leaf columns, in the order rows have their values.
  public let columns: [Column]

  private let entity: StoredEntity
  private let transaction: WriteTransaction
  private let key: (index: StoredIndex, column: Int)?
  private var row: [Value] = []

  init(into entity: StoredEntity, upsertKey: String?, transaction: WriteTransaction) throws(StoreError) {
    self.entity = entity
    self.transaction = transaction
    columns = entity.columns.map(\.column)
    row.reserveCapacity(columns.count)
    guard let upsertKey else {
      key = nil
      return
    }
    guard let column = entity.column(at: upsertKey) else { throw entity.unknownProperty(upsertKey) }
    guard let index = entity.index(named: upsertKey, kind: .unique) else {
      throw .unsupported("\(entity.name).\(upsertKey) has no unique index, so no object can be found by it")
    }
    key = (index, column)
  }

  /// Adds an object (or replaces one, with an upsert key) with the given values, one for each column, and gives its
  /// number.
  ///
  /// Whole numbers fit every number column that can hold them, doubles are rounded to `Float` columns; nothing else
  /// is converted.
  ///
  /// - Throws: `StoreError`: `wrongType`, `missingValue`, `unsupported` for a row of another length.
  @discardableResult
  public func append(_ row: [Value]) throws -> ObjectNumber {
    try row.withUnsafeBufferPointer { try append($0) }
  }

  /// As `append(_:)`, for values in memory of the caller.
  @discardableResult
  public func append(_ values: UnsafeBufferPointer<Value>) throws -> ObjectNumber {
    let session = try transaction.session
    guard values.count == entity.columns.count else {
      throw StoreError.unsupported("a row of \(entity.name) has \(entity.columns.count) values, not \(values.count)")
    }
    row.removeAll(keepingCapacity: true)
    for (column, value) in zip(entity.columns, values) { row.append(column.fitting(value)) }
    guard let key, let found = try session.find(unique: key.index, row[key.column], of: entity) else {
      return try session.insert(row, into: entity)
    }
    guard let old = try session.row(found, of: entity) else {
      throw StoreError.unknownObject(entity: entity.name, found)
    }
    let changes = row.indices.filter { old[$0] != row[$0] }.map { (column: $0, value: row[$0]) }
    if !changes.isEmpty { try session.update(found, of: entity, changes) }
    return found
  }
}
