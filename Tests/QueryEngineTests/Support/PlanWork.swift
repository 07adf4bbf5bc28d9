import Glibc
import PredicateLanguage
import Storage

@testable import QueryEngine

/// What running a plan takes, counted in index entries, places of trigrams, clusters and objects asked, and weighed as the
/// cost model does. It knows no time.
enum PlanWork {
  /// What a plan takes, and how many objects it finds.
  static func of(_ plan: Plan, in snapshot: Snapshot) throws -> Double {
    let metrics = ExecutionMetrics(plan: plan)
    let executor = Executor(plan, snapshot, metrics: metrics)
    _ = try executor.objects(plan.root)
    let root = metrics.gaveUp ? plan.fallback ?? plan.root : plan.root
    return Double(executor.walkedEntries) * CostModel.indexEntry
      + Double(executor.orderedEntries) * CostModel.orderedEntry
      + Double(executor.orderedRanges) * CostModel.indexSeek + executor.lostWork
      + of(root, metrics, isAsked: false)
  }

  /// What the chosen plan of a query takes, and what every plan takes that could have been chosen, the scan first.
  static func compared(
    _ query: CompiledQuery, choosing chosen: Plan? = nil, in snapshot: Snapshot
  ) throws -> (chosen: Double, all: [Double]) {
    let plan = try chosen ?? query.plan(in: snapshot)
    let all = try (0..<query.planCount(in: snapshot)).map {
      try of(query.plan(in: snapshot, options: PlannerOptions(access: .enumerated($0))), in: snapshot)
    }
    return (try of(plan, in: snapshot), all)
  }

  /// What is wrong with a choice; nil where it takes not much more than the best way, what a few look-ups take aside.
  static func worse(_ text: String, _ work: (chosen: Double, all: [Double]), than most: Double = 1.25) -> String? {
    let best = work.all.min() ?? 0
    guard work.chosen > most * best + 4 * CostModel.indexSeek else { return nil }
    return "\(text): \(Int(work.chosen)) instead of \(Int(best)) of \(work.all.map { Int($0) })"
  }

  private static func of(_ node: PlanNode, _ metrics: ExecutionMetrics, isAsked: Bool) -> Double {
    let counters = metrics.nodes[node.id]
    let clusters = isAsked ? Double(counters.clustersRead) * CostModel.clusterByNumber : 0
    let below = node.children.reduce(0) { $0 + of($1, metrics, isAsked: isAsked) }
    switch node.kind {
    case .scan: return Double(counters.clustersRead + counters.clustersWithout) * CostModel.cluster
    case .indexRange(let range): return Double(range.ranges.count) * CostModel.indexSeek + clusters
    case .indexSearch: return clusters
    case .indexUnion, .indexIntersection:
      return node.children.reduce(clusters) { $0 + of($1, metrics, isAsked: false) }
    case .indexOrder: return CostModel.indexEnd
    case .filter(let conjuncts):
      guard let child = node.children.first else { return 0 }
      if case .indexOrder = child.kind {
        // Whole clusters are asked, each once.
        let clusters = Double(counters.clustersRead)
        return clusters * CostModel.clusterByNumber
          + CostModel.filter(conjuncts, objects: clusters * CostModel.slots) + below
      }
      let isScan = if case .scan = child.kind { true } else { false }
      let asked = Double(metrics.nodes[child.id].rows) * (isScan ? 1 : CostModel.askedPerObject)
      return CostModel.filter(conjuncts, objects: asked) + of(child, metrics, isAsked: true)
    case .topK:
      guard let child = node.children.first else { return 0 }
      return of(child, metrics, isAsked: true) + Double(metrics.nodes[child.id].rows) * CostModel.topKComparison
    case .sort:
      guard let child = node.children.first else { return 0 }
      let rows = Double(metrics.nodes[child.id].rows)
      return of(child, metrics, isAsked: true) + rows * log2(rows + 2) * CostModel.sortStep
    case .distinct:
      guard let child = node.children.first else { return 0 }
      return of(child, metrics, isAsked: true) + Double(metrics.nodes[child.id].rows) * CostModel.groupedRow
    default: return below
    }
  }
}
