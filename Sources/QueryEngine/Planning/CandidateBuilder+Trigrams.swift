internal import Schema
internal import Storage

/// Access paths through trigram indexes: alone, together with ranges of other indexes, and for every part of an OR.
extension CandidateBuilder {
  /// The objects an index finds for some conjuncts.
  private struct Leaf {
    let node: PlanNode
    let answers: Set<Int>
    let exact: Set<Int>
    let cost: Double
    let index: StoredIndex
    /// The number of clusters that hold the objects, if known.
    var clusters: Double?
  }

  /// The trigram indexes, with the search of each for all predicates together.
  func searches() throws -> [(access: TrigramAccess, search: TrigramSearch?)] {
    try entity.indexes.filter { $0.isTrigram && $0.isComplete }.map { index in
      let access = TrigramAccess(entity: entity, index: index, reader: try snapshot.trigrams(index, of: entity))
      return (access, try access.search(for: predicates) { conjuncts[$0].filter })
    }
  }

  func trigrams(besides ranges: [(range: IndexRange, rows: Double)]) throws -> [PlanCandidate] {
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
        name: "trigrams of \(leaf.index.name)",
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

  private func leaf(_ search: TrigramSearch) -> Leaf {
    Leaf(
      node: PlanNode(kind: .trigrams(search), rows: search.expected.texts), answers: search.answers,
      exact: search.exact, cost: CostModel.trigrams(search), index: search.index,
      clusters: search.expected.clusters)
  }

  private func leaf(_ found: (range: IndexRange, rows: Double)) -> Leaf {
    Leaf(
      node: PlanNode(kind: .indexRange(found.range), rows: found.rows), answers: found.range.answers,
      exact: found.range.isExact ? found.range.answers : [], cost: walkCost(found.range, found.rows),
      index: found.range.index)
  }

  private func both(_ first: Leaf, _ second: Leaf) throws -> PlanCandidate {
    let rest = rest(after: first.exact.union(second.exact))
    let rows = objectCount > 0 ? first.node.rows * second.node.rows / objectCount : 0
    let leaf = PlanNode(kind: .indexIntersection, children: [first.node, second.node], rows: rows)
    let node = filtered(leaf, by: rest, known: first.answers.union(second.answers))
    return PlanCandidate(
      name: "trigrams of \(first.index.name) and index \(second.index.name)",
      cost: first.cost + second.cost + fetchCost(rows, rest) + tailCost(node.rows),
      indexes: [first.index, second.index]
    ) { [self] in try withTails(node, skipping: 0) }
  }

  /// The candidate for an OR with an index for each of its parts, at least one of them a trigram index.
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
    guard children.contains(where: { if case .trigrams = $0.node.kind { true } else { false } }) else { return nil }
    let rows = min(objectCount, children.reduce(0) { $0 + $1.node.rows })
    let rest = rest(after: isExact ? [place] : [])
    let node = filtered(
      PlanNode(kind: .indexUnion, children: children.map(\.node), rows: rows), by: rest, known: [place])
    let used = children.reduce(into: [StoredIndex]()) { if !$0.contains($1.index) { $0.append($1.index) } }
    return PlanCandidate(
      name: "union of trigrams of \(used.map(\.name).joined(separator: ", "))",
      cost: children.reduce(0) { $0 + $1.cost } + fetchCost(rows, rest) + tailCost(node.rows), indexes: used
    ) { [self] in try withTails(node, skipping: 0) }
  }

  /// The maximum number of parts of an OR that are looked up.
  private static var mostParts: Int { 64 }
}

extension CostModel {
  /// The cost of reading one position of a trigram and comparing it with others.
  ///
  /// Measured with twenty strings, from one that never occurs to one that nearly always does, among 300,000 places of
  /// earthquakes and among their days: 3 ns for a position of a single trigram, 4 to 6 if several are compared, 40 for
  /// the next cluster of a trigram and 400 for one that is looked up in the tree. Scans took 0.9 to 1.2 times the cost
  /// of the model.
  static let trigramPlace = 3.0

  /// The cost of finding the strings that contain some phrases, without reading the strings.
  static func trigrams(_ search: TrigramSearch) -> Double {
    search.expected.places * trigramPlace
  }
}
