/// A fast way in for objects of an entity known by name only: rows of values in the order of `columns`.
///
/// It belongs to its write transaction. A row that does not fit throws, and the transaction stays usable.
public final class RowInserter {
  /// The entity's leaf columns, in the order rows have their values.
  public let columns: [Column]

  init(columns: [Column]) { self.columns = columns }

  /// Adds an object (or replaces one, with an upsert key) with the given values, one for each column.
  ///
  /// Whole numbers fit every number column that can hold them; nothing else is converted.
  @discardableResult
  public func append(_ row: [Value]) throws -> ObjectNumber { throw StoreError.unsupported("not yet") }

  /// As `append(_:)`, for values in memory of the caller.
  @discardableResult
  public func append(_ row: UnsafeBufferPointer<Value>) throws -> ObjectNumber { throw StoreError.unsupported("not yet") }
}
