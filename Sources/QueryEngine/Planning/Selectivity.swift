internal import Glibc
internal import PredicateLanguage
internal import Storage

/// Estimates by looking: asks conditions about a few clusters spread over the store.
struct Selectivity {
  let entity: StoredEntity
  let snapshot: Snapshot
  let patience: Patience
  /// What was seen for queries of the same shape, and what each condition is there; nil for one that is to be asked.
  var shape: (memory: ShapeMemory, places: [ConditionLikeness?])?
  /// For what part of the objects conditions hold, where an index told; nothing for those after the last.
  var known: [Double?] = []

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
  func estimate(_ conditions: [Condition], clusterCount: Int) throws -> [Double] {
    guard clusterCount > 0, !conditions.isEmpty else { return conditions.map { _ in 0.5 } }
    var estimates = conditions.map(\.estimate)
    for (place, known) in zip(estimates.indices, known) { estimates[place] = estimates[place] ?? known }
    if let shape {
      for (place, likeness) in shape.places.enumerated() where estimates[place] == nil {
        estimates[place] = likeness.flatMap { shape.memory.selectivity(of: $0, at: place) }
      }
    }
    if !estimates.contains(nil) { return estimates.map { Self.certain($0 ?? 0.5) } }
    // A step for each condition that is asked.
    StepCounter.add(estimates.count { $0 == nil })
    var seen = 0
    var held = [Int](repeating: 0, count: conditions.count)
    let scratch = Scratch(snapshot, nil, patience)
    for number in Self.sampled(of: clusterCount) {
      guard let cluster = try snapshot.cluster(number, of: entity) else { continue }
      try patience.check()
      seen += cluster.present.count
      for (index, condition) in conditions.enumerated() where estimates[index] == nil {
        held[index] += try condition.mask(cluster, cluster.present, scratch).count
      }
    }
    guard seen > 0 else { return estimates.map { $0 ?? 0.5 } }
    if let shape {
      for (place, likeness) in shape.places.enumerated() where estimates[place] == nil {
        if let likeness { shape.memory.keep(held: held[place], of: seen, likeness, at: place) }
      }
    }
    return zip(held, estimates).map { held, estimate in
      estimate.map(Self.certain) ?? (Double(held) + 0.25) / (Double(seen) + 0.5)
    }
  }

  /// Never quite none and never quite all.
  static func certain(_ estimate: Double) -> Double { min(0.999, max(0.000_001, estimate)) }

  /// A number from 0 to 1 to a power that need not be whole.
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
