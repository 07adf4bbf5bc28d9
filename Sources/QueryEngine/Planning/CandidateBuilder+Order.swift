internal import Storage

/// Walks in the order of an index until enough objects pass.
extension CandidateBuilder {
  /// An index that has the order of the sort.
  func order(_ way: AccessPath) throws -> PlanCandidate? {
    guard let order = givenOrder(way) else { return nil }
    let descending = order == .descending
    let access = way.access
    var range = access.everything
    if let found = way.range, found.isExact, found.hasOrder { range = found.inOrder(descending: descending) }
    let rest = rest(after: range.answers)
    let rows = range.answers.isEmpty ? objectCount : estimatedRows(way)
    let left = self.rows(rows, after: rest)
    // With a limit the walk ends once enough objects passed.
    var expected: MatchDistribution?
    if let wanted, left > 0, !rest.isEmpty {
      expected =
        try beginning(range, way.reader, descending: descending, rest, wanted: wanted)
        ?? expectation(of: wanted, rest, left: left, of: rows, among: range.answers)
    } else if wanted != nil, left > 0 {
      expected = .anywhere(left, of: rows)
    }
    let walked = min(rows, expected.map { $0.walk(to: wanted ?? rows) } ?? rows)
    let clusters =
      rest.isEmpty ? 0 : try self.clusters(ofFirst: walked, in: range, way.reader, descending: descending)
    let readsPages = rest.isEmpty && range.readsPages(Int(min(1e9, wanted ?? rows)))
    // Where too few objects match, every key is looked up.
    let furtherKeys = Double(range.ranges.count - 1) * (walked < rows ? walked / rows : 1)
    let cost =
      CostModel.indexEnd + furtherKeys * CostModel.indexSeek + walked
      * (readsPages ? CostModel.indexEntry : CostModel.orderedEntry)
      + (rest.isEmpty
        ? 0 : clusters * CostModel.clusterByNumber + CostModel.filter(rest, objects: clusters * CostModel.slots))
    var candidate = PlanCandidate(
      name: "order of index \(access.index.name)", cost: cost, indexes: [access.index], isOrdered: true
    ) { [self, range] in
      let leaf = PlanNode(kind: .indexOrder(range, descending: descending), rows: rows)
      return try withTails(filtered(leaf, by: rest), skipping: order == .insertion ? 0 : 1)
    }
    if !rest.isEmpty { candidate.order = expected }
    return candidate
  }

  /// An order that an index has and the query wants.
  enum GivenOrder {
    case ascending, descending
    /// The order of insertion, which objects under one key have.
    case insertion
  }

  /// The wanted order, where an index has it. Objects with one value in the first columns of an index are in the order
  /// of its other columns.
  func givenOrder(_ way: AccessPath) -> GivenOrder? {
    let access = way.access
    guard !access.hasLongKeys, !access.index.isFolded, !access.index.isInverse else { return nil }
    let range = way.range.flatMap { $0.isExact && $0.hasOrder ? $0 : nil }
    switch tails.first {
    case .sort(let keys)?:
      guard let first = keys.first, keys.allSatisfy({ $0.ascending == first.ascending }) else { return nil }
      let columns = access.index.columns
      let fixed = range?.equalColumns ?? 0
      let isGiven = (0...min(fixed, columns.count)).contains {
        columns.dropFirst($0).elementsEqual(keys.lazy.map(\.expression.column), by: { $0 == $1 })
      }
      return isGiven ? first.ascending ? .ascending : .descending : nil
    case .window(_, .some)?:
      // The one object of a unique value needs no order.
      return range?.ranges.count == 1 && range?.ranges[0].onlyKey != nil && !access.index.isUnique ? .insertion : nil
    case .filter?, .distinct?, .window(_, nil)?, nil: return nil
    }
  }

  /// How many of the first objects in order are wanted; nil where all are.
  private var wanted: Double? {
    var tails = tails
    if case .sort? = tails.first { tails.removeFirst() }
    guard case .window(let offset, let limit?)? = tails.first else { return nil }
    return Double(offset) + Double(limit)
  }

  /// Estimates how many objects of the order come before enough of them that pass all filters.
  func walkedForAll(_ wanted: Double, left: Double) throws -> Double {
    let expected = try expectation(of: wanted, rest(after: []), left: left, of: objectCount, among: [])
    return min(objectCount, expected.walk(to: wanted))
  }

  /// The position of the wanted objects, from the first objects in the order where these lie in few clusters; nil where
  /// these clusters do not show it. Objects under one key are in insertion order, and may begin where no sampled
  /// cluster is.
  private func beginning(
    _ range: IndexRange, _ reader: IndexReader, descending: Bool, _ rest: [Conjunct], wanted: Double
  ) throws -> MatchDistribution? {
    guard wanted >= 1, wanted <= 8 * Double(Self.firstObjects), rest.allSatisfy(\.filter.isLocal),
      clusterCount > Double(Self.fewClusters)
    else { return nil }
    var objects: [UInt64] = []
    var clusters: [UInt64] = []
    try reader.forEachPart(range.ranges.prefix(Self.firstRanges), descending: descending) { found in
      for object in found.prefix(Self.firstObjects - objects.count) {
        if !clusters.contains(object >> 8) { clusters.append(object >> 8) }
        if clusters.count > Self.fewClusters { return false }
        objects.append(object)
      }
      return objects.count < Self.firstObjects
    }
    if clusters.count > Self.fewClusters { return nil }
    let context = ExecutionContext(snapshot, nil, cancellation)
    let filter = AllFilter(rest.map(\.filter))
    var masks: [UInt64: Mask] = [:]
    for number in clusters {
      guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
      masks[number] = try filter.mask(cluster, cluster.present, context)
    }
    var passed = 0.0
    for (place, object) in objects.enumerated()
    where masks[object >> 8]?[Int(truncatingIfNeeded: object & 255)] ?? false {
      passed += 1
      if passed >= wanted { return MatchDistribution(offset: 0, gap: Double(place + 1) / wanted) }
    }
    // A few matches decide, but only for a limited number of rows.
    guard passed >= Self.enoughPassed, wanted <= 8 * passed else { return nil }
    return MatchDistribution(offset: 0, gap: Double(objects.count) / passed)
  }

  /// The most objects read for that, and the most clusters.
  private static var firstObjects: Int { 64 }
  private static var fewClusters: Int { 4 }
  /// The most keys, where several are looked up in turn.
  static var firstRanges: Int { 16 }
  /// With this many matches their spacing is representative.
  private static var enoughPassed: Double { 4 }

  /// Where in the order the objects lie that pass the filters.
  ///
  /// - Parameters:
  ///   - left: The estimated number of objects that pass each filter alone.
  ///   - rows: The number of objects in the order.
  ///   - answered: The conjuncts that hold for all of these.
  private func expectation(
    of wanted: Double, _ rest: [Conjunct], left: Double, of rows: Double, among answered: Set<Int>
  ) throws -> MatchDistribution {
    let anywhere = MatchDistribution.anywhere(left, of: rows)
    guard !rest.isEmpty, clusterCount >= 4 * Double(Selectivity.sampleCount), case .sort(let keys)? = tails.first,
      let key = keys.first, let column = key.expression.column,
      entity.columns[column].collectionKind == nil, key.expression.vectorForm.isNumeric, !key.expression.isRanked,
      rest.allSatisfy(\.filter.isLocal)
    else { return anywhere }
    let sample: OrderSample
    if answered.isEmpty, let known = orderSample {
      sample = known
    } else {
      sample = try OrderSample(
        of: key, population: conjuncts.filter { answered.contains($0.place) }.map(\.filter),
        filters: rest.map(\.filter), clusters: Selectivity.sampled(of: Int(clusterCount)), entity, snapshot,
        ExecutionContext(snapshot, nil, cancellation))
      if answered.isEmpty { orderSample = sample }
    }
    return sample.expectation(wanted: wanted, passing: left, of: rows)
  }
}
