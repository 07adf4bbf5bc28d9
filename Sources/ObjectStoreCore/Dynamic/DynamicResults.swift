/// The objects of a query on an entity known by name only. It is evaluated when asked.
public struct DynamicResults: Sendable {
  /// The entity, as the file had it when the query was made.
  public let entity: Entity
  /// The entity's leaf columns.
  public let columns: [Column]

  /// Only the objects for which the predicate holds; tails (`SORT(…) LIMIT(…)`) apply too.
  public func filter(_ text: String, arguments: Arguments) throws -> DynamicResults { throw StoreError.unsupported("not yet") }
  /// As above, with arguments for `%@ %K $0` in order.
  public func filter(_ text: String, _ arguments: (any QueryArgument)?...) throws -> DynamicResults { throw StoreError.unsupported("not yet") }
  /// As above, with arguments by name.
  public func filter(_ text: String, _ arguments: [String: (any QueryArgument)?]) throws -> DynamicResults {
    throw StoreError.unsupported("not yet")
  }
  /// In the order of a path or expression; ties stay in the order they had.
  public func sorted(by path: String, ascending: Bool = true) throws -> DynamicResults { throw StoreError.unsupported("not yet") }
  /// Only the first object of each group with equal values of all `paths`.
  public func distinct(by paths: String...) throws -> DynamicResults { throw StoreError.unsupported("not yet") }
  /// At most the first `count` objects.
  public func limit(_ count: Int) -> DynamicResults { self }
  /// Without the first `count` objects.
  public func offset(_ count: Int) -> DynamicResults { self }
  /// The same query, stopped when `cancellation` says so.
  public func cancellable(by cancellation: Cancellation?) -> DynamicResults { self }

  /// How many objects.
  public var count: Int { get throws { throw StoreError.unsupported("not yet") } }
  /// Whether there are none.
  public var isEmpty: Bool { get throws { throw StoreError.unsupported("not yet") } }
  /// Their numbers, in order.
  public var ids: [ObjectNumber] { get throws { throw StoreError.unsupported("not yet") } }
  /// The first object.
  public var first: DynamicObject? { get throws { throw StoreError.unsupported("not yet") } }
  /// The last object.
  public var last: DynamicObject? { get throws { throw StoreError.unsupported("not yet") } }
  /// The object at a position from 0; throws `IndexOutOfRange` when there is none.
  public subscript(index: Int) -> DynamicObject { get throws { throw StoreError.unsupported("not yet") } }
  /// All of them.
  public func objects() throws -> [DynamicObject] { throw StoreError.unsupported("not yet") }
  /// Calls `body` with each in order, in one snapshot and bounded memory.
  public func forEach(_ body: (DynamicObject) throws -> Void) throws { throw StoreError.unsupported("not yet") }
  /// The values at the given paths of each object.
  public func rows(_ paths: [String]) throws -> [[Value]] { throw StoreError.unsupported("not yet") }
  /// Calls `body` with the values at the given paths of each object in order, in one snapshot and bounded memory.
  public func forEachRow(_ paths: [String], _ body: ([Value]) throws -> Void) throws { throw StoreError.unsupported("not yet") }
  /// The largest value of a path, leaving nil and NaN out; `.null` of nothing.
  public func max(of path: String) throws -> Value { throw StoreError.unsupported("not yet") }
  /// The smallest value of a path, leaving nil and NaN out; `.null` of nothing.
  public func min(of path: String) throws -> Value { throw StoreError.unsupported("not yet") }
  /// The sum of a path, leaving nil and NaN out; 0 of nothing, `.null` when whole numbers overflow.
  public func sum(of path: String) throws -> Value { throw StoreError.unsupported("not yet") }
  /// The mean of a path, leaving nil and NaN out; nil of nothing.
  public func average(of path: String) throws -> Double? { throw StoreError.unsupported("not yet") }
  /// How it would be answered.
  public func explain() throws -> QueryExplanation { throw StoreError.unsupported("not yet") }
  /// Answers it and says how it was: with actual figures.
  public func analyze() throws -> QueryExplanation { throw StoreError.unsupported("not yet") }
  /// The query in the language's own words.
  public var predicateFormat: String { "" }
  /// What the binder warns of, such as a comparison with nil that can never hold.
  public var warnings: [Diagnostic] { [] }
}
