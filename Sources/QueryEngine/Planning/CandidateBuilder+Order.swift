internal import Storage

/// Walks in the order of an index until enough objects pass.
extension CandidateBuilder {
  /// The candidate for an index in the order of the sort; nil if the index has another order.
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
    // If too few objects match, the walk looks up the key of every range.
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

  /// An order of an index that the query can use.
  enum GivenOrder {
    case ascending, descending
    /// Insertion order, which the objects of a single key have.
    case insertion
  }

  /// The requested order, if the index has it. Objects with equal values in the first columns of an index are ordered
  /// by its other columns.
  func givenOrder(_ way: AccessPath) -> GivenOrder? {
    let access = way.access
    guard !access.hasLongKeys, access.index.hasValueKeys else { return nil }
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
      // A unique value has only one object, which needs no order.
      return range?.ranges.count == 1 && range?.ranges[0].onlyKey != nil && !access.index.isUnique ? .insertion : nil
    case .filter?, .distinct?, .window(_, nil)?, nil: return nil
    }
  }

  /// The number of objects from the start of the order that are requested; nil if all are.
  private var wanted: Double? {
    var tails = tails
    if case .sort? = tails.first { tails.removeFirst() }
    guard case .window(let offset, let limit?)? = tails.first else { return nil }
    return Double(offset) + Double(limit)
  }

  /// Estimates how many objects a walk in order reads until enough of them pass all filters.
  func walkedForAll(_ wanted: Double, left: Double) throws -> Double {
    let expected = try expectation(of: wanted, rest(after: []), left: left, of: objectCount, among: [])
    return min(objectCount, expected.walk(to: wanted))
  }

  /// Estimates the positions of the matches from the first objects in the order, if these lie in few clusters; nil if
  /// too few of them match. Objects of a single key are in insertion order and may begin in a cluster that is not
  /// sampled.
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
    // A few matches are representative, but only for a limited number of rows.
    guard passed >= Self.enoughPassed, wanted <= 8 * passed else { return nil }
    return MatchDistribution(offset: 0, gap: Double(objects.count) / passed)
  }

  /// The maximum number of objects read for the estimate, and of clusters.
  private static var firstObjects: Int { 64 }
  private static var fewClusters: Int { 4 }
  /// The maximum number of keys, if several are looked up in turn.
  static var firstRanges: Int { 16 }
  /// With this many matches their spacing is representative.
  private static var enoughPassed: Double { 4 }

  /// Estimates the positions of the matches in the order.
  ///
  /// - Parameters:
  ///   - left: The estimated number of objects that pass each filter alone.
  ///   - rows: The number of objects in the order.
  ///   - answered: The conjuncts that hold for all objects in the order.
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
        filters: rest.map(\.filter), clusters: Selectivity.sampled(of: Int(clusterCount)), compiler, snapshot,
        ExecutionContext(snapshot, nil, cancellation))
      if answered.isEmpty { orderSample = sample }
    }
    return sample.expectation(wanted: wanted, passing: left, of: rows)
  }
}
