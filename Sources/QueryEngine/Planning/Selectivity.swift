internal import PredicateLanguage
internal import Storage

/// Estimates by looking: asks conditions about a few clusters spread over the store. What is known already, by an index,
/// by the same condition in another query or by the same query with other constants, is not asked again.
struct Selectivity {
  let entity: StoredEntity
  let snapshot: Snapshot
  let patience: CancellationCheck
  /// For what part of the objects each condition holds, where an index told; nothing for those after the last.
  var known: [Double?] = []
  /// What the same conditions, and intervals around and within theirs, held for in this version.
  var samples: SelectivityCache?
  /// What was seen for queries of the same shape, and what each condition is there; nil for one that is to be asked.
  var shape: (memory: PlanShapeCache, places: [FilterLikeness?])?

  /// How many clusters are looked at.
  static let sampleCount: UInt64 = 6
  /// What holds for a lesser part of the objects may be seen too seldom to tell for how many.
  static let leastSeen = 0.005
  /// Of so few objects it matters little for how many of them a condition holds.
  static let fewEnough = 0.05

  /// The numbers of the clusters that are looked at, each once.
  static func sampled(of clusterCount: Int) -> [UInt64] {
    var numbers: [UInt64] = []
    for sample in 0..<sampleCount {
      let number = UInt64(clusterCount) * (2 * sample + 1) / (2 * sampleCount)
      // Of few clusters some would be asked twice.
      if number != numbers.last { numbers.append(number) }
    }
    return numbers
  }

  /// What part of the objects each condition holds for; never quite none of them nor quite all.
  func estimate(_ conjuncts: [Conjunct], clusterCount: Int) throws -> [Double] {
    guard clusterCount > 0, !conjuncts.isEmpty else { return conjuncts.map { _ in 0.5 } }
    var estimates = conjuncts.enumerated().map { place, conjunct in
      conjunct.condition.estimate ?? (known.indices.contains(place) ? known[place] : nil)
        ?? remembered(conjunct, at: place)
    }
    if !estimates.contains(nil) { return estimates.map { Self.certain($0 ?? 0.5) } }
    let asked = conjuncts.indices.filter { estimates[$0] == nil }
    // A step for each condition that is asked.
    StepCounter.add(asked.count)
    let (seen, held) = try ask(asked.map { conjuncts[$0].condition }, clusterCount)
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

  /// What a condition left before, itself or with other constants.
  private func remembered(_ conjunct: Conjunct, at place: Int) -> Double? {
    if let samples, let key = SelectivityCache.Key(conjunct.predicate, of: entity),
      let part = samples.part(key, in: snapshot)
    {
      return part
    }
    guard let shape, let likeness = shape.places[place] else { return nil }
    return shape.memory.selectivity(of: likeness, at: place)
  }

  /// How many objects are in the sampled clusters, and for how many of them each condition holds.
  private func ask(_ conditions: [Filter], _ clusterCount: Int) throws -> (seen: Int, held: [Int]) {
    var seen = 0
    var held = [Int](repeating: 0, count: conditions.count)
    let scratch = ExecutionContext(snapshot, nil, patience)
    for number in Self.sampled(of: clusterCount) {
      guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
      try patience.check()
      seen += cluster.present.count
      for (index, condition) in conditions.enumerated() {
        held[index] += try condition.mask(cluster, cluster.present, scratch).count
      }
    }
    return (seen, held)
  }

  /// Never quite none and never quite all.
  static func certain(_ estimate: Double) -> Double { min(0.999, max(0.000_001, estimate)) }
}
