internal import QueryEngine
internal import Storage

extension WriteTransaction {
  /// A fast way in for objects of an entity known by name only.
  ///
  /// ```swift
  /// let rows = try tx.inserter(for: "Quake", upsertKey: "code")
  /// try rows.append([.string("us1000chhc"), .double(6.4)])
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - upsertKey: The path of a property with a unique index: a row whose value is there already replaces that
  ///     object's values instead of adding another. nil always adds.
  ///   - refusingDuplicates: Whether a row with a value of a unique property that another object has is refused at
  ///     once, and the transaction can go on. Otherwise that is found when the transaction commits, and ends it.
  ///   - leaving: Paths of columns that the rows say nothing of, whatever stands there: new objects have their defaults
  ///     (and are refused where there is none), those that are replaced keep their values.
  /// - Throws: `StoreError`: `unknownEntity`; `unsupported` for a key without a unique index.
  public func inserter(
    for entity: String, upsertKey: String? = nil, refusingDuplicates: Bool = false, leaving: [String] = []
  ) throws -> RowInserter {
    try RowInserter(
      into: try self.entity(named: entity), upsertKey: upsertKey, refusingDuplicates: refusingDuplicates,
      leaving: leaving,
      transaction: self)
  }

  /// The objects of an entity as this transaction sees them.
  public func objects(_ entity: String) throws -> DynamicResults {
    try DynamicResults(entity, in: .transaction(scope))
  }

  /// Deletes the objects that `results` has now; how many there were.
  @discardableResult
  public func delete(_ results: DynamicResults) throws -> Int {
    try delete(try results.selection.ids, of: try entity(named: results.entity.name))
  }

  /// Deletes the objects of a selection; what went, with what went along by delete rules.
  ///
  /// - Parameter goesOn: Asked now and then; once it says no, `QueryCancelled` is thrown, and the write is to be undone.
  func deletion(of selection: Selection, goesOn: @escaping () -> Bool = { true }) throws -> ObjectChanges {
    let (entity, ids) = try selection.evaluate { (entity: $1, ids: $2) }
    var changes = ObjectChanges(.deleted, 0, of: entity.name)
    guard let gone = try session.deletion(of: ids, entity, goesOn: goesOn) else { throw QueryCancelled() }
    for (entity, count) in gone.counts {
      changes.add(.deleted, count, of: entity.name)
    }
    return changes
  }

  /// Deletes one object; false when there was none of that number.
  @discardableResult
  public func delete(_ id: ObjectNumber, of entity: String) throws -> Bool {
    try session.delete(id, of: try self.entity(named: entity))
  }

  /// Changes some properties of one object, by dotted path; a list of structs as a whole, `.list` of `.embedded`.
  ///
  /// - Throws: `StoreError`: `unknownEntity`, `unknownProperty`, `unknownObject`, `wrongType`, `missingValue`; then
  ///   nothing of it was changed and the transaction can go on.
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
  /// What the columns of a list of structs get for it.
  fileprivate func columns(of list: StructList, _ value: Value) throws(StoreError) -> [(column: Int, value: Value)] {
    do throws(StructList.Fault) {
      return try list.columns(of: value, in: columns.map(\.column)).map { ($0, columns[$0].fitting($1)) }
    } catch {
      throw .wrongType(entity: name, path: list.path, expected: "[\(list.structure)]", got: error.message)
    }
  }
}

extension StoredColumn {
  /// The value as the column keeps it, where it is a number of another kind, a collection or objects; else the value as
  /// it is.
  @inline(__always)
  func fitting(_ value: Value) -> Value {
    if let target { return Self.number(value, of: target) }
    if collectionKind != nil { return column.kept(value) ?? value }
    return scalarType.accepts(value) ? value : scalarType.kept(value) ?? value
  }
  /// Objects of an entity by their numbers. Another value stays as it is, to be refused.
  private static func number(_ value: Value, of entity: String) -> Value {
    switch value {
    case .object(let object) where object.entity == entity: .int(Int64(bitPattern: object.number.rawValue))
    case .list(let elements): .list(elements.map { number($0, of: entity) })
    default: value
    }
  }
}
