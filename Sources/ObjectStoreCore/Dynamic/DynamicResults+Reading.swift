internal import QueryEngine
internal import Storage

extension DynamicResults {
  /// The number of objects.
  public var count: Int { get throws { try selection.count } }

  /// Whether there are no objects.
  public var isEmpty: Bool { get throws { try selection.isEmpty } }

  /// Their numbers, in order.
  public var ids: [ObjectNumber] { get throws { try selection.ids } }

  /// The first object; nil if there is none.
  public var first: DynamicObject? { get throws { try selection.first(reader) } }

  /// The last object; nil if there is none.
  public var last: DynamicObject? { get throws { try selection.last(reader) } }

  /// The object at a position from 0; throws `IndexOutOfRange` if there is none.
  public subscript(index: Int) -> DynamicObject { get throws { try selection.item(at: index, reader) } }

  /// All objects, in order.
  public func objects() throws -> [DynamicObject] { try selection.items(reader) }

  /// Calls `body` with each object in order, in one version of the store, without holding all of them in memory.
  ///
  /// - Throws: The error of `body`, which ends the loop.
  public func forEach(_ body: (DynamicObject) throws -> Void) throws {
    try selection.forEach(reader, body)
  }

  /// The values at the given paths of each object, in order; an embedded struct is a single `.embedded` value.
  ///
  /// - Throws: `StoreError.unknownProperty` for a path without a property.
  public func rows(_ paths: [String]) throws -> [[Value]] {
    var rows: [[Value]] = []
    try forEachRow(paths) { rows.append($0) }
    return rows
  }

  /// Calls `body` with the values at the given paths of each object in order: in one snapshot, with one row in memory,
  /// reading only the requested columns.
  ///
  /// - Throws: `StoreError.unknownProperty` for a path without a property; the error of `body`, which ends the loop.
  public func forEachRow(_ paths: [String], _ body: ([Value]) throws -> Void) throws {
    try selection.forEach({ try RowReader(paths, $0, $1) }, body)
  }

  /// Like `forEachRow`, with each object's ID, and with names instead of linked objects: the value of the unique
  /// property of each, if it has one.
  public func forEachNamedRow(_ paths: [String], _ body: (ObjectNumber, [Value]) throws -> Void) throws {
    try selection.forEach({ try NamedRowReader(paths, $0, $1) }, body)
  }

  /// The maximum of the values at a path, skipping nil and NaN; `.null` without values.
  public func max(of path: String) throws -> Value { try selection.aggregate(.maximum, of: path) }

  /// The minimum of the values at a path, skipping nil and NaN; `.null` without values.
  public func min(of path: String) throws -> Value { try selection.aggregate(.minimum, of: path) }

  /// The sum of the values at a path, skipping nil and NaN; 0 without values, `.null` if integers overflow.
  public func sum(of path: String) throws -> Value { try selection.aggregate(.sum, of: path) }

  /// The mean of the values at a path, skipping nil and NaN; nil without values.
  public func average(of path: String) throws -> Double? { try selection.aggregate(.average, of: path).number }

  /// How it would be answered: the plan as a tree, a line a node.
  public func explain() throws -> QueryExplanation { try selection.explanation(analyze: false) }

  /// Runs the query and returns its plan with actual figures.
  public func analyze() throws -> QueryExplanation { try selection.explanation(analyze: true) }
}
