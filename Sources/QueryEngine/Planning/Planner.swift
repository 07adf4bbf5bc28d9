internal import Diagnostics
internal import PredicateLanguage
internal import Storage
internal import Values

/// Chooses the plan of a query in one snapshot: simplifies the predicate, finds the indexes that can answer it,
/// estimates costs, and takes the cheapest candidate. It reads a few clusters and index keys, never all objects.
struct Planner {
  let entity: StoredEntity
  let stages: [BoundStage]
  /// The stages that make rows of the objects: groups, SELECT, sections.
  var rows = RowStages()
  var warnings: [Diagnostic] = []
  let snapshot: Snapshot
  let options: PlannerOptions
  /// Selectivities observed for queries of the same shape.
  var shape: PlanShapeCache?
  /// The number of links from the query's entity to the one planned here.
  var depth = 0
  /// The sets of linked objects that are already planned.
  var sets = PlannedSets()

  /// The cheapest plan, or the one that the options select.
  func plan() throws -> Plan {
    // Filters are sampled, on long strings too.
    try CancellationCheck(options.isCancelled).during { try chosenPlan() }
  }

  private func chosenPlan() throws -> Plan {
    StepCounter.add()
    let builder = try builder()
    let certain = options.access == .cheapest && !isGiven ? try builder.certain() : nil
    if let certain, !options.namesRejected {
      return try plan(
        builder, certain, certain.node(), fallback: certain.mayFail ? builder.scan() : nil, walkLimit: .max)
    }
    try builder.sample()
    // Candidates that cannot win are made only for EXPLAIN.
    let comparesAll = options.access != .cheapest || options.namesRejected
    var candidates = try candidates(builder, all: comparesAll)
    var chosen: Int
    switch options.access {
    case .cheapest:
      let same = try certain.flatMap { certain in try candidates.firstIndex { try $0.takesSameWay(as: certain) } }
      chosen = same ?? Self.cheapest(candidates)
      // Counts more of an index range before using it, if it was not fully counted.
      while same == nil,
        try builder.count(further: candidates[chosen].indexes, within: Self.counting * candidates[0].cost)
      {
        candidates = try self.candidates(builder, all: comparesAll)
        chosen = Self.cheapest(candidates)
      }
    case .scanOnly: chosen = 0
    case .forceIndex(let names):
      let fitting = candidates.indices.filter {
        !candidates[$0].indexes.isEmpty && candidates[$0].indexes.allSatisfy { names.contains($0.name) }
      }
      chosen = fitting.min { candidates[$0].cost < candidates[$1].cost } ?? 0
    case .enumerated(let number): chosen = candidates.isEmpty ? 0 : max(0, number) % candidates.count
    }
    let scan = candidates[0]
    let best = candidates.remove(at: chosen)
    let root = try best.node()
    let isForced = options.access != .cheapest
    // A walk in order falls back to the best of the others, any other plan to the scan.
    let other = best.isOrdered ? candidates.filter(\.isSure).min { $0.cost < $1.cost } ?? scan : scan
    let hasOther =
      best.mayFail || !isForced && (best.isOrdered ? best.order != nil : !best.indexes.isEmpty)
    let walk =
      best.isOrdered
      ? max(OrderBudget.share * other.cost, OrderBudget.least)
      : max(0.2 * scan.cost, 1.5 * root.expectedWalk, 2_000 * CostModel.indexEntry)
    return try plan(
      builder, best, root, fallback: hasOther ? other : nil, walkLimit: Int(min(1e15, walk / CostModel.indexEntry)),
      rejected: options.namesRejected ? candidates.sorted { $0.cost < $1.cost }.map { ($0.name(), $0.cost) } : [])
  }

  /// The plan of a candidate, with the nodes that make rows of the objects.
  private func plan(
    _ builder: CandidateBuilder, _ chosen: PlanCandidate, _ root: PlanNode, fallback: PlanCandidate?, walkLimit: Int,
    rejected: [(name: String, cost: Double)] = []
  ) throws -> Plan {
    // Both find the same objects, so they make the same rows of them.
    let rows = try builder.gatheredRows(for: root.rows)
    return Plan(
      entity: entity, root: try builder.withRows(root, rows).numbered(), rows: rows, cost: chosen.cost,
      name: options.namesRejected ? chosen.name() : "",
      fallback: try fallback.map { try builder.withRows($0.node(), rows).numbered() }, walkLimit: walkLimit,
      rejected: rejected, warnings: warnings, options: options, order: chosen.order)
  }

  /// The maximum cost of counting the chosen index, as a fraction of the scan's cost.
  private static let counting = 0.05

  private static func cheapest(_ candidates: [PlanCandidate]) -> Int {
    candidates.indices.min { candidates[$0].cost < candidates[$1].cost } ?? 0
  }

  /// Every candidate, the scan first.
  func candidates() throws -> [PlanCandidate] {
    let builder = try builder()
    try builder.sample()
    return try candidates(builder, all: true)
  }

  /// Only the query's own objects are given; links may lead to any object.
  private var isGiven: Bool { depth == 0 && options.given != nil }

  private func builder() throws -> CandidateBuilder {
    let context = RuleContext(
      entity: entity, now: options.now ?? .now, evaluation: options.evaluation, isCancelled: options.isCancelled)
    let stages = try PlannerStages(stages, context)
    return try CandidateBuilder(
      entity: entity, snapshot: snapshot, predicate: stages.predicate, tails: stages.tails,
      rows: rows.mapped { PlannerRule.prepared($0, context) }, reduction: depth == 0 ? options.reduction : nil,
      links: LinkPlanner(snapshot: snapshot, options: options, depth: depth, sets: sets), shape: shape)
  }

  private func candidates(_ builder: CandidateBuilder, all: Bool) throws -> [PlanCandidate] {
    if isGiven, let given = options.given {
      return [try builder.given(given.map(\.rawValue))]
    }
    return try builder.candidates(all: all)
  }
}
