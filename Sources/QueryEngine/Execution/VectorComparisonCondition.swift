internal import CPlatform
internal import PredicateLanguage
internal import Storage
internal import Values

/// Two numeric expressions compared, a cluster at a time.
final class VectorComparisonCondition: Condition, @unchecked Sendable {
  let comparator: Comparator
  let left: BoundExpression
  let right: BoundExpression
  /// Against a constant: the whole numbers, and the Doubles, that stand in the relation to it; nil when none does.
  private var integers: (lower: Int64, upper: Int64)?
  private var doubles: (lower: Double, upper: Double)?
  private let isAgainstConstant: Bool
  /// Whether `<=` and `>=` hold for two nils.
  private let takesNils: Bool

  /// nil when they are of a kind that is compared row by row.
  init?(_ comparator: Comparator, _ left: BoundExpression, _ right: BoundExpression, takesNils: Bool = true) {
    switch comparator {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: break
    default: return nil
    }
    guard left.isVectorizable, right.isVectorizable else { return nil }
    self.comparator = comparator
    self.takesNils = takesNils
    self.left = left
    self.right = right
    guard let constant = right.constant else {
      isAgainstConstant = false
      return
    }
    isAgainstConstant = true
    let relation = comparator == .notEqual ? .equal : comparator
    // A date is compared by its seconds, as its vector has them.
    let number: Value = if case .date(let instant) = constant { .double(instant.seconds) } else { constant }
    integers = ColumnInterval.of(relation, number, .int).flatMap(ClosedRanges.integers)
    doubles = ColumnInterval.of(relation, number, .double).flatMap(ClosedRanges.doubles)
  }

  override var isLocal: Bool { left.isLocal && right.isLocal }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    try scratch.withVector { left in
      if isAgainstConstant {
        try left.evaluate(self.left, cluster, scratch, wanted: candidates)
        let within = withinBounds(left).andNot(left.nulls)
        return comparator == .notEqual ? candidates.andNot(within) : within & candidates
      }
      return try scratch.withVector { right in
        try left.evaluate(self.left, cluster, scratch, wanted: candidates)
        try right.evaluate(self.right, cluster, scratch, wanted: candidates)
        return compare(left, right) & candidates
      }
    }
  }

  /// The slots whose value stands in the relation to the constant, or for `!=` does not, but for nil.
  fileprivate func withinBounds(_ vector: NumberVector) -> Mask {
    if vector.isInteger {
      guard let (lower, upper) = integers else { return .none }
      return Mask.filled { os_between_i64(vector.integers, Mask.slotCount, lower, upper, $0) }
    }
    guard let (lower, upper) = doubles else { return .none }
    return Mask.filled { os_between_f64(vector.doubles, Mask.slotCount, lower, upper, $0) }
  }

  private func compare(_ left: NumberVector, _ right: NumberVector) -> Mask {
    let bothNil = left.nulls & right.nulls
    let neitherNil = ~(left.nulls | right.nulls)
    switch comparator {
    case .equal: return ordered(left, right, .equal) & neitherNil | bothNil
    case .notEqual: return ~(ordered(left, right, .equal) & neitherNil | bothNil)
    case .lessOrEqual, .greaterOrEqual:
      return ordered(left, right, comparator) & neitherNil | (takesNils ? bothNil : .none)
    default: return ordered(left, right, comparator) & neitherNil
    }
  }

  private func ordered(_ left: NumberVector, _ right: NumberVector, _ comparator: Comparator) -> Mask {
    switch (left.isInteger, right.isInteger) {
    case (true, true): return Self.each(comparator, left.integers, right.integers)
    case (false, false): return Self.each(comparator, left.doubles, right.doubles)
    case (true, false): return Self.mixed(comparator) { ValueOrder.compare(left.integers[$0], right.doubles[$0]) }
    case (false, true):
      return Self.mixed(comparator) { ValueOrder.compare(right.integers[$0], left.doubles[$0]).map { -$0 } }
    }
  }

  @inline(__always)
  private static func each<T: Comparable>(
    _ comparator: Comparator, _ left: UnsafeMutablePointer<T>, _ right: UnsafeMutablePointer<T>
  ) -> Mask {
    switch comparator {
    case .equal: bits { left[$0] == right[$0] }
    case .less: bits { left[$0] < right[$0] }
    case .lessOrEqual: bits { left[$0] <= right[$0] }
    case .greater: bits { left[$0] > right[$0] }
    default: bits { left[$0] >= right[$0] }
    }
  }

  private static func mixed(_ comparator: Comparator, _ order: (Int) -> Int?) -> Mask {
    bits { slot in
      guard let order = order(slot) else { return false }
      switch comparator {
      case .equal: return order == 0
      case .less: return order < 0
      case .lessOrEqual: return order <= 0
      case .greater: return order > 0
      default: return order >= 0
      }
    }
  }

  @inline(__always)
  private static func bits(_ holds: (Int) -> Bool) -> Mask {
    @inline(__always) func word(_ first: Int) -> UInt64 {
      var word: UInt64 = 0
      for bit in 0..<64 { word |= (holds(first &+ bit) ? 1 : 0) &<< UInt64(bit) }
      return word
    }
    return Mask(word(0), word(64), word(128), word(192))
  }
}

extension VectorComparisonCondition {
  /// BETWEEN; nil when it is compared row by row.
  static func between(_ value: BoundExpression, _ bounds: [BoundExpression]) -> Condition? {
    // With nil on both sides `>=` holds, but BETWEEN does not.
    guard bounds.count == 2, bounds.allSatisfy({ $0.constant?.isNull != true }),
      let low = VectorComparisonCondition(.greaterOrEqual, value, bounds[0], takesNils: false),
      let high = VectorComparisonCondition(.lessOrEqual, value, bounds[1], takesNils: false)
    else { return nil }
    return AllCondition([low, high])
  }
}

/// A numeric expression that is one of a few constants: worked out once, a cluster at a time, and compared with each.
final class VectorMembershipCondition: Condition, @unchecked Sendable {
  private let value: BoundExpression
  private let members: [VectorComparisonCondition]

  /// With more members looking them up row by row is as good.
  private static let most = 32

  /// nil when it is asked row by row.
  init?(_ value: BoundExpression, _ members: [BoundExpression]) {
    guard members.count <= Self.most, value.isVectorizable else { return nil }
    let conditions = members.compactMap { member in
      member.constant.flatMap { $0.isNull ? nil : VectorComparisonCondition(.equal, value, member) }
    }
    guard conditions.count == members.count else { return nil }
    self.value = value
    self.members = conditions
  }

  override var isLocal: Bool { value.isLocal }

  override func mask(_ cluster: ClusterView, _ candidates: Mask, _ scratch: Scratch) throws -> Mask {
    try scratch.withVector { vector in
      try vector.evaluate(value, cluster, scratch, wanted: candidates)
      return members.reduce(Mask.none) { $0 | $1.withinBounds(vector) }.andNot(vector.nulls) & candidates
    }
  }
}
