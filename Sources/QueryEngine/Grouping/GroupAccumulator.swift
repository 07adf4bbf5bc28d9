internal import Schema
internal import Storage
internal import Values

/// One aggregate of all groups while it is computed. Groups are identified by number only.
protocol GroupAccumulator: AnyObject {
  /// Makes room for `count` groups.
  func grow(to count: Int)
  /// Adds the objects of a cluster, partitioned by group.
  func add(_ place: ClusterCursor, _ mask: Mask, _ groups: GroupPartition, _ context: ExecutionContext) throws
  /// The aggregate of a group.
  func value(_ group: Int) -> Value
}

extension GroupAggregate {
  /// The accumulator that computes the aggregate.
  func totals(_ compiler: FilterCompiler) throws -> any GroupAccumulator {
    guard let argument else { return CountGroupAccumulator() }
    if let elements { return ElementGroupAccumulator(elements, kind) }
    guard let aggregate else {
      return kind == .count
        ? CountGroupAccumulator() : try DistinctGroupAccumulator(argument, counts: kind == .distinctCount, compiler)
    }
    let expression = try VectorExpression(argument, compiler)
    if expression.form == .strings { return StringGroupAccumulator(expression, aggregate) }
    let isNumber = expression.form.isNumeric && !argument.isRanked
    return isNumber ? NumberGroupAccumulator(expression, aggregate) : ValueGroupAccumulator(expression, aggregate)
  }

  /// The corresponding aggregate of a column; nil if there is none.
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

/// Accumulates `@count`.
final class CountGroupAccumulator: GroupAccumulator {
  private var counts: [Int] = []

  func grow(to count: Int) {
    if counts.count < count { counts.append(contentsOf: repeatElement(0, count: count - counts.count)) }
  }

  func add(_ place: ClusterCursor, _ mask: Mask, _ groups: GroupPartition, _ context: ExecutionContext) {
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

/// Accumulates numbers and dates, a cluster at a time.
final class NumberGroupAccumulator: GroupAccumulator {
  private let argument: VectorExpression
  private let aggregate: Aggregate
  private var totals: [NumberAccumulator] = []

  /// The column to sum, if the argument is a single column.
  private let sum: Int?
  private let type: ScalarType?

  init(_ argument: VectorExpression, _ aggregate: Aggregate) {
    self.argument = argument
    self.aggregate = aggregate
    let type = argument.expression.type
    self.type = type == .int ? .int : type == .double ? .double : nil
    sum = self.type != nil && (aggregate == .sum || aggregate == .average) ? argument.storedColumn : nil
  }

  func grow(to count: Int) {
    if totals.count < count {
      totals.append(contentsOf: repeatElement(NumberAccumulator(), count: count - totals.count))
    }
  }

  func add(_ place: ClusterCursor, _ mask: Mask, _ groups: GroupPartition, _ context: ExecutionContext) throws {
    if let column = sum, let fixed = try place.fixed(column), add(fixed, mask, groups) { return }
    try context.withVector { vector in
      try argument.evaluate(into: vector, try place.view(), context, wanted: mask)
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

  /// Adds the objects from raw memory. Returns false if the column must be decoded.
  private func add(_ column: RawColumn, _ mask: Mask, _ groups: GroupPartition) -> Bool {
    guard let type else { return false }
    return totals.withUnsafeMutableBufferPointer { totals in
      if groups.areMasks {
        for part in 0..<groups.count {
          // The first part shows whether the column can be read from raw memory.
          if !totals[Int(groups.numbers[part])].add(column, type, groups.masks[part]) { return false }
        }
        return true
      }
      guard let numbers = column.offsets, type != .float else { return false }
      let slots = groups.slots
      let rest = mask.andNot(column.nulls)
      if type.isInteger {
        rest.forEach {
          totals[Int(slots[$0])].add(.sum, numbers.base &+ Int64(truncatingIfNeeded: numbers.offset($0)))
        }
      } else {
        rest.forEach { totals[Int(slots[$0])].add(.sum, numbers[$0]) }
      }
      return true
    }
  }

  func value(_ group: Int) -> Value { totals[group].value(aggregate, of: argument.expression.type) }
}

/// Accumulates values of other types: Bools, UUIDs, Decimals, and numbers that are Int in some rows and Double in others.
final class ValueGroupAccumulator: GroupAccumulator {
  private let argument: VectorExpression
  private let aggregate: Aggregate
  private var totals: [ValueAccumulator] = []

  init(_ argument: VectorExpression, _ aggregate: Aggregate) {
    self.argument = argument
    self.aggregate = aggregate
  }

  func grow(to count: Int) {
    if totals.count < count {
      let none = ValueAccumulator(argument.expression.type)
      totals.append(contentsOf: repeatElement(none, count: count - totals.count))
    }
  }

  func add(_ place: ClusterCursor, _ mask: Mask, _ groups: GroupPartition, _ context: ExecutionContext) throws {
    groups.useSlots()
    try context.withVector { vector in
      try argument.evaluate(into: vector, try place.view(), context, wanted: mask)
      mask.andNot(vector.nulls).forEach { slot in
        let value = vector.value(at: slot, of: argument.expression.type)
        if ValueOrder.isComparable(value) { totals[Int(groups.slots[slot])].take(value, aggregate) }
      }
    }
  }

  func value(_ group: Int) -> Value { totals[group].value(aggregate) }
}
