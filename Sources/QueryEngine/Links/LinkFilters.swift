internal import Glibc
internal import Storage
internal import Values

/// The objects of one entity that pass a predicate, computed once for each execution that needs them.
///
/// This is a plan, not a result: `LinkedSets` keeps the result.
final class SemijoinSet: Sendable {
  let plan: Plan
  /// The estimated number of objects in the set, and the number of all objects.
  let expected: Double
  let total: Double

  init(_ plan: Plan, total: Double) {
    self.plan = plan
    expected = min(plan.root.rows, total)
    self.total = total
  }

  /// The estimated fraction of all objects.
  var share: Double { total > 0 ? min(1, expected / total) : 0 }
}

/// A to-one link whose target is in a set. An object whose link is nil passes if the predicate holds for nil.
final class TargetFilter: Filter {
  let column: Int
  let targets: SemijoinSet
  let holdsForNil: Bool

  init(column: Int, _ targets: SemijoinSet, holdsForNil: Bool) {
    self.column = column
    self.targets = targets
    self.holdsForNil = holdsForNil
  }

  var usesRows: Bool { false }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] {
    [LinkStep(role: .targets, detail: "of \(entity.path(column)), then the link is read", targets: targets)]
  }

  var estimate: Double? { targets.share }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
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

/// A to-many link with any target in a set.
final class AnyTargetFilter: Filter {
  let column: Int
  let targets: SemijoinSet
  /// The estimated number of targets of an object.
  private let fanOut: Double

  init(column: Int, _ targets: SemijoinSet, fanOut: Double) {
    self.column = column
    self.targets = targets
    self.fanOut = fanOut
  }

  var usesRows: Bool { false }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] {
    [LinkStep(role: .targets, detail: "of \(entity.path(column)), then the links are walked", targets: targets)]
  }

  /// The probability that any target of an object is in the set.
  var estimate: Double? { 1 - pow(1 - targets.share, fanOut) }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    let bits = try context.bits(targets)
    guard bits.count > 0 else { return .none }
    return try context.sets().run.read(column, of: cluster, candidates, bits.places).slots(
      candidates, withSomeIn: bits.view)
  }
}

/// The objects that any object of a set links to: the links of the set are followed once.
final class AnySourceFilter: Filter {
  let source: LinkSource
  let sources: SemijoinSet

  init(_ source: LinkSource, _ sources: SemijoinSet) {
    self.source = source
    self.sources = sources
  }

  var usesRows: Bool { false }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] {
    let path = source.entity.stored.path(source.column)
    return [LinkStep(role: .sources, detail: "by \(path), then their links are walked", targets: sources)]
  }

  var estimate: Double? { min(0.9, sources.share) }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    try context.bits(sources, through: source).mask(cluster.number) & candidates
  }
}

/// A filter over linked objects with two algorithms: object by object, whose cost depends on the number of objects, or
/// as a semijoin, whose cost is that of finding the set first.
///
/// It starts with the cheaper one for the estimated number of objects, and switches to the semijoin once the work done
/// object by object reaches the cost of the set. So a wrong estimate at most doubles the cost.
final class SemijoinFilter: Filter {
  let rows: any Filter
  let whole: any Filter
  /// The costs of finding the set and of evaluating a single object, in nanoseconds.
  let setup: Double
  let perObject: Double

  init(rows: any Filter, whole: any Filter, setup: Double, perObject: Double) {
    self.rows = rows
    self.whole = whole
    self.setup = setup
    self.perObject = perObject
  }

  /// Whether the set is found row by row. EXPLAIN shows the semijoin; while the set costs more than the objects asked about,
  /// these are evaluated object by object all the same.
  var usesRows: Bool { whole.usesRows }

  func linkSteps(of entity: StoredEntity) -> [LinkStep] {
    whole.linkSteps(of: entity).map { step in
      var step = step
      step.costs = (setup, perObject)
      return step
    }
  }

  var estimate: Double? { whole.estimate ?? 0.3 }

  func expect(_ objects: Double, _ context: ExecutionContext) { try? context.sets().expect(self, objects) }

  func mask(_ cluster: ClusterView, _ candidates: Mask, _ context: ExecutionContext) throws -> Mask {
    if candidates.isEmpty { return .none }
    let asked = try context.sets().asked(self, candidates.count)
    return try (asked * perObject > setup ? whole : rows).mask(cluster, candidates, context)
  }
}
