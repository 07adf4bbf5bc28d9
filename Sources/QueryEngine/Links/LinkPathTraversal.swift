internal import PredicateLanguage
internal import Storage
internal import Values

/// Follows a path of links from each object of a cluster. It passes on the objects at the end as ordinals.
///
/// It does not know how they are used.
final class LinkPathTraversal {
  private let first: ClusterLinks?
  /// The ordinal of the cluster's first slot, if the first link is read from an adjacency list.
  private let base: UInt64
  /// The adjacency list of each hop; nil for the first if it is read from the cluster itself.
  private let tables: [AdjacencyList?]
  private let sets: [ObjectBits?]
  private let shared: LinkedSets
  /// The position at each hop but the last.
  private var way: [Place]

  init(_ route: LinkPath, _ cluster: ClusterView, _ shared: LinkedSets) throws {
    self.shared = shared
    var tables: [AdjacencyList?] = []
    var run: ClusterLinks?
    var base: UInt64 = 0
    for (place, hop) in route.hops.enumerated() {
      if place == 0, !hop.link.isBackward {
        let places = try shared.places(of: hop.entity.stored)
        run = try shared.run.read(try cluster.column(hop.link.column), cluster.present, places)
        tables.append(nil)
      } else {
        let table = try shared.table(hop.link)
        if place == 0 { base = try table.places.cluster(cluster.number) << 8 }
        tables.append(table)
      }
    }
    first = run
    self.base = base
    self.tables = tables
    way = Array(repeating: Place(targets: UnsafeBufferPointer(start: nil, count: 0)), count: tables.count)
    sets = try route.hops.map { try $0.targets.map { try shared.bits($0) } }
  }

  /// The set that the objects at the end must be in; nil for all.
  var last: ObjectBits? { sets.last ?? nil }

  /// Calls `body` with the runs of objects that a slot's object leads to. Only the current position on the path is
  /// stored, regardless of the number of branches.
  func forEachRun(of slot: Int, _ body: (UnsafeBufferPointer<UInt64>) -> Void) throws {
    let start = targets(at: 0, of: base | UInt64(truncatingIfNeeded: slot), slot)
    let cancellation = shared.cancellation
    let last = tables.count - 1
    if last == 0 {
      try cancellation.step(start.count)
      return body(start)
    }
    way[0] = Place(targets: start)
    var hop = 0
    while hop >= 0 {
      guard let object = way[hop].next() else {
        hop -= 1
        continue
      }
      try cancellation.step()
      if let bits = sets[hop], !bits.contains(object) { continue }
      let targets = targets(at: hop + 1, of: object, 0)
      if hop + 1 < last {
        hop += 1
        way[hop] = Place(targets: targets)
      } else {
        try cancellation.step(targets.count)
        body(targets)
      }
    }
  }

  /// The position among the targets of one object on the path.
  private struct Place {
    let targets: UnsafeBufferPointer<UInt64>
    private var position = 0

    init(targets: UnsafeBufferPointer<UInt64>) { self.targets = targets }

    @inline(__always)
    mutating func next() -> UInt64? {
      if position == targets.count { return nil }
      position &+= 1
      return targets[position &- 1]
    }
  }

  @inline(__always)
  private func targets(at hop: Int, of object: UInt64, _ slot: Int) -> UnsafeBufferPointer<UInt64> {
    if let table = tables[hop] { return table.targets(of: object) }
    return first?.targets(of: slot) ?? UnsafeBufferPointer(start: nil, count: 0)
  }
}

/// Selects the targets of an object whose number compares with the object's own number.
struct TargetMatcher {
  private let numbers: LinkedValues
  private let own: Vector
  private let relation: Comparator.Relation
  private let isNegated: Bool

  init(_ match: LinkedColumn.Match, _ numbers: LinkedValues, _ own: Vector) {
    self.numbers = numbers
    self.own = own
    relation = match.relation
    isNegated = match.isNegated
    if !numbers.isInteger { own.convertToDoubles() }
  }

  /// Appends the selected targets of a run for a slot's object.
  func choose(_ targets: UnsafeBufferPointer<UInt64>, _ slot: Int, into output: inout [UInt64]) {
    let ownIsNil = own.nulls[slot]
    let withNil = self.holds(targetIsNil: true, ownIsNil: ownIsNil) != isNegated
    let onlyOwnNil = self.holds(targetIsNil: false, ownIsNil: true) != isNegated
    let wholes = numbers.wholes
    for target in targets {
      let place = Int(truncatingIfNeeded: target)
      let counts: Bool
      if !numbers.has(target) {
        counts = withNil
      } else if ownIsNil {
        counts = onlyOwnNil
      } else if numbers.isInteger {
        counts = holds(wholes[place], own.integers[slot]) != isNegated
      } else {
        counts = holds(numbers.doubles[place], own.doubles[slot]) != isNegated
      }
      if counts { output.append(target) }
    }
  }

  /// The result if one or both sides are nil.
  private func holds(targetIsNil: Bool, ownIsNil: Bool) -> Bool {
    switch relation {
    case .equal, .lessOrEqual, .greaterOrEqual: targetIsNil && ownIsNil
    case .notEqual: !(targetIsNil && ownIsNil)
    case .less, .greater: false
    }
  }

  @inline(__always)
  private func holds<T: Comparable>(_ target: T, _ own: T) -> Bool {
    switch relation {
    case .equal: target == own
    case .notEqual: target != own
    case .less: target < own
    case .lessOrEqual: target <= own
    case .greater: target > own
    case .greaterOrEqual: target >= own
    }
  }
}

extension Vector {
  /// Aggregates the values of the objects at the end of a path, in the order in which they are reached; without values,
  /// counts the objects.
  func reduce(
    _ function: AggregateFunction, _ walk: LinkPathTraversal, _ numbers: LinkedValues?, _ matcher: TargetMatcher?
  ) throws {
    let type: ExpressionType = numbers?.isInteger ?? true ? .int : .double
    let aggregate = TargetAggregate(walk: walk, numbers: numbers, matcher: matcher, vector: self)
    isInteger = if case .int? = function.type(of: type) { true } else { false }
    nulls = .none
    if numbers == nil { return try aggregate.count() }
    try function.accumulate(type, aggregate.of(function, type))
  }
}

/// An aggregate over the targets of each object of a cluster.
private struct TargetAggregate {
  let walk: LinkPathTraversal
  let numbers: LinkedValues?
  let matcher: TargetMatcher?
  let vector: Vector

  /// Calls `body` with each target of a slot that may count.
  @inline(__always)
  private func forEachTarget(of slot: Int, _ chosen: inout [UInt64], _ body: (UInt64) -> Void) throws {
    let bits = walk.last
    try walk.forEachRun(of: slot) { run in
      guard let matcher else {
        for target in run where bits?.contains(target) ?? true { body(target) }
        return
      }
      chosen.removeAll(keepingCapacity: true)
      matcher.choose(run, slot, into: &chosen)
      for target in chosen where bits?.contains(target) ?? true { body(target) }
    }
  }

  func count() throws {
    var chosen: [UInt64] = []
    for slot in 0..<Mask.slotCount {
      var count = 0
      if matcher == nil, walk.last == nil {
        try walk.forEachRun(of: slot) { count += $0.count }
      } else {
        try forEachTarget(of: slot, &chosen) { _ in count += 1 }
      }
      vector.integers[slot] = Int64(count)
    }
  }

  /// The aggregate with an accumulator for each slot.
  func of(_ function: AggregateFunction, _ type: ExpressionType) -> Accumulated {
    Accumulated(targets: self, function: function, type: type)
  }

  struct Accumulated: AccumulatorUse {
    let targets: TargetAggregate
    let function: AggregateFunction
    let type: ExpressionType

    func callAsFunction<Total: Accumulator>(_ empty: Total) throws {
      guard let numbers = targets.numbers else { return }
      let vector = targets.vector
      let wholes = numbers.wholes
      var chosen: [UInt64] = []
      for slot in 0..<Mask.slotCount {
        var total = empty
        try targets.forEachTarget(of: slot, &chosen) { target in
          if !numbers.has(target) { return }
          let place = Int(truncatingIfNeeded: target)
          if numbers.isInteger { total.add(wholes[place]) } else { total.add(numbers.doubles[place]) }
        }
        try vector.put(total.value(function, of: type), at: slot)
      }
    }
  }
}
