internal import Storage

/// One way to find a query's objects, with its cost. What is left of its tree when that is known is made for the one that
/// is chosen, and for the scan that may have to take its place.
struct PlanCandidate {
  /// As it is called among rejected ones.
  let name: () -> String
  /// Nanoseconds, roughly.
  let cost: Double
  /// The indexes it uses.
  let indexes: [StoredIndex]
  /// Whether it gives the order of the sort.
  let isOrdered: Bool
  /// Whether it may turn out that it does not tell what is asked for.
  let mayFail: Bool
  /// How far it should walk in that order, where it need not walk all of it.
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

  /// Whether it is no walk in order and tells what is asked for.
  var isSure: Bool { !isOrdered && !mayFail }

  /// Whether both reach their objects in the same way, whatever is asked of them then.
  func takesSameWay(as other: PlanCandidate) throws -> Bool {
    try name() == other.name() && node().leafIndex == other.node().leafIndex
  }
}
