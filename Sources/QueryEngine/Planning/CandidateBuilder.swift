internal import Glibc
internal import PredicateLanguage
internal import Schema
internal import Storage

/// Makes the candidates for the planner: every access path for a predicate and its tails, with its cost.
final class CandidateBuilder {
  let entity: StoredEntity
  let snapshot: Snapshot
  let tails: [BoundStage]
  /// The stages that make rows of the objects: groups, SELECT, sections.
  let rows: RowStages
  let predicates: [BoundPredicate]
  var conjuncts: [Conjunct] {
    didSet { order = nil }
  }
  /// The conjuncts, the cheap and selective ones first; computed when first used.
  var order: [Conjunct]?
  let objectCount: Double
  let clusterCount: Double
  let isNever: Bool
  /// The columns of a query that only counts their combinations of values.
  let groupColumns: [Int]?
  /// The aggregates of a query that requests nothing else.
  let reduction: AggregateOnlyQuery?
  let compiler: FilterCompiler
  /// Cached selectivities and counts; nil to estimate everything anew.
  let memory: SelectivityCache?
  let cancellation: CancellationCheck
  /// The string columns with dictionary encoding, on which filters are cheap.
  let coded: [CostModel.Coded]
  /// The access paths of indexes that may help.
  let ways: [AccessPath]

  /// The indexes that are searched, and their searches; empty until the filters are sampled.
  var searched: [(access: any IndexSearchAccess, search: (any IndexSearch)?)] = []

  /// The positions of the matches in the order of the sort; estimated when first used.
  var orderSample: OrderSample?

  /// The number of combinations of the requested values, if an index has them as keys.
  var indexedKeys: Double?

  /// Selectivities observed for queries of the same shape.
  let shape: PlanShapeCache?

  init(
    entity: StoredEntity, snapshot: Snapshot, predicate: BoundPredicate, tails: [BoundStage],
    rows: RowStages = RowStages(), reduction: AggregateOnlyQuery? = nil, links: LinkPlanner,
    shape: PlanShapeCache? = nil
  ) throws {
    self.shape = shape
    self.rows = rows
    groupColumns = rows.grouping?.countedColumns
    self.reduction = reduction ?? rows.grouping?.reduction
    self.entity = entity
    self.snapshot = snapshot
    self.tails = tails
    let objects = Double(try snapshot.objectCount(entity))
    objectCount = objects
    clusterCount = Double(try snapshot.clusterCount(entity))
    var parts: [BoundPredicate]
    switch predicate {
    case .constant: parts = []
    case .and(let inner): parts = inner
    case .or, .not, .comparison, .test, .quantified, .lists, .remembered: parts = [predicate]
    }
    parts = links.joined(parts, of: entity)
    predicates = parts
    isNever = predicate == .constant(false)
    compiler = links.compiler(of: entity)
    let compiler = compiler
    let memory = links.options.namesRejected ? nil : links.options.samples
    self.memory = memory
    cancellation = CancellationCheck(links.options.isCancelled, links.options.memory)
    try cancellation.check()
    if !isNever { links.options.questions?.note(parts, tails, groups: groupColumns, self.reduction, of: entity) }
    coded = isNever ? [] : Self.codedColumns(of: parts, entity, snapshot, memory, clusterCount: clusterCount)
    let coded = coded
    let cancellation = cancellation
    conjuncts = try parts.enumerated().map { place, part in
      try cancellation.step(CancellationCheck.stepsPerPart)
      return try compiler.conjunct(part, objects: objects, coded: coded, place: place)
    }
    ways =
      isNever
      ? []
      : try Self.ways(
        parts, tails, groupColumns ?? self.reduction?.columns, of: entity, in: snapshot, memory)
  }

  /// The access path of each index for some predicates. Indexes that answer none of them are not opened.
  private static func ways(
    _ predicates: [BoundPredicate], _ tails: [BoundStage], _ columns: [Int]?, of entity: StoredEntity,
    in snapshot: Snapshot, _ memory: SelectivityCache?
  ) throws -> [AccessPath] {
    let tested = predicates.compactMap { if case .test(let test) = $0 { test.column } else { nil } }
    let mayOrder =
      switch tails.first {
      case .sort?, .distinct?: true
      case .filter?, .window?, nil: columns != nil
      }
    let objects = try snapshot.objectCount(entity)
    var ways: [AccessPath] = []
    // Most indexes do not help, and copying them would be a waste.
    for place in entity.indexes.indices
    where mayOrder || entity.indexes[place].columns.first.map(tested.contains) ?? false {
      let index = entity.indexes[place]
      guard index.isReadable else { continue }
      let reader = try snapshot.index(index, of: entity)
      let access = IndexAccess(entity: entity, index: index, hasLongKeys: reader.hasLongKeys, objects: objects)
      ways.append(try AccessPath(access, reader, for: predicates, memory, in: snapshot))
    }
    return ways
  }

  /// Every candidate, the scan first.
  ///
  /// - Parameter all: Whether to include indexes that alone cost more than the whole of another candidate.
  func candidates(all: Bool) throws -> [PlanCandidate] {
    if isNever { return [nothing()] }
    indexedKeys = try countedKeys()
    var found = [try scan()]
    var least = found[0].cost
    func add(_ candidate: PlanCandidate?) {
      guard let candidate else { return }
      least = min(least, candidate.cost)
      found.append(candidate)
    }
    add(try ends())
    var leaves: [IndexLeaf] = []
    func alone(_ leaf: IndexLeaf) throws {
      leaves.append(leaf)
      if all || leaf.cost < least { add(try one(leaf)) }
    }
    for case let (_, search?) in searched { try alone(IndexLeaf(search)) }
    for way in ways {
      if let range = way.range { try alone(IndexLeaf(range, rows: estimatedRows(way))) }
      add(try order(way))
      add(try keys(way))
    }
    for (place, first) in leaves.enumerated() {
      for second in leaves[(place + 1)...] where first.answers.isDisjoint(with: second.answers) {
        if all || first.cost + second.cost < least { add(both(first, second)) }
      }
    }
    for (place, predicate) in predicates.enumerated() {
      guard case .or(let parts) = predicate else { continue }
      add(try union(parts, place, searching: false))
      add(try union(parts, place, searching: true))
    }
    for place in conjuncts.indices { add(try inverseWalk(place)) }
    return found
  }
}
