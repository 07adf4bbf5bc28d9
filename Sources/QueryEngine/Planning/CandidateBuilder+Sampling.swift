internal import Storage

/// The selectivity of each filter: from index counts, from the cache, or by evaluating it on a few clusters.
extension CandidateBuilder {
  /// Estimates the selectivity of every filter by evaluating it on a few clusters.
  func sample() throws {
    var sampler = Selectivity(entity: entity, snapshot: snapshot, cancellation: cancellation)
    let counted = countedByIndexes
    if let shape, predicates.count > 1, !decidesMoreThanOrder {
      let indexed = conjuncts.indices.map(isIndexed)
      // A cheap filter is sampled too if clusters are sampled anyway, for a conjunct that an index could not count.
      let isAsked = zip(indexed, counted).contains { $0 && $1 == nil }
      let least = isAsked ? FilterLikeness.worthRemembering : 0
      sampler.shape = (shape, zip(conjuncts, indexed).map { $1 ? nil : FilterLikeness($0, costingAtLeast: least) })
    }
    if !isNever { searched = try searches() }
    sampler.samples = memory
    sampler.known = conjuncts.indices.map { counted[$0] ?? searchedSelectivity($0) }
    let selectivities = try sampler.estimate(conjuncts, clusterCount: Int(clusterCount))
    for place in conjuncts.indices { conjuncts[place].selectivity = selectivities[place] }
    takeFromSearches()
  }

  /// The indexes that are searched, with the search of each for all predicates together.
  private func searches() throws -> [(access: any IndexSearchAccess, search: (any IndexSearch)?)] {
    try entity.indexes.compactMap { index in
      guard let access = try index.searchAccess?.init(index, of: entity, in: snapshot) else { return nil }
      return (access, try access.search(for: predicates) { conjuncts[$0].filter })
    }
  }

  /// The selectivity of each conjunct whose objects an index has counted, which need not be sampled. If matching
  /// objects are adjacent, sampled clusters would contain too many of them or none.
  private var countedByIndexes: [Double?] {
    var parts = [Double?](repeating: nil, count: conjuncts.count)
    for way in ways {
      if let (place, part) = countedSelectivity(way), parts.indices.contains(place) { parts[place] = part }
    }
    return parts
  }

  /// The selectivity of the single conjunct that an index has counted.
  private func countedSelectivity(_ way: AccessPath) -> (place: Int, part: Double)? {
    guard let range = way.range, range.isExact, range.answers.count == 1, let place = range.answers.first,
      let counted = way.counted, counted.isAll
    else { return nil }
    return (place, part(Double(counted.count)))
  }

  /// Counts some index ranges further than an estimate needs. Returns whether the counts have improved.
  ///
  /// - Parameter cost: The maximum cost of counting.
  func count(further indexes: [StoredIndex], within cost: Double) throws -> Bool {
    var isMore = false
    for way in ways where indexes.contains(way.access.index) {
      guard try way.count(further: Int(min(1e9, cost / CostModel.countingStep))) else { continue }
      isMore = true
      if let (place, part) = countedSelectivity(way), conjuncts.indices.contains(place) {
        conjuncts[place].selectivity = part
      }
    }
    return isMore
  }

  /// Uses a search if it estimates how many objects a filter matches.
  private func takeFromSearches() {
    for search in searched.compactMap(\.search) where search.answers.count == 1 {
      guard let place = search.answers.first else { continue }
      let part = part(search.rows)
      let isExact = !search.exact.isEmpty
      // The search finds more objects than pass the filter. If there are many, sampling shows how many more.
      if isExact || part < conjuncts[place].selectivity || conjuncts[place].selectivity < Selectivity.leastSeen {
        conjuncts[place].selectivity = part
      }
    }
  }

  /// The selectivity of a filter by its search; nil if that finds many objects, since then the filter must be sampled.
  private func searchedSelectivity(_ place: Int) -> Double? {
    for search in searched.compactMap(\.search) where search.answers == [place] {
      let part = part(search.rows)
      if !search.exact.isEmpty || part <= Selectivity.fewEnough { return part }
    }
    return nil
  }

  /// A number of objects as a fraction of all objects.
  private func part(_ objects: Double) -> Double {
    Selectivity.certain(objects / max(1, objectCount))
  }

  /// Whether the selectivities determine more than the order of the filters, and so must not come from other queries:
  /// how far an index in the requested order is walked, or how early a scan ends.
  private var decidesMoreThanOrder: Bool {
    switch tails.first {
    case .sort?, .distinct?: !ways.isEmpty
    case .window(_, .some)?: !ways.isEmpty || entity.indexes.contains { $0.searchAccess != nil }
    case .filter?, .window(_, nil)?, nil: groupColumns != nil && !ways.isEmpty
    }
  }

  /// Whether an index may answer a conjunct; then its selectivity is not taken from other queries.
  private func isIndexed(_ place: Int) -> Bool {
    if ways.contains(where: { $0.range?.answers.contains(place) ?? false }) { return true }
    guard case .test(let test) = predicates[place] else { return true }
    return entity.indexes.contains { $0.searchAccess != nil && $0.columns.first == test.column }
  }
}
