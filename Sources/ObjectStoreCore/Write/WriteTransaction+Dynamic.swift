internal import QueryEngine
internal import Schema
internal import Storage

extension WriteTransaction {
  /// Returns an inserter for objects of an entity known only by name, for fast inserts.
  ///
  /// ```swift
  /// let rows = try tx.inserter(for: "Quake", upsertKey: "code")
  /// try rows.append([.string("us1000chhc"), .double(6.4)])
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - upsertKey: The path of a property with a unique index: a row with the same value as an existing object
  ///     replaces that object's values. nil always adds an object.
  ///   - refusingDuplicates: Whether a row that repeats a unique value of another object is refused at once, so that
  ///     the transaction can continue. Otherwise the commit finds the duplicate and fails.
  ///   - leaving: Paths of columns that the rows leave out: new objects get the defaults (and are refused where there
  ///     is none), replaced objects keep their values.
  /// - Throws: `StoreError`: `unknownEntity`; `unsupported` for a key without a unique index.
  public func inserter(
    for entity: String, upsertKey: String? = nil, refusingDuplicates: Bool = false, leaving: [String] = []
  ) throws -> RowInserter {
    try RowInserter(
      into: try self.entity(named: entity), upsertKey: upsertKey, refusingDuplicates: refusingDuplicates,
      leaving: leaving,
      transaction: self)
  }

  /// The objects of an entity, including changes by this transaction.
  ///
  /// ```swift
  /// let felt = try tx.objects("Quake").filter("felt > 100").count
  /// ```
  ///
  /// - Throws: `QueryError` when there is no such entity; `StoreError`: `finished` after the write, `unsupported` on
  ///   another thread.
  public func objects(_ entity: String) throws -> DynamicResults {
    try DynamicResults(entity, in: .transaction(scope))
  }

  /// Deletes the objects that `results` currently contains and returns their number.
  ///
  /// ```swift
  /// try tx.delete(tx.objects("Quake").filter("magnitude < 2"))
  /// ```
  ///
  /// - Throws: `StoreError.deleteDenied`: nothing is deleted and the transaction can continue; the errors of
  ///   `DynamicResults.ids`.
  @discardableResult
  public func delete(_ results: DynamicResults) throws -> Int {
    try delete(try results.selection.ids, of: try entity(named: results.entity.name))
  }

  /// Deletes the objects of a selection and returns what was deleted, including deletions by delete rules.
  ///
  /// - Parameter goesOn: Called repeatedly; once it returns false, `QueryCancelled` is thrown, and the caller must undo
  ///   the write.
  func deletion(of selection: Selection, goesOn: @escaping () -> Bool = { true }) throws -> ObjectChanges {
    let (entity, ids) = try selection.evaluate { (entity: $1, ids: $2) }
    var changes = ObjectChanges(.deleted, 0, of: entity.name)
    guard let gone = try session.deletion(of: ids, entity, goesOn: goesOn) else { throw QueryCancelled() }
    for (entity, count) in gone.counts {
      changes.add(.deleted, count, of: entity.name)
    }
    return changes
  }

  /// Deletes one object; false when there was no object with that number.
  ///
  /// ```swift
  /// try tx.delete(old.id, of: "Quake")
  /// ```
  ///
  /// - Throws: `StoreError`: `unknownEntity`; `deleteDenied`, which names the property and the objects. Nothing is
  ///   deleted and the transaction can continue.
  @discardableResult
  public func delete(_ id: ObjectNumber, of entity: String) throws -> Bool {
    try session.delete(id, of: try self.entity(named: entity))
  }

  /// Changes some properties of one object, by dotted path; a list of structs is replaced as a whole, as a `.list` of
  /// `.embedded`.
  ///
  /// ```swift
  /// try tx.update(old.id, of: "Quake", ["magnitude": .double(6.5), "felt": .null])
  /// ```
  ///
  /// - Throws: `StoreError`: `unknownEntity`, `unknownProperty`, `unknownObject`, `wrongType`, `missingValue`; nothing
  ///   is changed and the transaction can continue.
  public func update(_ id: ObjectNumber, of entity: String, _ changes: [String: Value]) throws {
    let entity = try self.entity(named: entity)
    var columns: [(column: Int, value: Value)] = []
    for (path, value) in changes {
      if let list = entity.structLists.first(where: { $0.path == path }), case .list = value {
        columns += try entity.columns(of: list, value)
        continue
      }
      guard let column = entity.column(at: path) else { throw entity.unknownProperty(path) }
      columns.append((column, entity.columns[column].fitting(value)))
    }
    columns.sort { $0.column < $1.column }
    try session.update(id, of: entity, columns)
  }
}

extension StoredEntity {
  /// The columns of a list of structs with their new values.
  fileprivate func columns(of list: StructList, _ value: Value) throws(StoreError) -> [(column: Int, value: Value)] {
    do throws(StructList.Fault) {
      return try list.columns(of: value, in: columns.map(\.column)).map { ($0, columns[$0].fitting($1)) }
    } catch {
      throw .wrongType(entity: name, path: list.path, expected: "[\(list.structure)]", got: error.message)
    }
  }
}

extension StoredColumn {
  /// The value in the form in which the column stores it, if it is a number of another type, a collection or objects;
  /// otherwise the unchanged value.
  @inline(__always)
  func fitting(_ value: Value) -> Value {
    if let target { return Self.number(value, of: target) }
    if collectionKind != nil { return column.kept(value) ?? value }
    return scalarType.accepts(value) ? value : scalarType.kept(value) ?? value
  }
  /// The numbers of objects of an entity. Other values are returned unchanged, to be refused.
  private static func number(_ value: Value, of entity: String) -> Value {
    switch value {
    case .object(let object) where object.entity == entity: .int(Int64(bitPattern: object.number.rawValue))
    case .list(let elements): .list(elements.map { number($0, of: entity) })
    default: value
    }
  }
}
