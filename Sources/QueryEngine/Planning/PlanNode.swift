internal import PredicateLanguage
internal import Storage

/// One node of a plan: what it does, what it does it to, and how many objects it should give. The tree is data; the
/// executor runs it and the explanation prints it.
struct PlanNode: Sendable {
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

  var kind: Kind
  var children: [PlanNode] = []
  /// How many objects it should give.
  var rows: Double = 0
  /// Its place in the plan, counted from the root down; counters are kept by it.
  var id = 0

  /// The tree with every node numbered.
  func numbered() -> PlanNode {
    var next = 0
    func number(_ node: PlanNode) -> PlanNode {
      var node = node
      node.id = next
      next += 1
      node.children = node.children.map(number)
      return node
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

  /// How many nodes there are.
  var count: Int { 1 + children.reduce(0) { $0 + $1.count } }
}

/// One condition of an AND, with what the planner knows of it.
struct Conjunct: Sendable {
  let predicate: BoundPredicate
  let condition: Condition
  /// What part of the objects it holds for, 0…1.
  var selectivity: Double
  /// Nanoseconds for one object.
  let cost: Double
}

/// A walk from linked objects back to those that link to them.
struct InverseWalk: Sendable {
  /// The index, with its link column.
  let index: StoredIndex
  let column: Int
  /// The linked objects.
  let targets: TargetSet
}

/// Ranges of one index, with what they ask.
struct IndexRange: Sendable {
  let index: StoredIndex
  let ranges: [IndexKeyRange]
  /// `magnitude in (5, +∞)`, one for each column that is asked about.
  let description: [String]
  /// Whether every object found satisfies what was asked; otherwise the conditions are asked again.
  let isExact: Bool
  /// The conjuncts it answers, by place in the AND.
  let answers: Set<Int>
}

extension IndexRange {
  /// The keys that several ranges of one index hold, as one walk that goes to each of them once and in order; nil where
  /// they are of several indexes, or more than single keys.
  init?(joining nodes: [PlanNode], isExact: Bool, answers: Set<Int>) {
    var index: StoredIndex?
    var keys: [IndexKeyRange] = []
    var words: [String] = []
    for node in nodes {
      guard case .indexRange(let range) = node.kind, index.map({ $0 == range.index }) ?? true,
        range.ranges.allSatisfy({ $0.onlyKey != nil })
      else { return nil }
      index = range.index
      keys += range.ranges
      words.append(range.description.joined(separator: ", "))
    }
    guard let index else { return nil }
    keys.sort { ($0.onlyKey ?? []).lexicographicallyPrecedes($1.onlyKey ?? []) }
    self.init(
      index: index, ranges: keys.reduce(into: []) { if $0.last != $1 { $0.append($1) } },
      description: [Self.words(words)],
      isExact: isExact, answers: answers)
  }

  /// `x = 1` and `x = 2` in one.
  private static func words(_ words: [String]) -> String {
    let equals = " = "
    let parts = words.map { $0.split(separator: equals, maxSplits: 1, omittingEmptySubsequences: false) }
    let shown = 6
    let more = words.count > shown ? ["… \(words.count) values"] : []
    if let name = parts.first?.first, parts.allSatisfy({ $0.count == 2 && $0[0] == name }) {
      return "\(name) in {\((parts.prefix(shown).map { String($0[1]) } + more).joined(separator: ", "))}"
    }
    return (words.prefix(shown) + more).joined(separator: " or ")
  }
}
