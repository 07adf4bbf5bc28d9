internal import Storage
internal import Values

/// Numbers the values of one key of GROUP BY in the order in which they are met: equal ones have one number, as
/// DISTINCT sees them.
final class KeyNumbers {
  private let expression: BoundExpression
  private let isVectorizable: Bool
  /// The value of each number.
  private(set) var values: [Value] = []
  private var words = WordTable()
  private var numbers: [Value: UInt32] = [:]
  private var null: UInt32?
  private var nan: UInt32?
  /// The values in order, where numbers are their places.
  private var ranked: [Value]?

  init(_ expression: BoundExpression) {
    self.expression = expression
    isVectorizable = expression.isVectorizable
  }

  /// Writes the number of each object of a cluster at its slot.
  func read(
    _ cluster: ClusterView, _ mask: Mask, _ scratch: Scratch, into slots: UnsafeMutablePointer<UInt32>
  ) throws {
    if isVectorizable {
      try scratch.withVector { vector in
        try vector.evaluate(expression, cluster, scratch)
        if case .gathered(let gathering) = expression, gathering.isRanked, let numbers = gathering.numbers {
          ranked = try scratch.gathered?.numbers(numbers).ranked
        }
        readNumbers(vector, mask, slots)
      }
    } else if let column = expression.column {
      try readColumn(try cluster.column(column), mask, slots)
    } else {
      let row = ClusterRow(cluster, scratch.linked)
      try mask.forEach { slot in
        row.slot = slot
        slots[slot] = number(of: try expression.value(in: row))
      }
    }
  }

  /// The number of one value.
  func number(of value: Value) -> UInt32 {
    if value.isNull { return numberOfNull() }
    let key = DistinctKey.of(value)
    if let known = numbers[key] { return known }
    let number = add(Self.shown(value))
    numbers[key] = number
    return number
  }

  private func readNumbers(_ vector: NumberVector, _ mask: Mask, _ slots: UnsafeMutablePointer<UInt32>) {
    var last: (word: UInt64, number: UInt32)?
    SortableKey.forEach(vector, mask) { slot, rank, word in
      if rank == SortableKey.Rank.number {
        if let last, last.word == word {
          slots[slot] = last.number
          return
        }
        let (number, isNew) = words.number(of: word, next: UInt32(truncatingIfNeeded: values.count))
        if isNew { _ = add(value(vector, slot)) }
        last = (word, number)
        slots[slot] = number
      } else if rank == SortableKey.Rank.null {
        slots[slot] = numberOfNull()
      } else {
        slots[slot] = numberOfNaN(value(vector, slot))
      }
    }
  }

  private func value(_ vector: NumberVector, _ slot: Int) -> Value {
    if let ranked {
      let place = Int(clamping: vector.integers[slot])
      return ranked.indices.contains(place) ? ranked[place] : .null
    }
    if vector.isInteger { return .int(vector.integers[slot]) }
    let number = vector.doubles[slot] + 0
    switch expression.type {
    case .float: return .float(Float(number))
    case .date: return .date(Instant(seconds: number))
    default: return .double(number)
    }
  }

  /// A column of any other type; each text of a cluster's dictionary is looked up once.
  private func readColumn(_ view: ColumnView, _ mask: Mask, _ slots: UnsafeMutablePointer<UInt32>) throws {
    let nulls = mask & view.nulls
    if !nulls.isEmpty {
      let number = numberOfNull()
      nulls.forEach { slots[$0] = number }
    }
    let rest = mask.andNot(nulls)
    if case .dictionary(let codes, let entries) = view.values {
      try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: max(256, entries.count)) { known in
        known.initialize(repeating: .max)
        try rest.forEach { slot in
          let code = Int(codes[slot])
          if known[code] == .max { known[code] = number(of: try view.value(at: slot)) }
          slots[slot] = known[code]
        }
      }
    } else if case .same = view.values, let first = rest.first {
      let number = number(of: try view.value(at: first))
      rest.forEach { slots[$0] = number }
    } else {
      try rest.forEach { slots[$0] = number(of: try view.value(at: $0)) }
    }
  }

  private func add(_ value: Value) -> UInt32 {
    values.append(value)
    return UInt32(truncatingIfNeeded: values.count - 1)
  }

  private func numberOfNull() -> UInt32 {
    if let null { return null }
    let number = add(.null)
    null = number
    return number
  }

  private func numberOfNaN(_ value: Value) -> UInt32 {
    if let nan { return nan }
    let number = add(value)
    nan = number
    return number
  }

  /// -0.0 is shown as what it is equal to.
  private static func shown(_ value: Value) -> Value {
    switch value {
    case .double(let number): .double(number + 0)
    case .float(let number): .float(number + 0)
    default: value
    }
  }
}
