internal import Schema
internal import Storage

/// Access paths through trigram indexes: alone, together with ranges of other indexes, and for every part of an OR.
extension CandidateBuilder {
  /// What an index finds for some conjuncts.
  private struct Leaf {
    let node: PlanNode
    let answers: Set<Int>
    let exact: Set<Int>
    let cost: Double
    let index: StoredIndex
  }

  func trigrams(besides ranges: [(range: IndexRange, rows: Double)]) throws -> [PlanCandidate] {
    let indexes = try readers()
    if indexes.isEmpty { return [] }
    let found = try indexes.compactMap { access in
      try leaf(access, predicates) { conjuncts[$0].condition }
    }
    let others = ranges.map(leaf)
    var candidates = found.map { leaf in
      let rest = rest(after: leaf.exact)
      let node = filtered(leaf.node, by: rest, known: leaf.answers)
      return PlanCandidate(
        name: "trigrams of \(leaf.index.name)",
        cost: leaf.cost + fetchCost(leaf.node.rows, rest) + tailCost(node.rows), indexes: [leaf.index]
      ) { [self] in try withTails(node, skipping: 0) }
    }
    for (place, first) in found.enumerated() {
      for second in found[(place + 1)...] + others where first.answers.isDisjoint(with: second.answers) {
        candidates.append(try both(first, second))
      }
    }
    for (place, predicate) in predicates.enumerated() {
      if case .or(let parts) = predicate, let any = try any(of: parts, place, indexes) { candidates.append(any) }
    }
    return candidates
  }

  private func readers() throws -> [TrigramAccess] {
    try entity.indexes.filter { $0.isTrigram && $0.isComplete }.map {
      TrigramAccess(entity: entity, index: $0, reader: try snapshot.trigrams($0, of: entity))
    }
  }

  private func leaf(
    _ access: TrigramAccess, _ predicates: [BoundPredicate], most: Double? = nil, _ condition: (Int) throws -> Condition
  ) throws -> Leaf? {
    guard let search = try access.search(for: predicates, condition: condition) else { return nil }
    // The sample says how often all of the text is there, the index how often the rarest of its trigrams is.
    let sampled = most ?? search.answers.reduce(objectCount) { $0 * conjuncts[$1].selectivity }
    return Leaf(
      node: PlanNode(kind: .trigrams(search), rows: min(search.rows, sampled)), answers: search.answers,
      exact: search.exact, cost: CostModel.trigrams(search), index: search.index)
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

  /// An OR whose every part an index can answer, trigrams at least one of them.
  private func any(of parts: [BoundPredicate], _ place: Int, _ indexes: [TrigramAccess]) throws -> PlanCandidate? {
    guard parts.count <= Self.mostParts else { return nil }
    var children: [Leaf] = []
    var isExact = true
    for part in parts {
      let inner = if case .and(let inner) = part { inner } else { [part] }
      let share = objectCount * conjuncts[place].selectivity
      var found = try indexes.compactMap { access in
        try leaf(access, inner, most: share) { try compiler.compile(inner[$0]) }
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
    let names = children.reduce(into: [StoredIndex]()) { if !$0.contains($1.index) { $0.append($1.index) } }
    return PlanCandidate(
      name: "union of trigrams of \(names.map(\.name).joined(separator: ", "))",
      cost: children.reduce(0) { $0 + $1.cost } + fetchCost(rows, rest) + tailCost(node.rows), indexes: names
    ) { [self] in try withTails(node, skipping: 0) }
  }

  /// How many parts of an OR are looked up.
  private static var mostParts: Int { 64 }
}

extension CostModel {
  /// Reading one place of a trigram and comparing it with others.
  ///
  /// Held against ten texts among 300,000 places of earthquakes, from one found never to one found nearly always: 2.4 to
  /// 4.2 ns where many places are read, and some 20 for each text found where few are. A scan for the same texts takes 4 to
  /// 12 ns an object, of which the model says 8: so this is as much too little as that is.
  static let trigramPlace = 2.0

  /// Finding the texts with some phrases, without looking at them.
  static func trigrams(_ search: TrigramSearch) -> Double {
    Double(search.phrases.reduce(0) { $0 + $1.parts.count }) * indexSeek + search.places * trigramPlace
  }
}
