internal import PredicateLanguage
internal import Storage

/// One node of a plan: its operation, its children and its estimated number of objects or rows. The tree is data; the
/// executor runs it and EXPLAIN prints it.
///
/// Immutable, and a class, so that copying a plan costs one reference count.
final class PlanNode: Sendable {
  /// The operation of a node.
  enum Kind: Sendable {
    /// No objects: the predicate is never true.
    case nothing
    /// Every object, cluster by cluster.
    case scan
    /// Given objects that exist, in their own order, with repetitions.
    case given([UInt64])
    /// The objects in ranges of an index.
    case indexRange(IndexRange)
    /// The objects that a search in an index finds.
    case indexSearch(any IndexSearch)
    /// The union of the children.
    case indexUnion
    /// The intersection of the children.
    case indexIntersection
    /// The objects that link to those of a set, from the inverse index.
    case inverseWalk(InverseWalk)
    /// All objects in the order of an index; `descending` reverses the keys, never the objects of a key.
    case indexOrder(IndexRange, descending: Bool)
    /// The first object of each key in ranges of an index.
    case indexKeys(IndexRange)
    /// No objects, but their aggregates, from the first and last keys of ranges.
    case indexEnds(IndexMinMax)
    /// The child's objects that pass a filter.
    case filter([Conjunct])
    /// The groups of the child's objects.
    case group(Grouping)
    /// The child's groups that pass a filter.
    case having(BoundPredicate, PredicateSyntax)
    /// The child's objects or groups in order.
    case sort([BoundSortKey])
    /// The child's first objects in the sort order.
    case topK([BoundSortKey], count: Int)
    /// The first object or group of each combination of values.
    case distinct([BoundExpression], syntax: [ExpressionSyntax])
    /// The child's objects or groups from an offset, up to a limit.
    case window(offset: Int, limit: Int?)
    /// A row of values for each of the child's objects or groups.
    case select([BoundExpression], headings: [String])
    /// The child's rows in sections of equal keys.
    case sections(by: BoundExpression, SortKeySyntax)
    /// The operation of a statement on the objects or rows of the child.
    case statement(StatementOperation)
  }

  let kind: Kind
  let children: [PlanNode]
  /// The estimated number of objects or rows.
  let rows: Double
  /// The number of the node in the plan, counted from the root; its counters have the same number.
  let id: Int

  init(kind: Kind, children: [PlanNode] = [], rows: Double = 0, id: Int = 0) {
    self.kind = kind
    self.children = children
    self.rows = rows
    self.id = id
  }

  /// The node with another estimate.
  func expecting(_ rows: Double) -> PlanNode { PlanNode(kind: kind, children: children, rows: rows, id: id) }

  /// The tree with every node numbered.
  func numbered() -> PlanNode {
    var next = 0
    func number(_ node: PlanNode) -> PlanNode {
      let id = next
      next += 1
      return PlanNode(kind: node.kind, children: node.children.map(number), rows: node.rows, id: id)
    }
    return number(self)
  }

  /// The node that the objects come from: the first that does not only take those of its child.
  var source: PlanNode {
    switch kind {
    case .filter, .group, .having, .sort, .topK, .distinct, .window, .select, .sections, .statement:
      children.first?.source ?? self
    case .nothing, .scan, .given, .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder,
      .indexKeys, .indexEnds:
      self
    }
  }

  /// The number of the index that the objects come from, or nil.
  var leafIndex: UInt32? {
    switch source.kind {
    case .indexRange(let range), .indexOrder(let range, _), .indexKeys(let range): range.index.number
    case .nothing, .scan, .given, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk, .indexEnds, .filter,
      .group,
      .having, .sort, .topK, .distinct, .window, .select, .sections, .statement:
      nil
    }
  }

  /// Whether the objects come from a scan of all clusters.
  var isScan: Bool { if case .scan = source.kind { true } else { false } }

  /// Whether the objects were given, and so have an order of their own.
  var isGiven: Bool { if case .given = source.kind { true } else { false } }

  /// Whether it returns groups, or rows made of groups.
  var returnsGroups: Bool {
    if case .group = kind { return true }
    return children.first?.returnsGroups ?? false
  }

  /// The estimated cost of the node's index walks, in nanoseconds. A walk is not abandoned before it exceeds that cost.
  var expectedWalk: Double {
    switch kind {
    case .indexRange: rows * CostModel.indexEntry
    case .indexKeys: rows * CostModel.indexKey
    case .indexSearch(let search): search.cost
    case .inverseWalk(let walk): walk.targets.expected * CostModel.indexSeek + rows * CostModel.indexEntry
    case .nothing, .scan, .given, .indexUnion, .indexIntersection, .indexOrder, .indexEnds, .filter, .group, .having,
      .sort, .topK, .distinct, .window, .select, .sections, .statement:
      children.reduce(0) { $0 + $1.expectedWalk }
    }
  }

  /// For an operation that the node above does not expect: a mistake of the planner, which must not become an answer.
  var isMisplaced: StoreError {
    StoreError.unsupported("a plan with an operation in the wrong place; please report the query")
  }

  /// The number of nodes in the tree.
  var count: Int { 1 + children.reduce(0) { $0 + $1.count } }
}

/// One filter of an AND, with the planner's estimates.
struct Conjunct: Sendable {
  let predicate: BoundPredicate
  let filter: any Filter
  /// The fraction of the objects that pass, 0…1.
  var selectivity: Double
  /// The cost in nanoseconds per object.
  let cost: Double
  /// The link column and the only targets whose sources can pass, if there are such.
  var targets: (column: Int, set: SemijoinSet)?
  /// Its position in the AND.
  var place = 0
}

/// A walk from linked objects back to the objects that link to them.
struct InverseWalk: Sendable {
  /// The inverse index, with its link column.
  let index: StoredIndex
  let column: Int
  /// The linked objects.
  let targets: SemijoinSet
}
