internal import QueryEngine
internal import Storage

extension DynamicResults {
  /// The number of objects.
  ///
  /// - Throws: `StoreError` when the store can't be read or the query exceeds its time or memory (`limitExceeded`);
  ///   `QueryCancelled`; `QueryError` when the schema was changed and the query no longer fits it.
  public var count: Int { get throws { try selection.count } }

  /// Whether there are no objects.
  ///
  /// - Throws: As `count`.
  public var isEmpty: Bool { get throws { try selection.isEmpty } }

  /// Their numbers, in order.
  ///
  /// - Throws: As `count`; `StoreError.limitExceeded` also for more objects than `Store.Limits.rows`.
  public var ids: [ObjectNumber] { get throws { try selection.ids } }

  /// The first object; nil if there is none.
  ///
  /// - Throws: As `count`.
  public var first: DynamicObject? { get throws { try selection.first(reader) } }

  /// The last object; nil if there is none.
  ///
  /// - Throws: As `ids`.
  public var last: DynamicObject? { get throws { try selection.last(reader) } }

  /// The object at a position from 0.
  ///
  /// - Throws: `IndexOutOfRange` if there is none; otherwise as `ids`.
  public subscript(index: Int) -> DynamicObject { get throws { try selection.item(at: index, reader) } }

  /// All objects, in order.
  ///
  /// - Throws: As `ids`.
  /// - Complexity: Linear in the number of objects, whose values are all read at once; `forEach` takes less memory.
  public func objects() throws -> [DynamicObject] { try selection.items(reader) }

  /// Calls `body` with each object in order, in one version of the store, without holding all of them in memory.
  ///
  /// - Throws: The error of `body`, which ends the loop; otherwise as `ids`.
  public func forEach(_ body: (DynamicObject) throws -> Void) throws {
    try selection.forEach(reader, body)
  }

  /// The values at the given paths of each object, in order; an embedded struct is a single `.embedded` value.
  ///
  /// ```swift
  /// let rows = try store.objects("Quake").rows(["code", "location.name"])
  /// ```
  ///
  /// - Throws: `StoreError.unknownProperty` for a path without a property; otherwise as `ids`.
  /// - Complexity: Linear in the number of objects; `forEachRow` takes less memory.
  public func rows(_ paths: [String]) throws -> [[Value]] {
    var rows: [[Value]] = []
    try forEachRow(paths) { rows.append($0) }
    return rows
  }

  /// Calls `body` with the values at the given paths of each object in order: in one snapshot, with one row in memory,
  /// reading only the requested columns.
  ///
  /// ```swift
  /// try store.objects("Quake").forEachRow(["code", "magnitude"]) { row in print(row[0], row[1]) }
  /// ```
  ///
  /// - Throws: `StoreError.unknownProperty` for a path without a property; the error of `body`, which ends the loop;
  ///   otherwise as `ids`.
  public func forEachRow(_ paths: [String], _ body: ([Value]) throws -> Void) throws {
    try selection.forEach({ try RowReader(paths, $0, $1) }, body)
  }

  /// Like `forEachRow`, with each object's ID, and with names instead of linked objects: the value of the unique
  /// property of each, if it has one.
  ///
  /// - Throws: As `forEachRow`.
  public func forEachNamedRow(_ paths: [String], _ body: (ObjectNumber, [Value]) throws -> Void) throws {
    try selection.forEach({ try NamedRowReader(paths, $0, $1) }, body)
  }

  /// The maximum of the values at a path, skipping nil and NaN; `.null` without values.
  ///
  /// ```swift
  /// let strongest = try store.objects("Quake").max(of: "magnitude")
  /// ```
  ///
  /// - Throws: `StoreError`: `unknownProperty` for a path without a column, `unsupported` for values without an order;
  ///   otherwise as `count`.
  /// - Complexity: At most linear in the number of objects of the entity.
  public func max(of path: String) throws -> Value { try selection.aggregate(.maximum, of: path) }

  /// The minimum of the values at a path, skipping nil and NaN; `.null` without values.
  ///
  /// - Throws: `StoreError`: `unknownProperty` for a path without a column, `unsupported` for values without an order;
  ///   otherwise as `count`.
  /// - Complexity: At most linear in the number of objects of the entity.
  public func min(of path: String) throws -> Value { try selection.aggregate(.minimum, of: path) }

  /// The sum of the values at a path, skipping nil and NaN; 0 without values, `.null` if integers overflow.
  ///
  /// - Throws: `StoreError`: `unknownProperty` for a path without a column, `unsupported` for values that are no
  ///   numbers; otherwise as `count`.
  /// - Complexity: At most linear in the number of objects of the entity.
  public func sum(of path: String) throws -> Value { try selection.aggregate(.sum, of: path) }

  /// The mean of the values at a path, skipping nil and NaN; nil without values.
  ///
  /// ```swift
  /// let mean = try store.objects("Quake").average(of: "felt") ?? 0
  /// ```
  ///
  /// - Throws: As `sum(of:)`.
  /// - Complexity: At most linear in the number of objects of the entity.
  public func average(of path: String) throws -> Double? { try selection.aggregate(.average, of: path).number }

  /// How it would be answered: the plan as a tree, a line a node.
  ///
  /// ```swift
  /// print(try store.objects("Quake").filter("magnitude > 5").explain())
  /// ```
  ///
  /// - Throws: As `count`.
  public func explain() throws -> QueryExplanation { try selection.explanation(analyze: false) }

  /// Runs the query and returns its plan with actual figures.
  ///
  /// - Throws: As `count`.
  public func analyze() throws -> QueryExplanation { try selection.explanation(analyze: true) }
}
