internal import Storage

/// A possible plan with its cost. Its full tree is made only for the candidate that is chosen, and for the scan that
/// may replace it.
struct PlanCandidate {
  /// Its name in the list of rejected candidates.
  let name: () -> String
  /// The cost, roughly in nanoseconds.
  let cost: Double
  /// The indexes it uses.
  let indexes: [StoredIndex]
  /// Whether it returns the objects in the order of the sort.
  let isOrdered: Bool
  /// Whether it may turn out unable to produce the result.
  let mayFail: Bool
  /// The expected extent of the walk in that order; nil if it walks the whole order.
  var order: MatchDistribution?
  /// Makes the tree.
  let node: () throws -> PlanNode

  init(
    name: @autoclosure @escaping () -> String, cost: Double, indexes: [StoredIndex] = [], isOrdered: Bool = false,
    mayFail: Bool = false, node: @escaping () throws -> PlanNode
  ) {
    self.name = name
    self.cost = cost
    self.indexes = indexes
    self.isOrdered = isOrdered
    self.mayFail = mayFail
    self.node = node
  }

  /// Whether the candidate does not walk in order and always produces the result.
  var isSure: Bool { !isOrdered && !mayFail }

  /// Whether both candidates use the same access path, regardless of the filters on it.
  func takesSameWay(as other: PlanCandidate) throws -> Bool {
    try name() == other.name() && node().leafIndex == other.node().leafIndex
  }
}
