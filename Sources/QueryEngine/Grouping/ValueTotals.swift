internal import Storage
internal import Values

/// Aggregates of values of any kind, an object at a time: texts, and numbers that are whole in some rows only.
final class ValueTotals: GroupTotals {
  private struct Total {
    var edge = Value.null
    var whole: Int128 = 0
    var sum = 0.0
    var hasReal = false
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
    let row = ClusterRow(cluster, scratch.linked)
    try mask.forEach { slot in
      row.slot = slot
      let value = try argument.value(in: row)
      guard ValueOrder.isComparable(value) else { return }
      take(value, into: &totals[Int(groups[slot])])
    }
  }

  private func take(_ value: Value, into total: inout Total) {
    total.count += 1
    switch kind {
    case .minimum, .maximum:
      let order = ValueOrder.compare(value, total.edge) ?? 0
      if total.count == 1 || (kind == .minimum ? order < 0 : order > 0) { total.edge = value }
    default:
      if case .int(let number) = value {
        total.whole &+= Int128(number)
      } else if let number = Arithmetic.number(value) {
        total.sum += number
        total.hasReal = true
      }
    }
  }

  func value(_ group: Int) -> Value {
    let total = totals[group]
    switch kind {
    case .sum:
      if total.hasReal { return .double(total.sum + Double(total.whole)) }
      return Int64(exactly: total.whole).map(Value.int) ?? .null
    case .average:
      return total.count == 0 ? .null : .double((total.sum + Double(total.whole)) / Double(total.count))
    default: return total.edge
    }
  }
}

/// The distinct values of each group, or how many there are; nil is left out.
final class DistinctTotals: GroupTotals {
  private let numbers: KeyNumbers
  private let counts: Bool
  private var seen = WordTable()
  private var members: [[UInt32]] = []
  private var slots = [UInt32](repeating: 0, count: Mask.slotCount)

  init(_ argument: BoundExpression, counts: Bool) {
    numbers = KeyNumbers(argument)
    self.counts = counts
  }

  func grow(to count: Int) {
    if members.count < count { members.append(contentsOf: repeatElement([], count: count - members.count)) }
  }

  func add(_ cluster: ClusterView, _ mask: Mask, _ groups: UnsafePointer<UInt32>, _ scratch: Scratch) throws {
    try slots.withUnsafeMutableBufferPointer { slots in
      guard let slots = slots.baseAddress else { return }
      try numbers.read(cluster, mask, scratch, into: slots)
      mask.forEach { slot in
        let number = slots[slot]
        if numbers.values[Int(number)].isNull { return }
        let pair = UInt64(groups[slot]) &<< 32 | UInt64(number)
        if seen.number(of: pair, next: 0).isNew { members[Int(groups[slot])].append(number) }
      }
    }
  }

  func value(_ group: Int) -> Value {
    counts
      ? .int(Int64(members[group].count)) : .list(members[group].map { numbers.values[Int($0)] })
  }
}
