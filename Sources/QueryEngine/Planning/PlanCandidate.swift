internal import Storage

/// One way to find a query's objects, with its cost. The rest of its tree is made only for the candidate that is
/// chosen, and for the scan that may replace it.
struct PlanCandidate {
  /// Its name in the list of rejected candidates.
  let name: () -> String
  /// Nanoseconds, roughly.
  let cost: Double
  /// The indexes it uses.
  let indexes: [StoredIndex]
  /// Whether it returns the objects in the order of the sort.
  let isOrdered: Bool
  /// Whether it may turn out not to have the answer.
  let mayFail: Bool
  /// How far it is expected to walk in that order; nil where it walks all of it.
  var order: MatchDistribution?
  /// Its tree.
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

  /// Whether it is no walk in order and always has the answer.
  var isSure: Bool { !isOrdered && !mayFail }

  /// Whether both use the same access path, whatever filters follow.
  func takesSameWay(as other: PlanCandidate) throws -> Bool {
    try name() == other.name() && node().leafIndex == other.node().leafIndex
  }
}
