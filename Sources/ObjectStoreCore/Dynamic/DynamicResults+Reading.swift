internal import QueryEngine
internal import Storage

extension DynamicResults {
  /// How many objects.
  public var count: Int { get throws { try selection.count } }

  /// Whether there are none.
  public var isEmpty: Bool { get throws { try selection.isEmpty } }

  /// Their numbers, in order.
  public var ids: [ObjectNumber] { get throws { try selection.ids } }

  /// The first object; nil when there is none.
  public var first: DynamicObject? { get throws { try selection.first(reader) } }

  /// The last object; nil when there is none.
  public var last: DynamicObject? { get throws { try selection.last(reader) } }

  /// The object at a position from 0; throws `IndexOutOfRange` when there is none.
  public subscript(index: Int) -> DynamicObject { get throws { try selection.item(at: index, reader) } }

  /// All of them, in order.
  public func objects() throws -> [DynamicObject] { try selection.items(reader) }

  /// Calls `body` with each in order: of one version of the store, and without all of them in memory.
  ///
  /// - Throws: what `body` throws, which ends it.
  public func forEach(_ body: (DynamicObject) throws -> Void) throws {
    try selection.forEach(reader, body)
  }

  /// The values at the given paths of each object, in order; an embedded struct is one `.embedded` value.
  ///
  /// - Throws: `StoreError.unknownProperty` for a path that leads nowhere.
  public func rows(_ paths: [String]) throws -> [[Value]] {
    var rows: [[Value]] = []
    try forEachRow(paths) { rows.append($0) }
    return rows
  }

  /// Calls `body` with the values at the given paths of each object in order: one snapshot, one row in memory, and only
  /// the columns that are asked for are read.
  ///
  /// - Throws: `StoreError.unknownProperty` for a path that leads nowhere; what `body` throws, which ends it.
  public func forEachRow(_ paths: [String], _ body: ([Value]) throws -> Void) throws {
    try selection.forEach({ try RowReader(paths, $0, $1) }, body)
  }

  /// As `forEachRow`, with each object's number, and with names instead of the objects that links lead to: the unique
  /// property of each, where it has one.
  public func forEachNamedRow(_ paths: [String], _ body: (ObjectNumber, [Value]) throws -> Void) throws {
    try selection.forEach({ try NamedRowReader(paths, $0, $1) }, body)
  }

  /// The largest value of a path, leaving nil and NaN out; `.null` of nothing.
  public func max(of path: String) throws -> Value { try selection.aggregate(.maximum, of: path) }

  /// The smallest value of a path, leaving nil and NaN out; `.null` of nothing.
  public func min(of path: String) throws -> Value { try selection.aggregate(.minimum, of: path) }

  /// The sum of a path, leaving nil and NaN out; 0 of nothing, `.null` when whole numbers overflow.
  public func sum(of path: String) throws -> Value { try selection.aggregate(.sum, of: path) }

  /// The mean of a path, leaving nil and NaN out; nil of nothing.
  public func average(of path: String) throws -> Double? { try selection.aggregate(.average, of: path).number }

  /// How it would be answered: the plan as a tree, a line a node.
  public func explain() throws -> QueryExplanation { try selection.explanation(analyze: false) }

  /// Answers it and says how it was done: the plan with actual figures.
  public func analyze() throws -> QueryExplanation { try selection.explanation(analyze: true) }
}
