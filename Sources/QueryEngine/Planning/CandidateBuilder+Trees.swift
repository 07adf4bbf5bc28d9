internal import PredicateLanguage
internal import Storage

/// Builds the plan tree over an access path: the remaining filters, then the tails.
extension CandidateBuilder {
  /// The conjuncts that remain to be evaluated, the cheap and selective ones first.
  func rest(after answered: Set<Int>) -> [Conjunct] {
    let all = order ?? Self.ordered(conjuncts)
    order = all
    return answered.isEmpty ? all : all.filter { !answered.contains($0.place) }
  }

  private static func ordered(_ conjuncts: [Conjunct]) -> [Conjunct] {
    if conjuncts.count < 2 { return conjuncts }
    func rank(_ conjunct: Conjunct) -> Double { conjunct.cost / max(1e-6, 1 - conjunct.selectivity) }
    return conjuncts.sorted {
      let (first, second) = (rank($0), rank($1))
      return first == second ? $0.place < $1.place : first < second
    }
  }

  /// Estimates how many objects remain. A conjunct that is already known to hold and is only rechecked removes none.
  func rows(_ rows: Double, after conjuncts: [Conjunct], known: Set<Int> = []) -> Double {
    conjuncts.reduce(rows) { known.contains($1.place) ? $0 : $0 * $1.selectivity }
  }

  /// A filter over a node.
  func filtered(_ node: PlanNode, by conjuncts: [Conjunct], known: Set<Int> = []) -> PlanNode {
    if conjuncts.isEmpty { return node }
    return PlanNode(
      kind: .filter(conjuncts), children: [node], rows: rows(node.rows, after: conjuncts, known: known))
  }

  /// Whether a sort with a limit uses a top-k heap. If many objects are requested, a full sort is cheaper.
  static func takesFirst(_ count: Int, of rows: Double) -> Bool {
    count <= 1_000 || count <= 100_000 && Double(count) * 64 <= rows
  }

  /// The node with the tails on top of it, without the first `skipping` tails, which the node already implements.
  func withTails(_ node: PlanNode, skipping: Int) throws -> PlanNode {
    var node = node
    var tails = tails.dropFirst(skipping)
    while let stage = tails.popFirst() {
      let rows = node.rows
      switch stage {
      case .sort(let keys):
        let keys = try compiler.links?.keys(keys, of: entity, for: rows) ?? keys
        if case .window(let offset, let limit?)? = tails.first {
          let count = offset.addingReportingOverflow(limit)
          if !count.overflow, Self.takesFirst(count.partialValue, of: rows) {
            node = PlanNode(
              kind: .topK(keys, count: count.partialValue), children: [node],
              rows: min(rows, Double(count.partialValue)))
            continue
          }
        }
        node = PlanNode(kind: .sort(keys), children: [node], rows: rows)
      case .distinct(let expressions, let syntax):
        let expressions = try expressions.map { try compiler.links?.key($0, of: entity, for: rows) ?? $0 }
        node = PlanNode(
          kind: .distinct(expressions, syntax: syntax), children: [node],
          rows: try distinctCount(of: expressions, among: rows))
      case .window(let offset, let limit):
        let left = max(0, rows - Double(offset))
        node = PlanNode(
          kind: .window(offset: offset, limit: limit), children: [node],
          rows: limit.map { min(Double($0), left) } ?? left)
      case .filter(let predicate):
        let parts = if case .and(let parts) = predicate { parts } else { [predicate] }
        let conjuncts = try parts.map { part in
          let filter = try compiler.compile(part)
          return Conjunct(
            predicate: part, filter: filter, selectivity: filter.estimate ?? 0.5,
            cost: CostModel.perObject(part, filter, objects: rows, coded: coded))
        }
        node = PlanNode(kind: .filter(conjuncts), children: [node], rows: rows / 2)
      }
    }
    return node
  }
}
