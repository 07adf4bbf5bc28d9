internal import Storage

/// The objects that one index finds for some conjuncts, by ranges of its keys or by a search, with their estimates.
struct IndexLeaf {
  /// The operation that finds them.
  let kind: PlanNode.Kind
  let index: StoredIndex
  /// The positions in the AND of the conjuncts that the index answers.
  let answers: Set<Int>
  /// The answered conjuncts that hold for every object found; the others are rechecked.
  let exact: Set<Int>
  /// The estimated number of objects.
  let rows: Double
  /// The estimated cost in nanoseconds, without reading the objects.
  let cost: Double

  init(_ range: IndexRange, rows: Double) {
    kind = .indexRange(range)
    index = range.index
    answers = range.answers
    exact = range.isExact ? range.answers : []
    self.rows = rows
    cost = CostModel.seeks(range.ranges.count) + rows * CostModel.indexEntry
  }

  init(_ search: any IndexSearch) {
    kind = .indexSearch(search)
    index = search.index
    answers = search.answers
    exact = search.exact
    rows = search.rows
    cost = search.cost
  }

  var node: PlanNode { PlanNode(kind: kind, rows: rows) }

  var isSearch: Bool { if case .indexSearch = kind { true } else { false } }

  /// Its name in the list of rejected candidates.
  var name: String {
    if case .indexSearch(let search) = kind { return "\(type(of: search).names.found) of \(index.name)" }
    return "index \(index.name)"
  }
}
