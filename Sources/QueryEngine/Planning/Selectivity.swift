internal import PredicateLanguage
internal import Storage

/// Estimates selectivities by evaluating filters on a few clusters spread over the store. It does not sample a filter
/// whose selectivity is known: from an index, from the same filter in another query, or from the same query with other
/// constants.
struct Selectivity {
  let entity: StoredEntity
  let snapshot: Snapshot
  let cancellation: CancellationCheck
  /// The selectivities that indexes gave, by position; nil if unknown.
  var known: [Double?] = []
  /// Cached selectivities of this version, by filter and by interval.
  var samples: SelectivityCache?
  /// The cache for queries of the same shape, and each filter's form without constants; nil for a filter to be sampled.
  var shape: (memory: PlanShapeCache, places: [FilterLikeness?])?

  /// The number of sampled clusters.
  static let sampleCount: UInt64 = 6
  /// A smaller selectivity may give too few matches in the sample for an estimate.
  static let leastSeen = 0.005
  /// With this few objects the selectivity hardly matters.
  static let fewEnough = 0.05

  /// The numbers of the sampled clusters, each once.
  static func sampled(of clusterCount: Int) -> [UInt64] {
    var numbers: [UInt64] = []
    for sample in 0..<sampleCount {
      let number = UInt64(clusterCount) * (2 * sample + 1) / (2 * sampleCount)
      // With few clusters some numbers would be repeated.
      if number != numbers.last { numbers.append(number) }
    }
    return numbers
  }

  /// The selectivity of each filter; never quite 0 nor quite 1.
  func estimate(_ conjuncts: [Conjunct], clusterCount: Int) throws -> [Double] {
    guard clusterCount > 0, !conjuncts.isEmpty else { return conjuncts.map { _ in 0.5 } }
    var estimates = conjuncts.enumerated().map { place, conjunct in
      conjunct.filter.estimate ?? (known.indices.contains(place) ? known[place] : nil)
        ?? remembered(conjunct, at: place)
    }
    if !estimates.contains(nil) { return estimates.map { Self.certain($0 ?? 0.5) } }
    let asked = conjuncts.indices.filter { estimates[$0] == nil }
    // One step for each filter that is sampled.
    StepCounter.add(asked.count)
    let (seen, held) = try ask(asked.map { conjuncts[$0].filter }, clusterCount)
    guard seen > 0 else { return estimates.map { Self.certain($0 ?? 0.5) } }
    for (place, held) in zip(asked, held) {
      let part = (Double(held) + 0.25) / (Double(seen) + 0.5)
      estimates[place] = part
      if let samples, let key = SelectivityCache.Key(conjuncts[place].predicate, of: entity) {
        samples.keep(part, key, in: snapshot)
      }
      if let shape, let likeness = shape.places[place] {
        shape.memory.keep(held: held, of: seen, likeness, at: place)
      }
    }
    return estimates.map { Self.certain($0 ?? 0.5) }
  }

  /// The cached selectivity of a filter, with these or other constants.
  private func remembered(_ conjunct: Conjunct, at place: Int) -> Double? {
    if let samples, let key = SelectivityCache.Key(conjunct.predicate, of: entity),
      let part = samples.part(key, in: snapshot)
    {
      return part
    }
    guard let shape, let likeness = shape.places[place] else { return nil }
    return shape.memory.selectivity(of: likeness, at: place)
  }

  /// The number of objects in the sampled clusters, and the number of them that pass each filter.
  private func ask(_ filters: [any Filter], _ clusterCount: Int) throws -> (seen: Int, held: [Int]) {
    var seen = 0
    var held = [Int](repeating: 0, count: filters.count)
    let context = ExecutionContext(snapshot, nil, cancellation)
    for number in Self.sampled(of: clusterCount) {
      guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
      try cancellation.check()
      seen += cluster.present.count
      for (index, filter) in filters.enumerated() {
        try cancellation.step(CancellationCheck.stepsPerPart)
        held[index] += try filter.mask(cluster, cluster.present, context).count
      }
    }
    return (seen, held)
  }

  /// Clamps an estimate between nearly 0 and nearly 1.
  static func certain(_ estimate: Double) -> Double { min(0.999, max(0.000_001, estimate)) }
}
