internal import Schema
internal import Storage

/// Access paths through searches in indexes: alone, together with ranges of other indexes, and for every part of an OR.
extension CandidateBuilder {
  /// The objects an index finds for some conjuncts.
  private struct Leaf {
    let node: PlanNode
    let answers: Set<Int>
    let exact: Set<Int>
    let cost: Double
    let index: StoredIndex
    /// Its name in the list of rejected candidates.
    let name: String
    /// The number of clusters that hold the objects, if known.
    var clusters: Double?
  }

  /// The indexes that are searched, with the search of each for all predicates together.
  func searches() throws -> [(access: any IndexSearchAccess, search: (any IndexSearch)?)] {
    try entity.indexes.compactMap { index in
      guard let access = try index.searchAccess?.init(index, of: entity, in: snapshot) else { return nil }
      return (access, try access.search(for: predicates) { conjuncts[$0].filter })
    }
  }

  func searches(besides ranges: [(range: IndexRange, rows: Double)]) throws -> [PlanCandidate] {
    if searched.isEmpty { return [] }
    let found = searched.compactMap { $0.search.map(leaf) }
    let others = ranges.map(leaf)
    var candidates = found.map { leaf in
      let rest = rest(after: leaf.exact)
      var node = filtered(leaf.node, by: rest, known: leaf.answers)
      if let place = leaf.answers.first, leaf.answers.count == 1, leaf.exact.isEmpty {
        node = node.expecting(
          node.rows * min(1, objectCount * conjuncts[place].selectivity / max(1, leaf.node.rows)))
      }
      return PlanCandidate(
        name: leaf.name,
        cost: leaf.cost + fetchCost(leaf.node.rows, rest, clusters: leaf.clusters) + tailCost(node.rows),
        indexes: [leaf.index]
      ) { [self, node] in try withTails(node, skipping: 0) }
    }
    for (place, first) in found.enumerated() {
      for second in found[(place + 1)...] + others where first.answers.isDisjoint(with: second.answers) {
        candidates.append(try both(first, second))
      }
    }
    for (place, predicate) in predicates.enumerated() {
      if case .or(let parts) = predicate, let any = try any(of: parts, place) { candidates.append(any) }
    }
    return candidates
  }

  private func leaf(_ search: any IndexSearch) -> Leaf {
    Leaf(
      node: PlanNode(kind: .indexSearch(search), rows: search.rows), answers: search.answers, exact: search.exact,
      cost: search.cost, index: search.index, name: "\(type(of: search).names.found) of \(search.index.name)",
      clusters: search.clusters)
  }

  private func leaf(_ found: (range: IndexRange, rows: Double)) -> Leaf {
    Leaf(
      node: PlanNode(kind: .indexRange(found.range), rows: found.rows), answers: found.range.answers,
      exact: found.range.isExact ? found.range.answers : [], cost: walkCost(found.range, found.rows),
      index: found.range.index, name: "index \(found.range.index.name)")
  }

  private func both(_ first: Leaf, _ second: Leaf) throws -> PlanCandidate {
    let rest = rest(after: first.exact.union(second.exact))
    let rows = objectCount > 0 ? first.node.rows * second.node.rows / objectCount : 0
    let leaf = PlanNode(kind: .indexIntersection, children: [first.node, second.node], rows: rows)
    let node = filtered(leaf, by: rest, known: first.answers.union(second.answers))
    return PlanCandidate(
      name: "\(first.name) and \(second.name)",
      cost: first.cost + second.cost + fetchCost(rows, rest) + tailCost(node.rows),
      indexes: [first.index, second.index]
    ) { [self] in try withTails(node, skipping: 0) }
  }

  /// The candidate for an OR with an index for each of its parts, at least one of them searched.
  private func any(of parts: [BoundPredicate], _ place: Int) throws -> PlanCandidate? {
    guard parts.count <= Self.mostParts else { return nil }
    var children: [Leaf] = []
    var isExact = true
    for part in parts {
      let inner = if case .and(let inner) = part { inner } else { [part] }
      var found = try searched.compactMap { access, _ in
        try access.search(for: inner) { try compiler.compile(inner[$0]) }.map(leaf)
      }
      found += try bestRange(for: inner).map { [leaf($0)] } ?? []
      guard let best = found.min(by: { $0.cost < $1.cost }) else { return nil }
      isExact = isExact && best.exact.count == inner.count
      children.append(best)
    }
    guard children.contains(where: { if case .indexSearch = $0.node.kind { true } else { false } }) else { return nil }
    let rows = min(objectCount, children.reduce(0) { $0 + $1.node.rows })
    let rest = rest(after: isExact ? [place] : [])
    let node = filtered(
      PlanNode(kind: .indexUnion, children: children.map(\.node), rows: rows), by: rest, known: [place])
    let used = children.reduce(into: [Leaf]()) { used, leaf in
      if !used.contains(where: { $0.index == leaf.index }) { used.append(leaf) }
    }
    return PlanCandidate(
      name: "union of \(used.map(\.name).joined(separator: ", "))",
      cost: children.reduce(0) { $0 + $1.cost } + fetchCost(rows, rest) + tailCost(node.rows),
      indexes: used.map(\.index)
    ) { [self] in try withTails(node, skipping: 0) }
  }

  /// The maximum number of parts of an OR that are looked up.
  private static var mostParts: Int { 64 }
}
