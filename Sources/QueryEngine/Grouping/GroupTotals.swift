internal import Storage
internal import Values

/// One aggregate of all groups while it is worked out. It does not know what the groups are, only their numbers.
protocol GroupTotals: AnyObject {
  /// Makes room for groups up to `count`.
  func grow(to count: Int)
  /// Takes the objects of a cluster in, parted by group.
  func add(_ cluster: ClusterView, _ mask: Mask, _ groups: ClusterParts, _ scratch: Scratch) throws
  /// What a group's objects come to.
  func value(_ group: Int) -> Value
}

extension GroupAggregate {
  /// Something that works it out.
  func totals() -> any GroupTotals {
    guard let argument else { return CountTotals() }
    guard let aggregate else {
      return kind == .count ? CountTotals() : DistinctTotals(argument, counts: kind == .distinctCount)
    }
    let isNumber = argument.isVectorizable && !argument.isRanked
    return isNumber ? NumberTotals(argument, aggregate) : ValueTotals(argument, aggregate)
  }

  /// The same as an aggregate of a column; nil where there is none.
  var aggregate: Aggregate? {
    switch kind {
    case .sum: .sum
    case .average: .average
    case .minimum: .minimum
    case .maximum: .maximum
    case .count, .distinct, .distinctCount: nil
    }
  }
}

/// `@count`
final class CountTotals: GroupTotals {
  private var counts: [Int] = []

  func grow(to count: Int) {
    if counts.count < count { counts.append(contentsOf: repeatElement(0, count: count - counts.count)) }
  }

  func add(_ cluster: ClusterView, _ mask: Mask, _ groups: ClusterParts, _ scratch: Scratch) {
    counts.withUnsafeMutableBufferPointer { counts in
      if groups.areMasks {
        for part in 0..<groups.count { counts[Int(groups.numbers[part])] += groups.masks[part].count }
      } else {
        let slots = groups.slots
        mask.forEach { counts[Int(slots[$0])] &+= 1 }
      }
    }
  }

  func value(_ group: Int) -> Value { .int(Int64(counts[group])) }
}

/// Numbers and dates, a cluster at a time.
final class NumberTotals: GroupTotals {
  private let argument: BoundExpression
  private let aggregate: Aggregate
  private var totals: [NumberTotal] = []

  init(_ argument: BoundExpression, _ aggregate: Aggregate) {
    self.argument = argument
    self.aggregate = aggregate
  }

  func grow(to count: Int) {
    if totals.count < count { totals.append(contentsOf: repeatElement(NumberTotal(), count: count - totals.count)) }
  }

  func add(_ cluster: ClusterView, _ mask: Mask, _ groups: ClusterParts, _ scratch: Scratch) throws {
    try scratch.withVector { vector in
      try vector.evaluate(argument, cluster, scratch)
      totals.withUnsafeMutableBufferPointer { totals in
        if groups.areMasks {
          for part in 0..<groups.count {
            totals[Int(groups.numbers[part])].add(aggregate, vector, groups.masks[part])
          }
          return
        }
        let rest = mask.andNot(vector.nulls)
        let slots = groups.slots
        if vector.isInteger {
          let numbers = vector.integers
          rest.forEach { totals[Int(slots[$0])].add(aggregate, numbers[$0]) }
        } else {
          let numbers = vector.doubles
          rest.forEach { totals[Int(slots[$0])].add(aggregate, numbers[$0]) }
        }
      }
    }
  }

  func value(_ group: Int) -> Value { totals[group].value(aggregate, of: argument.type) }
}

/// Aggregates of values of any kind, an object at a time: texts, and numbers that are whole in some rows only.
final class ValueTotals: GroupTotals {
  private struct Total {
    var edge = Value.null
    var numbers = NumberTotal()
    var hasReal = false
  }

  private let argument: BoundExpression
  private let aggregate: Aggregate
  private var totals: [Total] = []

  init(_ argument: BoundExpression, _ aggregate: Aggregate) {
    self.argument = argument.prepared
    self.aggregate = aggregate
  }

  func grow(to count: Int) {
    if totals.count < count { totals.append(contentsOf: repeatElement(Total(), count: count - totals.count)) }
  }

  func add(_ cluster: ClusterView, _ mask: Mask, _ groups: ClusterParts, _ scratch: Scratch) throws {
    groups.useSlots()
    let row = ClusterRow(cluster, scratch)
    try mask.forEach { slot in
      row.slot = slot
      let value = try argument.value(in: row)
      if ValueOrder.isComparable(value) { take(value, into: &totals[Int(groups.slots[slot])]) }
    }
  }

  private func take(_ value: Value, into total: inout Total) {
    switch aggregate {
    case .minimum: if ValueOrder.compare(value, total.edge) ?? -1 < 0 { total.edge = value }
    case .maximum: if ValueOrder.compare(value, total.edge) ?? 1 > 0 { total.edge = value }
    case .sum, .average:
      if case .int(let number) = value {
        total.numbers.add(aggregate, number)
      } else if let number = Arithmetic.number(value) {
        total.numbers.add(aggregate, number)
        total.hasReal = true
      }
    }
  }

  func value(_ group: Int) -> Value {
    let total = totals[group]
    switch aggregate {
    case .minimum, .maximum: return total.edge
    case .sum, .average: return total.numbers.mixed(aggregate, hasReal: total.hasReal)
    }
  }
}
