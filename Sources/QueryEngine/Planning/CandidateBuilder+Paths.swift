internal import PredicateLanguage
internal import Storage

/// The access paths: the scan; index ranges alone, together and for the parts of an OR; and links walked backwards.
/// Walks in the order of an index are in `CandidateBuilder+Order.swift`.
extension CandidateBuilder {
  /// The candidate of a predicate that is never true.
  func nothing() -> PlanCandidate {
    PlanCandidate(name: "nothing", cost: 0) { [self] in try withTails(PlanNode(kind: .nothing), skipping: 0) }
  }

  /// The candidate that filters objects given by their IDs.
  func given(_ objects: [UInt64]) throws -> PlanCandidate {
    var objects = objects
    // A sort returns each object once, even if it is given several times.
    if case .sort? = tails.first {
      var known: Set<UInt64> = []
      objects = try objects.filter {
        try cancellation.step()
        return known.insert($0).inserted
      }
    }
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
    var tail = tailCost(rows)
    if let best = try bestClusters(leaving: rows) {
      // The clusters with the best values come first; then the others can be skipped.
      cost = min(
        cost,
        clusterCount * CostModel.cluster + best * CostModel.clusterByNumber
          + CostModel.filter(rest, objects: best * CostModel.slots))
      tail *= min(1, best / max(1, clusterCount))
    }
    if case .window(let offset, let limit?)? = tails.first, rows > 0 {
      cost = Self.scanCost(cost, part: (Double(offset) + Double(limit)) / rows)
    }
    return PlanCandidate(name: "scan", cost: cost + tail) { [self] in
      try withTails(filtered(PlanNode(kind: .scan, rows: objectCount), by: rest), skipping: 0)
    }
  }

  /// The cost of a scan that ends once it has found a part of its objects. Their positions are unknown, and they may
  /// all be at the end, so the cost is at least that of two lookups.
  static func scanCost(_ cost: Double, part: Double) -> Double {
    max(cost * min(1, part), min(cost, 2 * CostModel.indexSeek))
  }

  func one(_ range: IndexRange, rows: Double) throws -> PlanCandidate {
    let rest = rest(after: range.isExact ? range.answers : [])
    let known = range.isExact ? [] : range.answers
    let reader = try snapshot.index(range.index, of: entity)
    let clusters = readsClusters(rest) ? try clusters(ofFirst: rows, in: range, reader, descending: false) : 0
    let cost = walkCost(range, rows) + fetchCost(rows, rest, clusters: clusters)
    return PlanCandidate(
      name: "index \(range.index.name)", cost: cost + tailCost(self.rows(rows, after: rest, known: known)),
      indexes: [range.index]
    ) { [self] in
      let leaf = PlanNode(kind: .indexRange(range), rows: rows)
      return try withTails(filtered(leaf, by: rest, known: known), skipping: 0)
    }
  }

  func intersection(
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

  /// The candidate for an OR with an index for each of its parts.
  func union(_ parts: [BoundPredicate], _ place: Int) throws -> PlanCandidate? {
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

  /// The ranges of one index that contain every object that satisfies some predicates; of several indexes, the ranges
  /// with the fewest objects.
  func bestRange(for predicates: [BoundPredicate]) throws -> (range: IndexRange, rows: Double)? {
    var best: (range: IndexRange, rows: Double)?
    for index in entity.indexes where index.isReadable {
      let reader = try snapshot.index(index, of: entity)
      let access = IndexAccess(entity: entity, index: index, hasLongKeys: reader.hasLongKeys)
      guard let range = access.range(for: predicates) else { continue }
      let rows = estimatedRows(range, try AccessPath.counted(range, reader))
      if best == nil || rows < best?.rows ?? 0 { best = (range, rows) }
    }
    return best
  }

  /// The candidate for a predicate on linked objects that finds those first, then the objects that link to them.
  func inverseWalk(_ place: Int) throws -> PlanCandidate? {
    guard let (column, targets) = conjuncts[place].filter.targetsThatAnswer,
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
}
