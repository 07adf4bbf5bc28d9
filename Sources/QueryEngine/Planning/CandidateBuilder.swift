internal import Glibc
internal import PredicateLanguage
internal import Schema
internal import Storage

/// Makes the candidates that the planner chooses from: every access path for one predicate and its tails, with costs.
final class CandidateBuilder {
  let entity: StoredEntity
  let snapshot: Snapshot
  let tails: [CompiledQuery.Stage]
  let predicates: [BoundPredicate]
  private(set) var conjuncts: [Conjunct]
  /// The conjuncts, cheap and selective ones first; made when it is asked for.
  private var order: [Conjunct]?
  let objectCount: Double
  let clusterCount: Double
  let isNever: Bool
  /// Columns whose combinations of values are to be counted, and nothing else.
  let groupColumns: [Int]?
  /// What the objects are reduced to, and nothing else.
  let reduction: WholeReduction?
  let compiler: ConditionCompiler
  /// The indexes that may be of use.
  let ways: [IndexWay]

  /// The trigram indexes and what each finds; empty until conditions are sampled.
  private(set) var searched: [(access: TrigramAccess, search: TrigramSearch?)] = []

  /// What was seen of the conditions of queries of the same shape.
  private let shape: ShapeMemory?

  init(
    entity: StoredEntity, snapshot: Snapshot, predicate: BoundPredicate, tails: [CompiledQuery.Stage],
    groupColumns: [Int]? = nil, reduction: WholeReduction? = nil, links: LinkPlanner, shape: ShapeMemory? = nil
  ) throws {
    self.shape = shape
    self.groupColumns = groupColumns
    self.reduction = reduction
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
    default: parts = [predicate]
    }
    parts = links.joined(parts, of: entity)
    predicates = parts
    isNever = predicate == .constant(false)
    compiler = ConditionCompiler(entity: entity, links: links)
    let compiler = compiler
    conjuncts = try parts.enumerated().map { place, part in
      let condition = try compiler.compile(part)
      return Conjunct(
        predicate: part, condition: condition, selectivity: condition.estimate ?? 0.5,
        cost: CostModel.perObject(part, condition, objects: objects), place: place)
    }
    ways = isNever ? [] : try Self.ways(parts, tails, groupColumns ?? reduction?.columns, of: entity, in: snapshot)
  }

  /// What each index says of some predicates that may be of use; those that say nothing are not opened.
  private static func ways(
    _ predicates: [BoundPredicate], _ tails: [CompiledQuery.Stage], _ columns: [Int]?, of entity: StoredEntity,
    in snapshot: Snapshot
  ) throws -> [IndexWay] {
    let tested = predicates.compactMap { if case .test(let test) = $0 { test.column } else { nil } }
    let mayOrder =
      switch tails.first {
      case .sort, .distinct: true
      default: columns != nil
      }
    var ways: [IndexWay] = []
    for index in entity.indexes where index.isReadable {
      guard mayOrder || index.columns.first.map(tested.contains) ?? false else { continue }
      let reader = try snapshot.index(index, of: entity)
      let access = IndexAccess(entity: entity, index: index, hasLongKeys: reader.hasLongKeys)
      ways.append(try IndexWay(access, reader, for: predicates))
    }
    return ways
  }

  /// Finds out by asking about a few clusters what part of the objects each condition holds for.
  func sample() throws {
    let patience = Patience(compiler.links?.options.isCancelled)
    var sampler = Selectivity(entity: entity, snapshot: snapshot, patience: patience)
    let counted = countedByIndexes
    if let shape, predicates.count > 1, !mayWalkInOrder {
      let indexed = conjuncts.indices.map(isIndexed)
      // What is cheap is asked along with what an index may find and has not counted.
      let isAsked = zip(indexed, counted).contains { $0 && $1 == nil }
      let least = isAsked ? ConditionLikeness.worthRemembering : 0
      sampler.shape = (shape, zip(conjuncts, indexed).map { $1 ? nil : ConditionLikeness($0, costingAtLeast: least) })
    }
    if !isNever { searched = try searches() }
    sampler.samples = compiler.links?.options.samples
    sampler.known = conjuncts.indices.map { counted[$0] ?? toldByTrigrams($0) }
    let selectivities = try sampler.estimate(conjuncts, clusterCount: Int(clusterCount))
    for place in conjuncts.indices { conjuncts[place].selectivity = selectivities[place] }
    takeFromTrigrams()
    order = nil
  }

  /// What part of the objects a condition holds for, where an index has counted them: that need not be sampled. What lies
  /// together is seen too often in a few clusters, or not at all.
  private var countedByIndexes: [Double?] {
    var parts = [Double?](repeating: nil, count: conjuncts.count)
    for way in ways {
      guard let range = way.range, range.isExact, range.answers.count == 1, let place = range.answers.first,
        let counted = way.counted, counted.isWhole, parts.indices.contains(place)
      else { continue }
      parts[place] = part(Double(counted.count))
    }
    return parts
  }

  /// Where trigrams tell how many objects a condition holds for, that is gone by.
  private func takeFromTrigrams() {
    for search in searched.compactMap(\.search) where search.answers.count == 1 {
      guard let place = search.answers.first else { continue }
      let part = part(search.expected.texts)
      let isExact = !search.exact.isEmpty
      // Those with the trigrams are more than those that pass, and how many of them is seen where there are many.
      if isExact || part < conjuncts[place].selectivity || conjuncts[place].selectivity < Selectivity.leastSeen {
        conjuncts[place].selectivity = part
      }
    }
  }

  /// For what part of the objects a condition holds, as trigrams tell: what it leaves of few texts that have them is
  /// asked about soon enough.
  private func toldByTrigrams(_ place: Int) -> Double? {
    for search in searched.compactMap(\.search) where search.answers == [place] {
      let part = part(search.expected.texts)
      if !search.exact.isEmpty || part <= Selectivity.fewEnough { return part }
    }
    return nil
  }

  /// What part of the objects some are.
  private func part(_ objects: Double) -> Double {
    Selectivity.certain(objects / max(1, objectCount))
  }

  /// Whether an index may have the order that is asked for: how far it is walked then goes by what all conditions leave,
  /// and is not to be taken from other queries.
  private var mayWalkInOrder: Bool {
    switch tails.first {
    case .sort, .distinct: !ways.isEmpty
    default: groupColumns != nil && !ways.isEmpty
    }
  }

  /// Whether an index may find the objects for which a condition holds: how many is not taken from other queries then.
  private func isIndexed(_ place: Int) -> Bool {
    if ways.contains(where: { $0.range?.answers.contains(place) ?? false }) { return true }
    guard case .test(let test) = predicates[place] else { return true }
    return entity.indexes.contains { $0.isTrigram && $0.columns.first == test.column }
  }

  /// Every way, the scan first.
  ///
  /// - Parameter all: Whether those are wanted, too, whose walk alone costs more than all of another.
  func candidates(all: Bool) throws -> [PlanCandidate] {
    if isNever { return [nothing()] }
    var found = [try scan()]
    var least = found[0].cost
    func add(_ candidate: PlanCandidate?) {
      guard let candidate else { return }
      least = min(least, candidate.cost)
      found.append(candidate)
    }
    add(try ends())
    var single: [(range: IndexRange, rows: Double)] = []
    for way in ways {
      if let range = way.range {
        let rows = estimatedRows(way)
        single.append((range, rows))
        if all || walkCost(range, rows) < least { add(try one(range, rows: rows)) }
      }
      add(try order(way))
      add(try keys(way))
    }
    for (place, first) in single.enumerated() {
      for second in single[(place + 1)...] where first.range.answers.isDisjoint(with: second.range.answers) {
        let walks = walkCost(first.range, first.rows) + walkCost(second.range, second.rows)
        if all || walks < least { add(intersection(first, second)) }
      }
    }
    found += try trigrams(besides: single)
    for (place, predicate) in predicates.enumerated() {
      if case .or(let parts) = predicate, let union = try union(parts, place) { found.append(union) }
    }
    for place in conjuncts.indices { if let walk = try inverseWalk(place) { found.append(walk) } }
    return found
  }

  // MARK: Access paths

  /// The one way to find what cannot be.
  func nothing() -> PlanCandidate {
    PlanCandidate(name: "nothing", cost: 0) { [self] in try withTails(PlanNode(kind: .nothing), skipping: 0) }
  }

  /// The one way to ask objects that are known by number.
  func given(_ objects: [UInt64], _ patience: Patience) throws -> PlanCandidate {
    var objects = objects
    // A sort leaves nothing of the order they were given in.
    if case .sort? = tails.first { objects = try ObjectSet(objects, patience).objects }
    let leaf =
      isNever ? PlanNode(kind: .nothing) : PlanNode(kind: .given(objects), rows: Double(objects.count))
    let rest = isNever ? [] : rest(after: [])
    return PlanCandidate(
      name: "given objects", cost: fetchCost(leaf.rows, rest) + tailCost(rows(leaf.rows, after: rest))
    ) { [self] in try withTails(filtered(leaf, by: rest), skipping: 0) }
  }

  func scan() throws -> PlanCandidate {
    let rest = rest(after: [])
    let rows = rows(objectCount, after: rest)
    var cost = clusterCount * CostModel.cluster + CostModel.filter(rest, objects: objectCount)
    if let best = try bestClusters(leaving: rows) {
      // The clusters with the best values are asked first, and then the others need not be.
      cost = min(
        cost,
        clusterCount * CostModel.cluster + best * CostModel.clusterByNumber
          + CostModel.filter(rest, objects: best * CostModel.slots))
    }
    if case .window(let offset, let limit?)? = tails.first, rows > 0 {
      cost *= min(1, (Double(offset) + Double(limit)) / rows)
    }
    return PlanCandidate(name: "scan", cost: cost + tailCost(rows)) { [self] in
      try withTails(filtered(PlanNode(kind: .scan, rows: objectCount), by: rest), skipping: 0)
    }
  }

  func one(_ range: IndexRange, rows: Double) throws -> PlanCandidate {
    let rest = rest(after: range.isExact ? range.answers : [])
    let known = range.isExact ? [] : range.answers
    let reader = try snapshot.index(range.index, of: entity)
    let clusters = rest.isEmpty ? 0 : try clusters(ofFirst: rows, in: range, reader, descending: false)
    let cost = walkCost(range, rows) + fetchCost(rows, rest, clusters: clusters)
    return PlanCandidate(
      name: "index \(range.index.name)", cost: cost + tailCost(self.rows(rows, after: rest, known: known)),
      indexes: [range.index]
    ) { [self] in
      let leaf = PlanNode(kind: .indexRange(range), rows: rows)
      return try withTails(filtered(leaf, by: rest, known: known), skipping: 0)
    }
  }

  private func intersection(
    _ first: (range: IndexRange, rows: Double), _ second: (range: IndexRange, rows: Double)
  ) -> PlanCandidate {
    let exact = [first.range, second.range].filter(\.isExact).reduce(into: Set<Int>()) { $0.formUnion($1.answers) }
    let rest = rest(after: exact)
    let rows = objectCount > 0 ? first.rows * second.rows / objectCount : 0
    let cost = walkCost(first.range, first.rows) + walkCost(second.range, second.rows) + fetchCost(rows, rest)
    return PlanCandidate(
      name: "indexes \(first.range.index.name) and \(second.range.index.name)",
      cost: cost + tailCost(self.rows(rows, after: rest)), indexes: [first.range.index, second.range.index]
    ) { [self] in
      let leaf = PlanNode(
        kind: .indexIntersection,
        children: [first, second].map { PlanNode(kind: .indexRange($0.range), rows: $0.rows) }, rows: rows)
      return try withTails(filtered(leaf, by: rest), skipping: 0)
    }
  }

  /// An OR whose every part an index can answer.
  private func union(_ parts: [BoundPredicate], _ place: Int) throws -> PlanCandidate? {
    var children: [PlanNode] = []
    var indexes: [StoredIndex] = []
    var cost = 0.0
    var isExact = true
    for part in parts {
      let inner = if case .and(let inner) = part { inner } else { [part] }
      guard let best = try bestRange(for: inner) else { return nil }
      if !best.range.isExact || best.range.answers.count < inner.count { isExact = false }
      cost += walkCost(best.range, best.rows)
      if !indexes.contains(best.range.index) { indexes.append(best.range.index) }
      children.append(PlanNode(kind: .indexRange(best.range), rows: best.rows))
    }
    let rows = min(objectCount, children.reduce(0) { $0 + $1.rows })
    let rest = rest(after: isExact ? [place] : [])
    let joined = IndexRange(joining: children, isExact: isExact, answers: [place])
    let leaf =
      if let joined { PlanNode(kind: .indexRange(joined), rows: rows) } else {
        PlanNode(kind: .indexUnion, children: children, rows: rows)
      }
    let node = filtered(leaf, by: rest, known: [place])
    let kind = (joined == nil ? "union of " : "") + (indexes.count == 1 ? "index " : "indexes ")
    return PlanCandidate(
      name: kind + indexes.map(\.name).joined(separator: ", "),
      cost: cost + fetchCost(rows, rest) + tailCost(node.rows), indexes: indexes
    ) { [self] in try withTails(node, skipping: 0) }
  }

  /// The ranges of one index with the fewest objects among which those are for which all of some predicates hold.
  func bestRange(for predicates: [BoundPredicate]) throws -> (range: IndexRange, rows: Double)? {
    var best: (range: IndexRange, rows: Double)?
    for index in entity.indexes where index.isReadable {
      let reader = try snapshot.index(index, of: entity)
      let access = IndexAccess(entity: entity, index: index, hasLongKeys: reader.hasLongKeys)
      guard let range = access.range(for: predicates) else { continue }
      let rows = estimatedRows(range, try IndexWay.counted(range, reader))
      if best == nil || rows < best?.rows ?? 0 { best = (range, rows) }
    }
    return best
  }

  /// A condition on linked objects answered from their side: found first, then who links to them.
  private func inverseWalk(_ place: Int) throws -> PlanCandidate? {
    guard let (column, targets) = conjuncts[place].condition.targetsThatAnswer,
      let index = entity.inverse(ofColumn: column), index.isComplete
    else { return nil }
    let entries = Double(try snapshot.index(index, of: entity).entryCount)
    let perTarget = CostModel.indexSeek + entries / max(1, targets.total) * CostModel.indexEntry
    let rest = rest(after: [place])
    let rows = min(objectCount * conjuncts[place].selectivity, entries)
    let leaf = PlanNode(
      kind: .inverseWalk(InverseWalk(index: index, column: column, targets: targets)), rows: rows)
    let node = filtered(leaf, by: rest)
    let cost = targets.plan.cost + targets.expected * perTarget + fetchCost(rows, rest)
    let path = entity.columns[column].path
    return PlanCandidate(
      name: "inverse of \(path)", cost: cost + tailCost(node.rows), indexes: [index]
    ) { [self] in try withTails(node, skipping: 0) }
  }

  /// An index whose order is the order that the sort asks for.
  func order(_ way: IndexWay) throws -> PlanCandidate? {
    let access = way.access
    guard case .sort(let keys)? = tails.first, !access.hasLongKeys, !access.index.isFolded, !access.index.isInverse,
      let first = keys.first,
      keys.map(\.expression.column) == access.index.columns.map(Optional.some),
      keys.allSatisfy({ $0.ascending == first.ascending })
    else { return nil }
    var range = access.everything
    if let found = way.range, found.isExact, found.ranges.count == 1 { range = found }
    let rest = rest(after: range.answers)
    let rows = range.answers.isEmpty ? objectCount : estimatedRows(way)
    let left = self.rows(rows, after: rest)
    // With a limit the walk ends once enough objects passed.
    var part = 1.0
    if tails.count > 1, case .window(let offset, let limit?) = tails[1], left > 0 {
      part = min(1, (Double(offset) + Double(limit)) / left)
    }
    let walked = rows * part
    let clusters =
      rest.isEmpty ? 0 : try self.clusters(ofFirst: walked, in: range, way.reader, descending: !first.ascending)
    let cost =
      CostModel.indexSeek + walked * CostModel.indexEntry
      + (rest.isEmpty
        ? 0 : clusters * CostModel.clusterByNumber + CostModel.filter(rest, objects: clusters * CostModel.slots))
    return PlanCandidate(
      name: "order of index \(access.index.name)", cost: cost, indexes: [access.index], isOrdered: true
    ) { [self, range] in
      let leaf = PlanNode(kind: .indexOrder(range, descending: !first.ascending), rows: rows)
      return try withTails(filtered(leaf, by: rest), skipping: 1)
    }
  }

  // MARK: Estimates

  /// How many objects the range of an index finds.
  func estimatedRows(_ way: IndexWay) -> Double {
    guard let range = way.range, let counted = way.counted else { return objectCount }
    return estimatedRows(range, counted)
  }

  private func estimatedRows(_ range: IndexRange, _ counted: (count: Int, isWhole: Bool)) -> Double {
    if counted.isWhole { return Double(counted.count) }
    return max(Double(counted.count), range.answers.reduce(objectCount) { $0 * conjunctSelectivity($1) })
  }

  private func conjunctSelectivity(_ place: Int) -> Double {
    conjuncts.indices.contains(place) ? conjuncts[place].selectivity : 1
  }

  func walkCost(_ range: IndexRange, _ rows: Double) -> Double {
    Double(range.ranges.count) * CostModel.indexSeek + rows * CostModel.indexEntry
  }

  /// - Parameter clusters: In how many clusters the objects lie, where that is known.
  func fetchCost(_ rows: Double, _ rest: [Conjunct], clusters: Double? = nil) -> Double {
    if rest.isEmpty { return 0 }
    return (clusters ?? CostModel.clustersTouched(rows, of: clusterCount)) * CostModel.clusterByNumber
      + CostModel.filter(rest, objects: rows * CostModel.askedPerObject)
  }

  func tailCost(_ rows: Double) -> Double {
    if groupColumns != nil { return rows * CostModel.groupedRow }
    if case .distinct? = tails.first { return rows * CostModel.groupedRow }
    guard case .sort? = tails.first else { return 0 }
    if tails.count > 1, case .window(_, .some) = tails[1] { return rows * 4 }
    return rows * log2(rows + 2) * CostModel.sortStep / 4
  }

  // MARK: Trees

  /// The conjuncts that are left to be asked, cheap and selective ones first.
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

  /// How many of some objects are left; conjuncts that are known to hold, and are only asked again, leave no fewer.
  func rows(_ rows: Double, after conjuncts: [Conjunct], known: Set<Int> = []) -> Double {
    conjuncts.reduce(rows) { known.contains($1.place) ? $0 : $0 * $1.selectivity }
  }

  /// A filter over a node.
  func filtered(_ node: PlanNode, by conjuncts: [Conjunct], known: Set<Int> = []) -> PlanNode {
    if conjuncts.isEmpty { return node }
    return PlanNode(
      kind: .filter(conjuncts), children: [node], rows: rows(node.rows, after: conjuncts, known: known))
  }

  /// The node with the tails over it; the first `skipping` are done already.
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
          if !count.overflow, count.partialValue <= 100_000 {
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
          let condition = try compiler.compile(part)
          return Conjunct(
            predicate: part, condition: condition, selectivity: condition.estimate ?? 0.5,
            cost: CostModel.perObject(part, condition, objects: rows))
        }
        node = PlanNode(kind: .filter(conjuncts), children: [node], rows: rows / 2)
      }
    }
    return node
  }
}
