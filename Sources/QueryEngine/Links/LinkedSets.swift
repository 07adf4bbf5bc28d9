internal import Storage
internal import Values

/// The results about linked objects in one execution: the sets of semijoins, and the values that aggregates read. Each
/// is computed once, when first used.
///
/// Results are found by the identity of their keys, so the keys are kept alive.
final class LinkedSets {
  /// A buffer for the links of the cluster that is being traversed.
  let run = ClusterLinkReader()
  private let snapshot: Snapshot
  private let metrics: ExecutionMetrics?
  let cancellation: CancellationCheck
  private var sets: [ObjectIdentifier: ObjectBits] = [:]
  private var reached: [ObjectIdentifier: ObjectBits] = [:]
  private var numbers: [ObjectIdentifier: LinkedValues] = [:]
  /// Values by expression: equal expressions share one result.
  private var values: [Asked: LinkedValues] = [:]
  private var tables: [LinkPath.Link: AdjacencyList] = [:]
  private var places: [UInt32: ObjectOrdinals] = [:]
  private var work: [ObjectIdentifier: Work] = [:]
  private var keys: [AnyObject] = []

  /// The number of objects for which a filter has been evaluated, and the expected number.
  private struct Work {
    var asked = 0.0
    var expected = 0.0
  }

  /// A request for the values of all objects of an entity.
  private struct Asked: Hashable {
    let entity: LinkedEntity
    let value: BoundExpression
    let isRanked: Bool
  }

  init(_ snapshot: Snapshot, _ metrics: ExecutionMetrics?, _ cancellation: CancellationCheck) {
    self.snapshot = snapshot
    self.metrics = metrics
    self.cancellation = cancellation
  }

  /// Counts objects for which a filter is evaluated. Returns the expected total.
  func asked(_ filter: SemijoinFilter, _ count: Int) -> Double {
    let key = ObjectIdentifier(filter)
    work[key, default: Work()].asked += Double(count)
    return work[key].map { max($0.asked, $0.expected) } ?? 0
  }

  /// Sets the number of objects for which a filter is expected to be evaluated.
  func expect(_ filter: SemijoinFilter, _ count: Double) {
    work[ObjectIdentifier(filter), default: Work()].expected = count
  }

  /// The ordinals of an entity's objects.
  func places(of entity: StoredEntity) throws -> ObjectOrdinals {
    if let known = places[entity.number] { return known }
    let made = try ObjectOrdinals(entity, in: snapshot, cancellation)
    places[entity.number] = made
    return made
  }

  /// The ordinals of the objects that a link column may lead to.
  func places(ofTargets column: Int, of entity: StoredEntity) throws -> ObjectOrdinals {
    guard let target = entity.columns[column].target.flatMap({ snapshot.schema.entity(named: $0) }) else {
      return .none
    }
    return try places(of: target)
  }

  /// The objects of a set.
  func bits(_ targets: SemijoinSet) throws -> ObjectBits {
    let key = ObjectIdentifier(targets)
    if let known = sets[key] { return known }
    let executor = Executor(targets.plan, snapshot, metrics: metrics?.metrics(of: targets))
    let found = try executor.bits(try places(of: targets.plan.entity))
    sets[key] = found
    keys.append(targets)
    return found
  }

  /// The objects that those of a set link to.
  func bits(_ sources: SemijoinSet, through source: LinkSource) throws -> ObjectBits {
    let key = ObjectIdentifier(sources)
    if let known = reached[key] { return known }
    let bits = try bits(sources)
    let found = ObjectBits(try places(ofTargets: source.column, of: source.entity.stored), clusters: 1)
    try bits.forEachCluster { number, mask in
      try cancellation.check()
      let cluster = try snapshot.reader(of: source.entity.stored).cluster(number, with: mask, namedBy: "an index")
      let runs = try run.read(try cluster.column(source.column), mask, found.places)
      try mask.forEach { slot in
        let targets = runs.targets(of: slot)
        try cancellation.step(targets.count)
        for target in targets { found.insert(target) }
      }
    }
    reached[key] = found
    return found
  }

  /// The values of linked objects.
  func numbers(_ wanted: TargetNumbers) throws -> LinkedValues {
    let key = ObjectIdentifier(wanted)
    if let known = numbers[key] { return known }
    let asked = Asked(entity: wanted.entity, value: wanted.value, isRanked: wanted.isRanked)
    let found = try values[asked] ?? (wanted.isRanked ? rank(wanted) : gather(wanted))
    values[asked] = found
    numbers[key] = found
    keys.append(wanted)
    return found
  }

  private func gather(_ wanted: TargetNumbers) throws -> LinkedValues {
    let entity = wanted.entity.stored
    let context = ExecutionContext(snapshot, nil, cancellation)
    let found = LinkedValues(try places(of: entity), isInteger: wanted.isInteger)
    let value = try VectorExpression(wanted.value, FilterCompiler(entity: entity, evaluation: wanted.evaluation))
    func put(_ cluster: ClusterView) throws {
      try context.withVector { vector in
        try value.evaluate(into: vector, cluster, context)
        try found.put(cluster.number, vector, cluster.present)
      }
    }
    guard let scan = try wanted.tables.table(of: entity, in: snapshot, for: .scan) else {
      try snapshot.forEachCluster(entity) { cluster in
        try cancellation.check()
        try put(cluster)
        return true
      }
      return found
    }
    // Only integers are copied from a table without decoding.
    let column = wanted.isInteger ? try wanted.value.column.flatMap { try scan.column($0) } : nil
    for row in 0..<scan.count {
      try cancellation.check()
      if let column {
        if row + 4 < column.count { RawColumn.prefetch(column.rows + (row + 4)) }
        if try found.put(scan.number(row), column.rows + row, scan.present(row)) { continue }
      }
      try put(try scan.view(row))
    }
    return found
  }

  private func rank(_ wanted: TargetNumbers) throws -> LinkedValues {
    let entity = wanted.entity.stored
    let context = ExecutionContext(snapshot, nil, cancellation)
    let found = LinkedValues(try places(of: entity), isInteger: true)
    let expression = try VectorExpression(wanted.value, FilterCompiler(entity: entity, evaluation: wanted.evaluation))
    var known: [Value: Int] = [:]
    var met: [Value] = []
    var own: [(slot: Int, number: Int)] = []
    try snapshot.forEachCluster(entity) { cluster in
      try cancellation.check()
      own.removeAll(keepingCapacity: true)
      try context.withVector { vector in
        try expression.evaluate(into: vector, cluster, context, wanted: cluster.present)
        cluster.present.andNot(vector.nulls).forEach { slot in
          let value = vector.value(at: slot, of: wanted.value.type)
          let key = DistinctKey.of(value)
          let number = known[key] ?? met.count
          if number == met.count {
            known[key] = number
            met.append(value)
          }
          own.append((slot, number))
        }
      }
      try found.put(cluster.number, own)
      return true
    }
    try found.rank(met, cancellation)
    return found
  }

  /// The targets of a link for all objects at one of its ends.
  func table(_ link: LinkPath.Link) throws -> AdjacencyList {
    if let known = tables[link] { return known }
    let source = link.source.stored
    let found: AdjacencyList
    if link.isBackward {
      let forward = try table(LinkPath.Link(source: link.source, column: link.column, isBackward: false))
      found = try forward.transposed(try places(ofTargets: link.column, of: source), cancellation)
    } else {
      found = try AdjacencyList.forward(
        link.column, of: source, try places(of: source), to: try places(ofTargets: link.column, of: source),
        in: snapshot, cancellation)
    }
    tables[link] = found
    return found
  }
}

extension ExecutionContext {
  /// The objects of a set.
  func bits(_ targets: SemijoinSet) throws -> ObjectBits { try sets().bits(targets) }

  /// The objects that those of a set link to.
  func bits(_ sources: SemijoinSet, through source: LinkSource) throws -> ObjectBits {
    try sets().bits(sources, through: source)
  }
}

extension Executor {
  /// All objects that the plan finds, as a set without order.
  func bits(_ places: ObjectOrdinals) throws -> ObjectBits {
    try attempt(plan.root) { root in
      let found = ObjectBits(places)
      switch root.kind {
      case .indexRange, .indexSearch, .indexUnion, .indexIntersection, .inverseWalk:
        for object in try gathered(root, limit: nil) { found.insert(places.place(object)) }
      case .nothing, .scan, .given, .indexOrder, .indexKeys, .indexEnds, .filter, .group, .having, .sort, .topK,
        .distinct, .window, .select, .sections, .statement:
        let (root, sets) = try prepared(root)
        if case .filter(let conjuncts) = root.kind,
          try scanned(
            root, conjuncts, sets, wantsAll: true,
            { row, table, mask in
              try found.insert(table.number(row), mask)
              return true
            })
        {
          return found
        }
        try clusters(root, sets) { cluster, mask in
          try found.insert(cluster.number, mask)
          return true
        }
      }
      return found
    }
  }
}
