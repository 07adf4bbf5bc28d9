internal import PredicateLanguage
internal import Storage

/// The access paths: the scan; indexes alone, together and for the parts of an OR; and links walked backwards.
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

  /// The candidate for one index alone.
  func one(_ leaf: IndexLeaf) throws -> PlanCandidate {
    let rest = rest(after: leaf.exact)
    let rows = rowsLeft(of: leaf, by: rest)
    let clusters = readsClusters(rest) ? try clusters(of: leaf) : 0
    return PlanCandidate(
      name: leaf.name, cost: leaf.cost + fetchCost(leaf.rows, rest, clusters: clusters) + tailCost(rows),
      indexes: [leaf.index]
    ) { [self] in try withTails(filtered(leaf.node, by: rest).expecting(rows), skipping: 0) }
  }

  /// The number of objects of a leaf that pass the remaining filters. A search finds more objects than pass the filter
  /// that it answers; how many pass was estimated by sampling.
  private func rowsLeft(of leaf: IndexLeaf, by rest: [Conjunct]) -> Double {
    let left = rows(leaf.rows, after: rest, known: leaf.answers)
    guard leaf.isSearch, leaf.exact.isEmpty, leaf.answers.count == 1, let place = leaf.answers.first else {
      return left
    }
    return left * min(1, objectCount * conjuncts[place].selectivity / max(1, leaf.rows))
  }

  /// The candidate for two indexes that answer different conjuncts.
  func both(_ first: IndexLeaf, _ second: IndexLeaf) -> PlanCandidate {
    let rest = rest(after: first.exact.union(second.exact))
    let known = first.answers.union(second.answers)
    let rows = objectCount > 0 ? first.rows * second.rows / objectCount : 0
    let cost = first.cost + second.cost + fetchCost(rows, rest)
    return PlanCandidate(
      name: "\(first.name) and \(second.name)", cost: cost + tailCost(self.rows(rows, after: rest, known: known)),
      indexes: [first.index, second.index]
    ) { [self] in
      let leaf = PlanNode(kind: .indexIntersection, children: [first.node, second.node], rows: rows)
      return try withTails(filtered(leaf, by: rest, known: known), skipping: 0)
    }
  }

  /// The candidate for an OR with an index for each of its parts; with `searching` at least one of them is searched.
  func union(_ parts: [BoundPredicate], _ place: Int, searching: Bool) throws -> PlanCandidate? {
    if searching, searched.isEmpty || parts.count > Self.mostSearches { return nil }
    var leaves: [IndexLeaf] = []
    var isExact = true
    for part in parts {
      let inner = if case .and(let inner) = part { inner } else { [part] }
      var found = try bestRange(for: inner).map { [$0] } ?? []
      if searching {
        found += try searched.compactMap { access, _ in
          try access.search(for: inner) { try compiler.compile(inner[$0]) }.map(IndexLeaf.init)
        }
      }
      guard let best = found.min(by: { $0.cost < $1.cost }) else { return nil }
      isExact = isExact && best.exact.count == inner.count
      leaves.append(best)
    }
    if searching, !leaves.contains(where: \.isSearch) { return nil }
    let rows = min(objectCount, leaves.reduce(0) { $0 + $1.rows })
    let rest = rest(after: isExact ? [place] : [])
    let nodes = leaves.map(\.node)
    let joined = IndexRange(joining: nodes, isExact: isExact, answers: [place])
    let leaf =
      if let joined { PlanNode(kind: .indexRange(joined), rows: rows) } else {
        PlanNode(kind: .indexUnion, children: nodes, rows: rows)
      }
    let node = filtered(leaf, by: rest, known: [place])
    let used = leaves.reduce(into: [IndexLeaf]()) { used, leaf in
      if !used.contains(where: { $0.index == leaf.index }) { used.append(leaf) }
    }
    return PlanCandidate(
      name: (joined == nil ? "union of " : "") + used.map(\.name).joined(separator: ", "),
      cost: leaves.reduce(0) { $0 + $1.cost } + fetchCost(rows, rest) + tailCost(node.rows),
      indexes: used.map(\.index)
    ) { [self] in try withTails(node, skipping: 0) }
  }

  /// The maximum number of parts of an OR that are searched.
  private static var mostSearches: Int { 64 }

  /// The ranges of one index that contain every object that satisfies some predicates; of several indexes, the ranges
  /// with the fewest objects.
  private func bestRange(for predicates: [BoundPredicate]) throws -> IndexLeaf? {
    let objects = try snapshot.objectCount(entity)
    var best: IndexLeaf?
    for index in entity.indexes where index.isReadable {
      let reader = try snapshot.index(index, of: entity)
      let access = IndexAccess(entity: entity, index: index, hasLongKeys: reader.hasLongKeys, objects: objects)
      guard let range = access.range(for: predicates) else { continue }
      let rows = estimatedRows(range, try AccessPath.counted(range, reader))
      if rows < best?.rows ?? .infinity { best = IndexLeaf(range, rows: rows) }
    }
    return best
  }

  /// The candidate for a predicate on linked objects that finds those first, then the objects that link to them.
  func inverseWalk(_ place: Int) throws -> PlanCandidate? {
    guard let (column, targets) = conjuncts[place].targets,
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
