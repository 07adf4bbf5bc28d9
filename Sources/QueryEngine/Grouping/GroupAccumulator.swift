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
    guard let argument, function != .count else { return CountGroupAccumulator() }
    if let elements {
      // The collection is prepared as part of the expression that it belongs to.
      let prepared = BoundExpression.reduced(.list, elements).prepared
      let collection = GroupAggregate(function: function, argument: prepared).elements ?? elements
      let type = elements.elementType ?? .null
      return try function.accumulate(
        type, MakeGroupAccumulator(function: function, argument: .elements(collection), type: type))
    }
    if function == .distinct || function == .distinctCount {
      return try DistinctGroupAccumulator(argument, counts: function == .distinctCount, compiler)
    }
    let vector = GroupArgument.vector(try VectorExpression(argument, compiler))
    return try function.accumulate(
      argument.type, MakeGroupAccumulator(function: function, argument: vector, type: argument.type))
  }
}

/// What each object of a group has for an aggregate: a value, or the elements of a collection.
private enum GroupArgument {
  case vector(VectorExpression)
  case elements(BoundCollection)
}

/// Makes the accumulators of groups.
private struct MakeGroupAccumulator: AccumulatorUse {
  let function: AggregateFunction
  let argument: GroupArgument
  let type: ExpressionType

  func callAsFunction<Total: Accumulator>(_ empty: Total) -> any GroupAccumulator {
    var totals: [Total] = []
    let value = { (group: Int) in totals[group].value(function, of: type) }
    let grow = { (count: Int) in
      if totals.count < count { totals.append(contentsOf: repeatElement(empty, count: count - totals.count)) }
    }
    switch argument {
    case .vector(let argument):
      let column = type == Total.storedType ? argument.storedColumn : nil
      return ValueGroupAccumulator(grow, value) { place, mask, groups, context in
        try totals.withUnsafeMutableBufferPointer { totals in
          if let column, let stored = try place.fixed(column), Total.add(stored, mask, to: totals, groups) { return }
          try context.withVector { vector in
            try argument.evaluate(into: vector, try place.view(), context, wanted: mask)
            Total.add(vector, type, mask.andNot(vector.nulls), to: totals, groups)
          }
        }
      }
    case .elements(let collection):
      return ValueGroupAccumulator(grow, value) { place, mask, groups, context in
        groups.useSlots()
        let row = ClusterRow(try place.view(), context)
        try mask.forEach { slot in
          row.slot = slot
          for element in try collection.elements(in: row) ?? [] {
            try row.step()
            totals[Int(groups.slots[slot])].add(element)
          }
        }
      }
    }
  }
}

extension Accumulator {
  fileprivate typealias Totals = UnsafeMutableBufferPointer<Self>

  /// Adds some slots of a vector.
  @inline(__always)
  fileprivate static func add(
    _ vector: Vector, _ type: ExpressionType, _ mask: Mask, to totals: Totals, _ groups: GroupPartition
  ) {
    if takesValues || vector.form == .flags || vector.form == .values || vector.form == .decimals {
      groups.forEach(mask) { totals[$0].add(vector.value(at: $1, of: type)) }
    } else if vector.form == .strings {
      groups.forEach(mask) { totals[$0].add(vector.strings[$1]) }
    } else if groups.areMasks {
      groups.forEachPart {
        if vector.isInteger {
          totals[$0].add(vector.integers, Mask.slotCount, $1 & mask)
        } else {
          totals[$0].add(vector.doubles, Mask.slotCount, $1 & mask)
        }
      }
    } else if vector.isInteger {
      let numbers = vector.integers
      groups.forEach(mask) { totals[$0].add(numbers[$1]) }
    } else {
      let numbers = vector.doubles
      groups.forEach(mask) { totals[$0].add(numbers[$1]) }
    }
  }

  /// Adds some slots of a column in its stored form. Returns false if the column must be decoded.
  @inline(__always)
  fileprivate static func add(
    _ column: RawColumn, _ mask: Mask, to totals: Totals, _ groups: GroupPartition
  ) -> Bool {
    if groups.areMasks {
      var isStored = true
      // The first part shows whether the column can be read from raw memory.
      groups.forEachPart { if isStored { isStored = totals[$0].add(column, $1) } }
      return isStored
    }
    guard let numbers = column.numbers else { return false }
    let rest = mask.andNot(column.nulls)
    switch numbers.kind {
    case .integers: groups.forEach(rest) { totals[$0].add(numbers.integer($1)) }
    case .doubles, .floats: groups.forEach(rest) { totals[$0].add(numbers[$1]) }
    case .decimals: groups.forEach(rest) { totals[$0].add(.decimal(numbers.exact($1))) }
    }
    return true
  }
}

/// Accumulates the values of each object, a cluster at a time. Its functions are compiled for the type of the
/// accumulators, which a generic class would look up for every value.
private final class ValueGroupAccumulator: GroupAccumulator {
  private let growing: (Int) -> Void
  private let result: (Int) -> Value
  private let adding: (ClusterCursor, Mask, GroupPartition, ExecutionContext) throws -> Void

  init(
    _ grow: @escaping (Int) -> Void, _ value: @escaping (Int) -> Value,
    _ add: @escaping (ClusterCursor, Mask, GroupPartition, ExecutionContext) throws -> Void
  ) {
    growing = grow
    result = value
    adding = add
  }

  func grow(to count: Int) { growing(count) }

  func add(_ place: ClusterCursor, _ mask: Mask, _ groups: GroupPartition, _ context: ExecutionContext) throws {
    try adding(place, mask, groups, context)
  }

  func value(_ group: Int) -> Value { result(group) }
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
