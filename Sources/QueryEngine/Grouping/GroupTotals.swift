internal import Storage
internal import Values

/// One aggregate of all groups while it is worked out. It does not know what the groups are, only their numbers.
protocol GroupTotals: AnyObject {
  /// Makes room for groups up to `count`.
  func grow(to count: Int)
  /// Takes the objects of a cluster in; `groups` has the number of each object's group at its slot.
  func add(_ cluster: ClusterView, _ mask: Mask, _ groups: UnsafePointer<UInt32>, _ scratch: Scratch) throws
  /// What a group's objects come to.
  func value(_ group: Int) -> Value
}

extension GroupAggregate {
  /// Something that works it out.
  func totals() -> any GroupTotals {
    guard let argument else { return CountTotals() }
    switch kind {
    case .count: return CountTotals()
    case .distinct, .distinctCount: return DistinctTotals(argument, counts: kind == .distinctCount)
    case .sum, .average:
      return argument.isVectorizable
        ? NumberTotals(argument, kind) : ValueTotals(argument, kind)
    case .minimum, .maximum:
      return argument.isVectorizable ? NumberTotals(argument, kind) : ValueTotals(argument, kind)
    }
  }
}

/// `@count`
final class CountTotals: GroupTotals {
  private var counts: [Int] = []

  func grow(to count: Int) {
    if counts.count < count { counts.append(contentsOf: repeatElement(0, count: count - counts.count)) }
  }

  func add(_ cluster: ClusterView, _ mask: Mask, _ groups: UnsafePointer<UInt32>, _ scratch: Scratch) {
    counts.withUnsafeMutableBufferPointer { counts in
      mask.forEach { counts[Int(groups[$0])] &+= 1 }
    }
  }

  func value(_ group: Int) -> Value { .int(Int64(counts[group])) }
}

/// Numbers and dates, a cluster at a time.
final class NumberTotals: GroupTotals {
  private struct Total {
    var sum = 0.0
    var whole: Int128 = 0
    var edge = 0.0
    var wholeEdge: Int64 = 0
    var count = 0
  }

  private let argument: BoundExpression
  private let kind: GroupAggregate.Kind
  private var totals: [Total] = []

  init(_ argument: BoundExpression, _ kind: GroupAggregate.Kind) {
    self.argument = argument
    self.kind = kind
  }

  func grow(to count: Int) {
    if totals.count < count { totals.append(contentsOf: repeatElement(Total(), count: count - totals.count)) }
  }

  func add(_ cluster: ClusterView, _ mask: Mask, _ groups: UnsafePointer<UInt32>, _ scratch: Scratch) throws {
    try scratch.withVector { vector in
      try vector.evaluate(argument, cluster, scratch)
      let rest = mask.andNot(vector.nulls)
      totals.withUnsafeMutableBufferPointer { totals in
        switch (kind, vector.isInteger) {
        case (.sum, true), (.average, true):
          rest.forEach { slot in
            let group = Int(groups[slot])
            totals[group].whole &+= Int128(vector.integers[slot])
            totals[group].count &+= 1
          }
        case (.sum, false), (.average, false):
          rest.forEach { slot in
            let number = vector.doubles[slot]
            if number.isNaN { return }
            let group = Int(groups[slot])
            totals[group].sum += number
            totals[group].count &+= 1
          }
        case (_, true):
          let isMinimum = kind == .minimum
          rest.forEach { slot in
            let group = Int(groups[slot])
            let number = vector.integers[slot]
            let edge = totals[group].wholeEdge
            if totals[group].count == 0 || (isMinimum ? number < edge : number > edge) {
              totals[group].wholeEdge = number
            }
            totals[group].count &+= 1
          }
        case (_, false):
          let isMinimum = kind == .minimum
          rest.forEach { slot in
            let number = vector.doubles[slot]
            if number.isNaN { return }
            let group = Int(groups[slot])
            let edge = totals[group].edge
            if totals[group].count == 0 || (isMinimum ? number < edge : number > edge) { totals[group].edge = number }
            totals[group].count &+= 1
          }
        }
      }
    }
  }

  func value(_ group: Int) -> Value {
    let total = totals[group]
    let isInteger = argument.type == .int
    switch kind {
    case .sum:
      return isInteger ? Int64(exactly: total.whole).map(Value.int) ?? .null : .double(total.sum)
    case .average:
      if total.count == 0 { return .null }
      return .double((isInteger ? Double(total.whole) : total.sum) / Double(total.count))
    default:
      if total.count == 0 { return .null }
      if isInteger { return .int(total.wholeEdge) }
      switch argument.type {
      case .float: return .float(Float(total.edge))
      case .date: return .date(Instant(seconds: total.edge))
      default: return .double(total.edge)
      }
    }
  }
}
