internal import Storage
public import Values

/// Inserts objects of an entity known only by name, fast: as rows of values in the order of `columns`.
///
/// It belongs to its write transaction. A row that does not match the columns throws, and the transaction can continue.
public final class RowInserter {
  /// The entity's leaf columns, in the order of the values in a row.
  public let columns: [Column]

  /// Whether the last row replaced an existing object.
  public private(set) var hasReplaced = false

  private let entity: StoredEntity
  private let transaction: WriteTransaction
  private let key: (index: StoredIndex, column: Int)?
  /// The unique indexes to check before a row is added.
  private let refused: [StoredIndex]
  /// The last row that needed conversion, in the form in which its columns store it.
  private var fitted: [Value] = []
  /// The types of the columns with single values; nil for the others.
  private let scalars: [ScalarType?]

  /// The columns that rows leave out.
  private let unseen: UnseenColumns

  init(
    into entity: StoredEntity, upsertKey: String?, refusingDuplicates: Bool, leaving paths: [String],
    transaction: WriteTransaction
  ) throws(StoreError) {
    unseen = UnseenColumns(of: entity, in: try transaction.session.schema.schema) {
      !paths.contains(entity.columns[$0].path)
    }
    self.entity = entity
    self.transaction = transaction
    refused = refusingDuplicates ? entity.indexes.filter { $0.isUnique && $0.index.name != upsertKey } : []
    columns = entity.columns.map(\.column)
    scalars = entity.columns.map { $0.target == nil && $0.collectionKind == nil ? $0.scalarType : nil }
    fitted.reserveCapacity(columns.count)
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

  /// Adds an object with the given values, one for each column, or replaces one with an upsert key, and returns its
  /// number.
  ///
  /// Integers fit every number column that can represent them, and doubles are rounded to `Float` columns; there are no
  /// other conversions.
  ///
  /// - Throws: `StoreError`: `wrongType`, `missingValue`, `unseenProperties`, `unsupported` for a row of a different
  ///   length, `constraintViolated` when it refuses duplicates, `limitExceeded` for a value that is too large.
  @discardableResult
  public func append(_ row: [Value]) throws -> ObjectNumber {
    try row.withUnsafeBufferPointer { try append($0) }
  }

  /// Like `append(_:)`, for values in the caller's memory.
  ///
  /// - Parameter values: One for each column. They are not used after the call.
  /// - Throws: As `append(_:)`.
  @discardableResult
  public func append(_ values: UnsafeBufferPointer<Value>) throws -> ObjectNumber {
    let session = try transaction.session
    guard values.count == scalars.count else {
      let wanted = amount(entity.columns.count, "value")
      throw StoreError.unsupported("a row of \(entity.name) has \(wanted), not \(values.count)")
    }
    hasReplaced = false
    if fits(values) { return try add(values, session) }
    fitted.removeAll(keepingCapacity: true)
    for index in values.indices { fitted.append(entity.columns[index].fitting(values[index])) }
    return try fitted.withUnsafeBufferPointer { try add($0, session) }
  }

  /// Whether all values already are in the form in which their columns store them.
  private func fits(_ values: UnsafeBufferPointer<Value>) -> Bool {
    let scalars = scalars
    for index in values.indices {
      guard let type = scalars[index], type.accepts(values[index]) else { return false }
    }
    return true
  }

  private func add(_ row: UnsafeBufferPointer<Value>, _ session: WriteSession) throws -> ObjectNumber {
    if !unseen.isEmpty { return try addSeen(Array(row), session) }
    if key == nil, refused.isEmpty { return try session.insert(row, into: entity) }
    let known = try known(row, session)
    guard let found = known else { return try session.insert(row, into: entity) }
    guard let old = try session.row(found, of: entity) else {
      throw StoreError.unknownObject(entity: entity.name, found)
    }
    return try replace(old, by: row, found, session)
  }

  /// The same for a row that leaves out columns.
  private func addSeen(_ row: [Value], _ session: WriteSession) throws -> ObjectNumber {
    var row = row
    let known = try row.withUnsafeBufferPointer { try self.known($0, session) }
    guard let found = known else {
      try unseen.complete(&row, from: nil)
      return try session.insert(row, into: entity)
    }
    guard let old = try session.row(found, of: entity) else {
      throw StoreError.unknownObject(entity: entity.name, found)
    }
    try unseen.complete(&row, from: old)
    return try row.withUnsafeBufferPointer { try replace(old, by: $0, found, session) }
  }

  /// The object that a row replaces. Throws when another object has a value that must be unique.
  private func known(_ row: UnsafeBufferPointer<Value>, _ session: WriteSession) throws -> ObjectNumber? {
    let known = try key.flatMap { try session.find(unique: $0.index, row[$0.column], of: entity) }
    if !refused.isEmpty { try session.refuseDuplicate(row, of: entity, except: known, by: refused) }
    return known
  }

  private func replace(
    _ old: [Value], by row: UnsafeBufferPointer<Value>, _ found: ObjectNumber, _ session: WriteSession
  ) throws -> ObjectNumber {
    let changes = row.indices.filter { !old[$0].isIdentical(to: row[$0]) }.map { (column: $0, value: row[$0]) }
    if !changes.isEmpty { try session.update(found, of: entity, changes) }
    hasReplaced = true
    return found
  }
}
