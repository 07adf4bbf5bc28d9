package import Storage

extension Plan {
  /// The indexes that it reads, also for sets of linked objects. An index that only the plan to fall back on would use
  /// is not among them.
  package var indexes: Set<StoredIndex> {
    var found: Set<StoredIndex> = []
    collectIndexes(of: root, into: &found)
    return found
  }

  private func collectIndexes(of node: PlanNode, into found: inout Set<StoredIndex>) {
    switch node.kind {
    case .indexRange(let range), .indexOrder(let range, _), .indexKeys(let range): found.insert(range.index)
    case .indexSearch(let search): found.insert(search.index)
    case .inverseWalk(let walk): found.insert(walk.index)
    case .indexEnds(let ends): found.formUnion(ends.indexes)
    case .nothing, .scan, .given, .indexUnion, .indexIntersection, .filter, .group, .having, .sort, .topK, .distinct,
      .window, .select, .sections, .statement:
      break
    }
    for child in node.children { collectIndexes(of: child, into: &found) }
    for case let targets? in PlanPrinter(self, metrics: nil).linkSteps(node).map(\.targets) {
      found.formUnion(targets.plan.indexes)
    }
  }
}
