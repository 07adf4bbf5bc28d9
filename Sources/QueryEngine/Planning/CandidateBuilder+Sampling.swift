internal import Storage

/// What part of the objects each condition holds for: told by indexes, remembered, or found out by asking about a few
/// clusters.
extension CandidateBuilder {
  /// Finds out by asking about a few clusters what part of the objects each condition holds for.
  func sample() throws {
    var sampler = Selectivity(entity: entity, snapshot: snapshot, patience: patience)
    let counted = countedByIndexes
    if let shape, predicates.count > 1, !decidesMoreThanOrder {
      let indexed = conjuncts.indices.map(isIndexed)
      // What is cheap is asked along with what an index may find and has not counted.
      let isAsked = zip(indexed, counted).contains { $0 && $1 == nil }
      let least = isAsked ? FilterLikeness.worthRemembering : 0
      sampler.shape = (shape, zip(conjuncts, indexed).map { $1 ? nil : FilterLikeness($0, costingAtLeast: least) })
    }
    if !isNever { searched = try searches() }
    sampler.samples = memory
    sampler.known = conjuncts.indices.map { counted[$0] ?? toldByTrigrams($0) }
    let selectivities = try sampler.estimate(conjuncts, clusterCount: Int(clusterCount))
    for place in conjuncts.indices { conjuncts[place].selectivity = selectivities[place] }
    takeFromTrigrams()
  }

  /// What part of the objects a condition holds for, where an index has counted them: that need not be sampled. What lies
  /// together is seen too often in a few clusters, or not at all.
  private var countedByIndexes: [Double?] {
    var parts = [Double?](repeating: nil, count: conjuncts.count)
    for way in ways { if let (place, part) = told(by: way), parts.indices.contains(place) { parts[place] = part } }
    return parts
  }

  /// For what part of the objects a condition holds, where an index has counted them and it is all that the index answers.
  private func told(by way: AccessPath) -> (place: Int, part: Double)? {
    guard let range = way.range, range.isExact, range.answers.count == 1, let place = range.answers.first,
      let counted = way.counted, counted.isAll
    else { return nil }
    return (place, part(Double(counted.count)))
  }

  /// Counts what some indexes find further than is done for an estimate. Whether more is known then.
  ///
  /// - Parameter cost: What that may take.
  func count(further indexes: [StoredIndex], within cost: Double) throws -> Bool {
    var isMore = false
    for way in ways where indexes.contains(way.access.index) {
      guard try way.count(further: Int(min(1e9, cost / CostModel.countingStep))) else { continue }
      isMore = true
      if let (place, part) = told(by: way), conjuncts.indices.contains(place) { conjuncts[place].selectivity = part }
    }
    return isMore
  }

  /// Uses the trigram index where it estimates how many objects a filter matches.
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

  /// Whether what the conditions leave decides more than in which order they are asked, and so is not to be taken from
  /// other queries: how far an index is walked that may have the order that is asked for, or how soon a scan may end that an
  /// index is compared with.
  private var decidesMoreThanOrder: Bool {
    switch tails.first {
    case .sort, .distinct: !ways.isEmpty
    case .window(_, .some): !ways.isEmpty || entity.indexes.contains(where: \.isTrigram)
    default: groupColumns != nil && !ways.isEmpty
    }
  }

  /// Whether an index may find the objects for which a condition holds: how many is not taken from other queries then.
  private func isIndexed(_ place: Int) -> Bool {
    if ways.contains(where: { $0.range?.answers.contains(place) ?? false }) { return true }
    guard case .test(let test) = predicates[place] else { return true }
    return entity.indexes.contains { $0.isTrigram && $0.columns.first == test.column }
  }
}
