internal import PredicateLanguage
internal import Storage
internal import Values

/// Follows a path of links from each object of a cluster. It passes on the objects at the end as ordinals.
///
/// It does not depend on how these are used.
final class LinkPathTraversal {
  private let first: LinkRuns?
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
    var run: LinkRuns?
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
  private let comparator: Comparator
  private let isNegated: Bool

  init(_ match: LinkedColumn.Match, _ numbers: LinkedValues, _ own: Vector) {
    self.numbers = numbers
    self.own = own
    comparator = match.comparator
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
    switch comparator {
    case .equal, .lessOrEqual, .greaterOrEqual: targetIsNil && ownIsNil
    case .notEqual: !(targetIsNil && ownIsNil)
    default: false
    }
  }

  @inline(__always)
  private func holds<T: Comparable>(_ target: T, _ own: T) -> Bool {
    switch comparator {
    case .equal: target == own
    case .notEqual: target != own
    case .less: target < own
    case .lessOrEqual: target <= own
    case .greater: target > own
    default: target >= own
    }
  }
}

extension Vector {
  /// Aggregates the values of the objects at the end of a path, in the order in which they are reached.
  func reduce(_ reduction: Reduction, _ walk: LinkPathTraversal, _ numbers: LinkedValues?, _ matcher: TargetMatcher?)
    throws
  {
    let isWhole = numbers?.isInteger ?? true
    isInteger = isWhole && reduction != .average
    integers.update(repeating: 0, count: Mask.slotCount)
    doubles.update(repeating: 0, count: Mask.slotCount)
    nulls = reduction == .sum || reduction == .count ? .none : .all
    var chosen: [UInt64] = []
    for slot in 0..<Mask.slotCount {
      var total = TargetTotal(reduction)
      try walk.forEachRun(of: slot) { run in
        guard let matcher else { return total.add(run, in: walk.last, numbers) }
        chosen.removeAll(keepingCapacity: true)
        matcher.choose(run, slot, into: &chosen)
        chosen.withUnsafeBufferPointer { total.add($0, in: walk.last, numbers) }
      }
      put(total, isWhole, slot)
    }
  }

  private func put(_ total: TargetTotal, _ isWhole: Bool, _ slot: Int) {
    switch total.reduction {
    case .count: integers[slot] = Int64(total.count)
    case .average:
      if total.count == 0 { return }
      doubles[slot] = (isWhole ? Double(total.whole) : total.real.value) / Double(total.count)
      nulls[slot] = false
    case .sum:
      if !isWhole {
        doubles[slot] = total.real.value
      } else if let whole = Int64(exactly: total.whole) {
        integers[slot] = whole
      } else {
        nulls[slot] = true
      }
    default:
      if total.count == 0 { return }
      integers[slot] = total.bestWhole
      doubles[slot] = total.bestReal
      nulls[slot] = false
    }
  }
}

/// The aggregate over the targets of one object.
private struct TargetTotal {
  let reduction: Reduction
  private(set) var count = 0
  private(set) var whole = Int128(0)
  private(set) var real = ExactSum()
  private(set) var bestWhole: Int64 = 0
  private(set) var bestReal = 0.0

  init(_ reduction: Reduction) { self.reduction = reduction }

  mutating func add(_ run: UnsafeBufferPointer<UInt64>, in bits: ObjectBits?, _ numbers: LinkedValues?) {
    guard let numbers else {
      guard let bits else { return count += run.count }
      for target in run where bits.contains(target) { count += 1 }
      return
    }
    let wholes = numbers.wholes
    for target in run where numbers.has(target) && bits?.contains(target) ?? true {
      let place = Int(truncatingIfNeeded: target)
      if numbers.isInteger { add(wholes[place]) } else { add(numbers.doubles[place]) }
    }
  }

  @inline(__always)
  private mutating func add(_ value: Int64) {
    switch reduction {
    case .minimum: bestWhole = count == 0 ? value : min(bestWhole, value)
    case .maximum: bestWhole = count == 0 ? value : max(bestWhole, value)
    default: whole &+= Int128(value)
    }
    count += 1
  }

  @inline(__always)
  private mutating func add(_ value: Double) {
    if value.isNaN { return }
    switch reduction {
    case .minimum: bestReal = count == 0 || value < bestReal ? value : bestReal
    case .maximum: bestReal = count == 0 || value > bestReal ? value : bestReal
    default: real.add(value)
    }
    count += 1
  }
}
