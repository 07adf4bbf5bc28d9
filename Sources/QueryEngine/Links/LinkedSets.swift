internal import Storage
internal import Values

/// What was found out about linked objects in one execution: the sets that predicates hold for, and the numbers that
/// aggregates gather from. Each is found when it is first asked for, and once.
///
/// It keeps its keys alive: they are known by their identity.
final class LinkedSets {
  private let snapshot: Snapshot
  private let meter: Meter?
  private var sets: [ObjectIdentifier: ObjectBits] = [:]
  private var reached: [ObjectIdentifier: ObjectBits] = [:]
  private var numbers: [ObjectIdentifier: GatheredNumbers] = [:]
  private var work: [ObjectIdentifier: Work] = [:]
  private var keys: [AnyObject] = []

  /// How much a condition was asked, and should be.
  private struct Work {
    var asked = 0.0
    var expected = 0.0
  }

  init(_ snapshot: Snapshot, _ meter: Meter?) {
    self.snapshot = snapshot
    self.meter = meter
  }

  /// Notes that a condition is asked about more objects; how many it will have been asked about in all, as far as known.
  func asked(_ condition: LinkedCondition, _ count: Int) -> Double {
    let key = ObjectIdentifier(condition)
    work[key, default: Work()].asked += Double(count)
    return work[key].map { max($0.asked, $0.expected) } ?? 0
  }

  /// Notes about how many objects a condition should be asked.
  func expect(_ condition: LinkedCondition, _ count: Double) {
    work[ObjectIdentifier(condition), default: Work()].expected = count
  }

  /// The objects of a set.
  func bits(_ targets: TargetSet) throws -> ObjectBits {
    let key = ObjectIdentifier(targets)
    if let known = sets[key] { return known }
    let executor = Executor(targets.plan, snapshot, meter: meter?.meter(of: targets))
    let found = try executor.bits()
    sets[key] = found
    keys.append(targets)
    return found
  }

  /// The objects that those of a set link to.
  func bits(_ sources: TargetSet, through source: LinkSource) throws -> ObjectBits {
    let key = ObjectIdentifier(sources)
    if let known = reached[key] { return known }
    let bits = try bits(sources)
    let found = ObjectBits(clusters: 1)
    let isMany = source.entity.stored.columns[source.column].collectionKind != nil
    for number in 0..<bits.limit >> 8 {
      let mask = bits.mask(number)
      guard !mask.isEmpty, let cluster = try snapshot.cluster(number, of: source.entity.stored) else { continue }
      let view = try cluster.column(source.column)
      if isMany {
        try LinkWalk.toMany(view, mask) { _, range, target in
          for place in range { found.insert(target[place]) }
        }
      } else {
        LinkWalk.toOne(view, mask) { found.insert($1) }
      }
    }
    reached[key] = found
    return found
  }

  /// What the linked objects of a gathering have.
  func numbers(_ gathering: Gathering) throws -> GatheredNumbers? {
    guard let value = gathering.value else { return nil }
    let key = ObjectIdentifier(gathering)
    if let known = numbers[key] { return known }
    let entity = gathering.entity.stored
    let scratch = Scratch(snapshot)
    let isInteger = value.type == .int || value.type.objectEntity != nil
    let found = GatheredNumbers(clusters: try snapshot.clusterCount(entity), isInteger: isInteger)
    try snapshot.forEachCluster(entity) { cluster in
      try scratch.withVector { vector in
        try vector.evaluate(value, cluster, scratch)
        found.put(cluster.number, vector, cluster.present)
      }
      return true
    }
    numbers[key] = found
    keys.append(gathering)
    return found
  }
}

extension Scratch {
  /// The objects of a set.
  func bits(_ targets: TargetSet) throws -> ObjectBits { try gathered?.bits(targets) ?? ObjectBits(clusters: 1) }

  /// The objects that those of a set link to.
  func bits(_ sources: TargetSet, through source: LinkSource) throws -> ObjectBits {
    try gathered?.bits(sources, through: source) ?? ObjectBits(clusters: 1)
  }
}

extension Executor {
  /// All objects that the plan finds, as a set. The plan has no order.
  func bits() throws -> ObjectBits {
    try attempt(plan.root) { root in
      let found = ObjectBits(clusters: try snapshot.clusterCount(entity))
      switch root.kind {
      case .indexRange, .indexUnion, .indexIntersection, .inverseWalk:
        for object in try gathered(root, limit: nil) { found.insert(object) }
      default:
        try eachCluster(root) { cluster, mask in
          found.insert(cluster.number, mask)
          return true
        }
      }
      return found
    }
  }
}
