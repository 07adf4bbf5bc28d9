internal import Glibc
internal import Storage
internal import Values

/// The objects of one entity that a predicate holds for, found once for each execution that asks for them.
///
/// It is a plan, not a result: `ExecutionContext` keeps what was found.
final class SemijoinSet: Sendable {
  let plan: Plan
  /// How many objects it should have, of how many.
  let expected: Double
  let total: Double

  init(_ plan: Plan, total: Double) {
    self.plan = plan
    expected = min(plan.root.rows, total)
    self.total = total
  }

  /// What part of all objects it should have.
  var share: Double { total > 0 ? min(1, expected / total) : 0 }
}

/// A to-one link whose target is in a set. Where the link is nil, what the predicate says of nothing counts.
final class TargetFilter: Filter, @unchecked Sendable {
  let column: Int
  let targets: SemijoinSet
  let holdsForNil: Bool

  init(column: Int, _ targets: SemijoinSet, holdsForNil: Bool) {
    self.column = column
    self.targets = targets
    self.holdsForNil = holdsForNil
  }

  override var estimate: Double? { targets.share }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let view = try cluster.column(column)
    let bits = try context.bits(targets)
    let found = holdsForNil ? candidates & view.nulls : .none
    guard bits.count > 0, let numbers = try context.sets().run.readOne(view, bits.places) else { return found }
    let words = UnsafePointer(bits.words)
    let limit = bits.limit
    @inline(__always) func word(_ first: Int) -> UInt64 {
      var word: UInt64 = 0
      for bit in 0..<64 {
        let number = numbers[first &+ bit]
        let isThere = number < limit
        let place = isThere ? Int(truncatingIfNeeded: number &>> 6) : 0
        word |= (words[place] &>> (number & 63) & (isThere ? 1 : 0)) &<< UInt64(bit)
      }
      return word
    }
    return found | candidates.andNot(view.nulls) & Mask(word(0), word(64), word(128), word(192))
  }
}

/// A to-many link with some target in a set.
final class AnyTargetFilter: Filter, @unchecked Sendable {
  let column: Int
  let targets: SemijoinSet
  /// How many targets an object has, about.
  private let fanOut: Double

  init(column: Int, _ targets: SemijoinSet, fanOut: Double) {
    self.column = column
    self.targets = targets
    self.fanOut = fanOut
  }

  /// The chance that not all of an object's targets are outside the set.
  override var estimate: Double? { 1 - pow(1 - targets.share, fanOut) }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let bits = try context.bits(targets)
    guard bits.count > 0 else { return .none }
    return try context.sets().run.read(column, of: cluster, candidates, bits.places).slots(
      candidates, withSomeIn: bits.view)
  }
}

/// Objects that some object of a set links to: the set's links are followed once.
final class AnySourceFilter: Filter, @unchecked Sendable {
  let source: LinkSource
  let sources: SemijoinSet

  init(_ source: LinkSource, _ sources: SemijoinSet) {
    self.source = source
    self.sources = sources
  }

  override var estimate: Double? { min(0.9, sources.share) }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    try context.bits(sources, through: source).mask(cluster.number) & candidates
  }
}

/// A condition over linked objects that may be asked in two ways: object by object, which costs as many objects as are
/// asked about, or a set at a time, which costs the finding of the set before the first.
///
/// It starts with the way that should be cheaper for as many objects as the plan expects, and goes over to the set once
/// the work done object by object has come to what the set costs: so a wrong guess costs at most as much again.
final class SemijoinFilter: Filter, @unchecked Sendable {
  let rows: Filter
  let whole: Filter
  /// What finding the set costs, and what asking one object by itself does, in nanoseconds.
  let setup: Double
  let perObject: Double

  init(rows: Filter, whole: Filter, setup: Double, perObject: Double) {
    self.rows = rows
    self.whole = whole
    self.setup = setup
    self.perObject = perObject
  }

  override var estimate: Double? { whole.estimate ?? 0.3 }

  override func expect(_ objects: Double, _ context: ExecutionContext) { try? context.sets().expect(self, objects) }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    if candidates.isEmpty { return .none }
    let asked = try context.sets().asked(self, candidates.count)
    return try (asked * perObject > setup ? whole : rows).mask(cluster, candidates, context)
  }
}

extension Filter {
  /// How many linked objects are asked for one object, about, where it is asked by itself and all of them are: ANY ends
  /// with the first.
  var linkedObjects: Double {
    switch self {
    case let not as NotFilter: not.inner.linkedObjects
    case let all as AllFilter: all.parts.reduce(0) { $0 + $1.linkedObjects }
    case let filter as VectorFilter:
      filter.right.reduce(filter.left.expression.linkedObjects) { $0 + $1.expression.linkedObjects }
    default: 0
    }
  }

  /// The link column and the targets of it by which alone an object is found: where nothing that links nowhere is.
  var targetsThatAnswer: (column: Int, targets: SemijoinSet)? {
    switch self {
    case let linked as SemijoinFilter: linked.whole.targetsThatAnswer
    case let one as TargetFilter: one.holdsForNil ? nil : (one.column, one.targets)
    case let many as AnyTargetFilter: (many.column, many.targets)
    default: nil
    }
  }
}
