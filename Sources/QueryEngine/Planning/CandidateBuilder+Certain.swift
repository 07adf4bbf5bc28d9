internal import Storage

/// Finds a candidate that is the cheapest regardless of selectivities.
///
/// If an index leaves so few objects that finding and filtering them costs less than the cheapest scan, sampling cannot
/// change the choice. So a query with few results is planned quickly. Comparing all candidates would choose the same
/// one.
extension CandidateBuilder {
  /// The maximum number of ranges that are counted to be certain.
  private static let rangeLimit = 64
  /// With more objects than this the order of several filters matters, and only sampling determines it.
  private static let fewRows = 64.0
  /// Up to this many lookups cost less than comparing candidates.
  private static let fewSeeks = 4.0

  /// The candidate that needs no comparison and no sampling; nil if several candidates may be the cheapest.
  func certain() throws -> PlanCandidate? {
    if isNever { return nothing() }
    if let ends = try ends(), ends.cost < leastScan(rows: objectCount) { return ends }
    var best: (candidate: PlanCandidate, most: Double, rows: Double)?
    var useful = 0
    for way in ways {
      if way.range != nil { useful += 1 }
      if let found = try certainRange(way), found.candidate.cost < best?.candidate.cost ?? .infinity { best = found }
      guard let order = givenOrder(way) else { continue }
      let isAll = rest(after: way.range?.answers ?? []).isEmpty
      // With filters over an order, nothing bounds how far it must be walked.
      if order != .insertion, !predicates.isEmpty { return nil }
      if order != .insertion || isAll && way.counted?.isAll == true, let ordered = try self.order(way) {
        useful += 1
        if ordered.cost < best?.candidate.cost ?? .infinity {
          best = (ordered, ordered.cost, order == .insertion ? estimatedRows(way) : objectCount)
        }
      }
    }
    // With several indexes, another one or two together may be better by more than the comparison costs.
    if useful > 1, best?.most ?? 0 > Self.fewSeeks * CostModel.indexSeek { return nil }
    guard let best, best.most < leastScan(rows: best.rows) else { return nil }
    return best.candidate
  }

  private func certainRange(_ way: AccessPath) throws -> (candidate: PlanCandidate, most: Double, rows: Double)? {
    guard let range = way.range, range.ranges.count <= Self.rangeLimit, let counted = way.counted, counted.isAll
    else { return nil }
    let rest = rest(after: range.isExact ? range.answers : [])
    let rows = Double(counted.count)
    guard rest.count <= 1 || rows <= Self.fewRows else { return nil }
    let asking = rest.reduce(0) { $0 + $1.cost } * rows * CostModel.askedPerObject
    let fetching =
      readsClusters(rest) ? CostModel.clustersTouched(rows, of: clusterCount) * CostModel.clusterByNumber : 0
    let leaf = IndexLeaf(range, rows: rows)
    return (try one(leaf), leaf.cost + fetching + asking + tailCost(rows), rows)
  }

  /// The minimum cost of a scan that finds at most `rows` objects; a window may end it early.
  private func leastScan(rows: Double) -> Double {
    let cost = clusterCount * CostModel.cluster
    guard case .window(let offset, let limit?)? = tails.first else { return cost }
    return Self.scanCost(cost, part: (Double(offset) + Double(limit)) / max(rows, 1))
  }
}
