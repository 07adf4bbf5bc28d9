internal import Storage

/// A search in an index whose keys cannot be read in ranges: the objects that it finds for some conjuncts.
///
/// Each such kind of index has a type of its own; the planner, the executor and EXPLAIN know only this.
protocol IndexSearch: Sendable {
  /// The name of its node in plans, and of what it finds in the list of rejected candidates.
  static var names: (node: String, found: String) { get }

  var index: StoredIndex { get }
  /// The positions in the AND of the conjuncts that the search answers.
  var answers: Set<Int> { get }
  /// The answered conjuncts that hold for every object found.
  var exact: Set<Int> { get }
  /// The estimated number of objects found, and of the clusters that hold them.
  var rows: Double { get }
  var clusters: Double { get }
  /// The estimated cost in nanoseconds, without reading the objects.
  var cost: Double { get }
  /// The text or values searched for, for EXPLAIN.
  var description: String { get }

  /// The objects found. It calls `noteWork` with the cost of what it has read, in nanoseconds.
  func objectSet(
    of entity: StoredEntity, in snapshot: Snapshot, _ context: ExecutionContext, noteWork: (Double) throws -> Void
  ) throws -> ObjectSet
}

/// Finds how such an index answers the conjuncts of a predicate.
protocol IndexSearchAccess {
  init(_ index: StoredIndex, of entity: StoredEntity, in snapshot: Snapshot) throws

  /// The search that answers conjuncts; nil if the index answers none. `filter` compiles a conjunct.
  func search(for conjuncts: [BoundPredicate], filter: (Int) throws -> any Filter) throws -> (any IndexSearch)?
}
