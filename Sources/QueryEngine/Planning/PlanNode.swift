internal import PredicateLanguage
internal import Storage

/// One node of a plan: what it does, what it does it to, and how many objects it should give. The tree is data; the
/// executor runs it and the explanation prints it.
///
/// Unchanging, and one object: plans are handed around, and each time one reference is counted.
final class PlanNode: Sendable {
  /// What a node does.
  enum Kind: Sendable {
    /// No objects: the condition cannot hold.
    case nothing
    /// Every object, cluster by cluster.
    case scan
    /// Those of some objects that exist, in an order of their own, repeated or not.
    case given([UInt64])
    /// The objects in ranges of an index.
    case indexRange(IndexRange)
    /// The objects whose texts have some phrases, by a trigram index.
    case trigrams(TrigramSearch)
    /// The objects that any child gives.
    case indexUnion
    /// The objects that all children give.
    case indexIntersection
    /// The objects that link to those of a set, by the store's own index of who links where.
    case inverseWalk(InverseWalk)
    /// All objects in the order of an index; `descending` reverses keys, never the objects of one key.
    case indexOrder(IndexRange, descending: Bool)
    /// The first object of each key in ranges of an index.
    case indexKeys(IndexRange)
    /// No objects, but what they are reduced to, by the first and last keys of ranges.
    case indexEnds(IndexMinMax)
    /// Those of the child's objects for which a condition holds.
    case filter([Conjunct])
    /// The child's objects in order.
    case sort([BoundSortKey])
    /// The first objects in order.
    case topK([BoundSortKey], count: Int)
    /// The first of each group of equal values.
    case distinct([BoundExpression], syntax: [ExpressionSyntax])
    /// Some in the middle.
    case window(offset: Int, limit: Int?)
  }

  let kind: Kind
  let children: [PlanNode]
  /// How many objects it should give.
  let rows: Double
  /// Its place in the plan, counted from the root down; counters are kept by it.
  let id: Int

  init(kind: Kind, children: [PlanNode] = [], rows: Double = 0, id: Int = 0) {
    self.kind = kind
    self.children = children
    self.rows = rows
    self.id = id
  }

  /// The same with another number of objects.
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

  /// The number of the index that the objects come from, when it is one.
  var leafIndex: UInt32? {
    switch kind {
    case .indexRange(let range), .indexOrder(let range, _), .indexKeys(let range): range.index.number
    case .filter, .sort, .topK, .distinct, .window: children.first?.leafIndex
    default: nil
    }
  }

  /// Whether its objects come from all clusters.
  var isScan: Bool {
    switch kind {
    case .scan: true
    case .filter, .sort, .topK, .distinct, .window: children.first?.isScan ?? false
    default: false
    }
  }

  /// Whether its objects were given, and so have an order of their own.
  var isGiven: Bool {
    switch kind {
    case .given: true
    case .filter, .sort, .topK, .distinct, .window: children.first?.isGiven ?? false
    case .nothing, .scan, .indexRange, .trigrams, .indexUnion, .indexIntersection, .inverseWalk, .indexOrder,
      .indexKeys, .indexEnds:
      false
    }
  }

  /// What its index walks should take, in nanoseconds: as much as that is no reason to give them up.
  var expectedWalk: Double {
    switch kind {
    case .indexRange: rows * CostModel.indexEntry
    case .indexKeys: rows * CostModel.indexKey
    case .trigrams(let search): CostModel.trigrams(search)
    case .inverseWalk(let walk): walk.targets.expected * CostModel.indexSeek + rows * CostModel.indexEntry
    default: children.reduce(0) { $0 + $1.expectedWalk }
    }
  }

  /// How many nodes there are.
  var count: Int { 1 + children.reduce(0) { $0 + $1.count } }
}

/// One condition of an AND, with what the planner knows of it.
struct Conjunct: Sendable {
  let predicate: BoundPredicate
  let condition: Filter
  /// What part of the objects it holds for, 0…1.
  var selectivity: Double
  /// Nanoseconds for one object.
  let cost: Double
  /// Its place in the AND.
  var place = 0
}

/// A walk from linked objects back to those that link to them.
struct InverseWalk: Sendable {
  /// The index, with its link column.
  let index: StoredIndex
  let column: Int
  /// The linked objects.
  let targets: SemijoinSet
}
